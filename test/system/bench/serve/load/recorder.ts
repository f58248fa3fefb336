/** Latencies of the measured time, exact; and both sides' CPU time over the same span. */
import { cpuMicros } from './cpu.ts';
import type { Job, Latency, Loaded } from './job.ts';

/** More than any server here answers in the longest run. */
const ROOM_PER_SECOND = 120_000;

/** From `begin` on it counts; `took` gets the milliseconds of a measured answer. */
export function createRecorder(job: Job) {
  const room = job.requests ?? (job.measureMs / 1000) * ROOM_PER_SECOND;
  const times = new Float64Array(Math.ceil(room) + job.connections);
  let answers = 0;
  let wrong = 0;
  let firstWrong: string | undefined;
  let before = usage(job.serverPid);
  return {
    begin: () => {
      before = usage(job.serverPid);
    },
    took: (milliseconds: number) => {
      if (answers < times.length) times[answers] = milliseconds;
      answers += 1;
    },
    wrong: (why: string) => {
      wrong += 1;
      firstWrong ??= why;
    },
    answers: () => answers,
    finish: (): Loaded => {
      const after = usage(job.serverPid);
      const sorted = times.subarray(0, Math.min(answers, times.length)).sort();
      const figures = { answers, wrong, ...(firstWrong === undefined ? {} : { firstWrong }) };
      return { ...figures, latency: latencyOf(sorted), ...costs(before, after, answers) };
    },
  };
}

interface Usage {
  readonly at: number;
  readonly server: number | undefined;
  readonly own: number;
}

function usage(pid: number): Usage {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), server: cpuMicros(pid), own: user + system };
}

function costs(before: Usage, after: Usage, answers: number) {
  const seconds = (after.at - before.at) / 1000;
  const whole = {
    seconds,
    requestsPerSecond: answers / seconds,
    generatorCpu: (after.own - before.own) / 1e6 / seconds,
  };
  if (before.server === undefined || after.server === undefined) return whole;
  const micros = after.server - before.server;
  return { ...whole, serverCpuMicros: micros / answers, serverCpu: micros / 1e6 / seconds };
}

function latencyOf(sorted: Float64Array): Latency {
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
