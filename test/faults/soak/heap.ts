/**
 * What is left of a process's heap once all garbage is gone. Node opens its inspector on SIGUSR1, in any process, started
 * however; only the port has to be known beforehand.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** For the environment of the process. */
export function inspectable(port: number): string {
  return `--inspect-port=127.0.0.1:${port}`;
}

export interface Inspector {
  /** Collects garbage; the bytes that are left, those of buffers among them. */
  heapAfterGc(): Promise<number>;
  close(): void;
}

/** @throws Error where the inspector does not open within 30 s */
export async function inspect(pid: number, port: number): Promise<Inspector> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressOf(port));
  const answers = new Map<number, (result: Usage) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    answers.get(id)?.(result);
    answers.delete(id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the inspector does not answer')));
  });
  let calls = 0;
  const call = (method: string) =>
    new Promise<Usage>((resolve) => {
      calls += 1;
      answers.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method }));
    });
  return {
    async heapAfterGc() {
      await call('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize } = await call('Runtime.getHeapUsage');
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}

interface Usage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

async function addressOf(port: number): Promise<string> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
    try {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as Target[];
      const [target] = targets;
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch {
      // Not yet.
    }
  }
  throw new Error(`no inspector on port ${port}`);
}

interface Target {
  readonly webSocketDebuggerUrl: string;
}
