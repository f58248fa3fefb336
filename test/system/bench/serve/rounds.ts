/** Rounds in which every server has its turn, so that a moment in which the machine is busy falls on all of them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Job, Loaded } from './load/job.ts';
import { GENERATOR_CORE, pinned } from './pin.ts';
import type { Plan } from './plan.ts';
import { type Server, type Site, startServer } from './server.ts';

const GENERATOR = fileURLToPath(new URL('./load/drive.ts', import.meta.url));
const run = promisify(execFile);
/** Of a run that ends by its count. */
export const LONGEST_MS = 900_000;

export type Log = (line: string) => void;
type Windows = Map<string, Loaded[]>;

/** As much as the server can take, by server and connections: `muster 16`. */
export async function closedRounds(servers: readonly Server[], plan: Plan, site: Site, log: Log): Promise<Windows> {
  const { rounds, concurrencies, warmUpMs, measureMs } = plan;
  const windows: Windows = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const connections of concurrencies)
      for (const server of servers) {
        const loaded = await load(server, site, { connections, warmUpMs, measureMs });
        push(windows, `${server.contender.id} ${connections}`, loaded);
        log(`round ${round + 1}, ${connections} connections, ${server.contender.id}: ${inWords(loaded)}`);
        if (isBottleneck(loaded))
          log('warning: the generator was the bottleneck; the server could do more than this says');
      }
  return windows;
}

/** At a fixed rate, by server. */
export async function openRounds(servers: readonly Server[], plan: Plan, site: Site, log: Log): Promise<Windows> {
  const { openRounds: rounds, rate, openWarmUpMs: warmUpMs, openMs } = plan;
  const windows: Windows = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const server of servers) {
      const loaded = await load(server, site, { connections: 16, rate, warmUpMs, measureMs: openMs });
      push(windows, server.contender.id, loaded);
      log(`round ${round + 1}, ${rate} a second, ${server.contender.id}: ${inWords(loaded)}`);
    }
  return windows;
}

export async function warmUp(server: Server, { warmUpRequests: requests }: Plan, site: Site): Promise<void> {
  await load(server, site, { connections: 16, warmUpMs: 0, measureMs: LONGEST_MS, requests });
}

/** Milliseconds of each start, by server. */
export async function coldStarts(
  contenders: readonly Server['contender'][],
  plan: Plan,
  site: Site,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < plan.coldStarts; round += 1)
    for (const contender of contenders) {
      const server = await startServer(contender, site);
      await server.stop();
      times.set(contender.id, [...(times.get(contender.id) ?? []), server.coldStartMs]);
    }
  return times;
}

export type Load = Pick<Job, 'connections' | 'rate' | 'warmUpMs' | 'measureMs' | 'requests'>;

/** One run of the generator, in a process of its own. @throws Error where an answer was wrong */
export async function load(server: Server, site: Site, what: Load): Promise<Loaded> {
  const job: Job = {
    ...what,
    port: server.port,
    caFile: join(site.certs, 'ca.crt'),
    expecting: server.contender.expecting,
    serverPid: server.pid,
  };
  const [program = '', ...args] = pinned([process.execPath, GENERATOR, JSON.stringify(job)], GENERATOR_CORE);
  const { stdout } = await run(program, args);
  const loaded = JSON.parse(stdout) as Loaded;
  server.forget();
  const { id } = server.contender;
  if (loaded.wrong > 0) throw new Error(`${id} gave ${loaded.wrong} wrong answers; the first: ${loaded.firstWrong}`);
  return loaded;
}

function push(windows: Windows, key: string, loaded: Loaded): void {
  windows.set(key, [...(windows.get(key) ?? []), loaded]);
}

/** Whether the generator used up its core while the server had some left. */
function isBottleneck({ generatorCpu, serverCpu = 0 }: Pick<Loaded, 'generatorCpu' | 'serverCpu'>): boolean {
  return generatorCpu > 0.9 && serverCpu < 0.9;
}

function inWords({ requestsPerSecond, latency, serverCpuMicros, serverCpu, generatorCpu }: Loaded): string {
  const cpu = serverCpu === undefined ? 'unknown' : share(serverCpu);
  const cost = serverCpuMicros === undefined ? '' : `, ${serverCpuMicros.toFixed(0)} µs CPU each`;
  const times = `p50 ${latency.p50.toFixed(2)} p99 ${latency.p99.toFixed(2)} p99.9 ${latency.p999.toFixed(2)} ms`;
  return `${requestsPerSecond.toFixed(0)} req/s, ${times}${cost}; CPU of server ${cpu}, of generator ${share(generatorCpu)}`;
}

function share(cores: number): string {
  return `${(cores * 100).toFixed(0)} %`;
}
