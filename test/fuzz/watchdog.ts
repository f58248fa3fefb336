/** Ends the process when an input runs without end, and tells which. A thread of its own: the fuzzed one can't. */
import { Worker } from 'node:worker_threads';

const MOST_BYTES = 64 * 1024;
const PATIENCE_MS = 20_000;

const WATCH = `
const { workerData: { shared, patience, file } } = require('node:worker_threads');
const header = new Int32Array(shared, 0, 2);
let last = -1;
setInterval(() => {
  const turn = Atomics.load(header, 0);
  if (turn !== last || turn === 0) return void (last = turn);
  require('node:fs').writeFileSync(file, Buffer.from(shared, 8, header[1]));
  require('node:fs').writeSync(2, 'an input runs for longer than ' + patience + ' ms; it is kept in ' + file + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, patience);
`;

/** Call what is given back before each input. @param file where an input without end is kept */
export function watchdog(file: string): { watch(input: Buffer): void; stop(): Promise<number> } {
  const shared = new SharedArrayBuffer(8 + MOST_BYTES);
  const header = new Int32Array(shared, 0, 2);
  const bytes = new Uint8Array(shared, 8);
  const worker = new Worker(WATCH, { eval: true, workerData: { shared, patience: PATIENCE_MS, file } });
  return {
    watch(input) {
      header[1] = Math.min(input.length, MOST_BYTES);
      bytes.set(input.subarray(0, MOST_BYTES));
      Atomics.add(header, 0, 1);
    },
    stop: () => worker.terminate(),
  };
}
