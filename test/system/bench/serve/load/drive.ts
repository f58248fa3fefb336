/**
 * The load generator, a process of its own: its job as the one argument, its figures as JSON on standard output.
 * Every answer is verified.
 *
 * Without a rate each connection sends as soon as it has its answer. With one, requests are due at moments of their
 * own, and their time runs from there, so that a server that stalls is not spared the requests that it kept from being
 * sent.
 */
import { readFileSync } from 'node:fs';
import { quantile } from '../../../../support/figures.ts';
import { type Connection, open } from './connection.ts';
import { cpuMicros } from './cpu.ts';
import type { Job, Latency, Loaded } from './job.ts';
import { faultOf, type Template, templates, writeUid } from './requests.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
process.stdout.write(JSON.stringify(await drive(job, readFileSync(job.caFile, 'utf8'))));

/** One connection's part in the load. */
interface Lane {
  connection: Connection | undefined;
  /** Of the request in flight: what it was made of, its count, and the moment from which its time runs. */
  template: Template | undefined;
  count: number;
  since: number;
  /** Which template is next. */
  turn: number;
}

/** @throws Error where a connection breaks: a server under load must hold them */
async function drive({ port, connections, expecting, rate, ...job }: Job, ca: string): Promise<Loaded> {
  const { promise, resolve, reject } = Promise.withResolvers<Loaded>();
  const mixture = templates();
  // Each begins elsewhere in the mixture.
  const lanes = Array.from({ length: connections }, (_, index): Lane => {
    return { connection: undefined, template: undefined, count: 0, since: 0, turn: index * 7 };
  });
  const idle: Lane[] = [];
  const overdue: number[] = [];
  let wrong = 0;
  let firstWrong: string | undefined;
  /** Milliseconds of each answer that is measured. */
  let times: number[] | undefined;
  let begun = usage(job.serverPid);
  let count = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const send = (lane: Lane, since: number) => {
    const template = mixture[lane.turn++ % mixture.length] as Template;
    count += 1;
    writeUid(template, count);
    Object.assign(lane, { template, count, since });
    // Encrypted, and so copied, before this returns: the next may write its uid into the same bytes.
    lane.connection?.send(template.bytes);
  };
  const gap = rate === undefined ? () => Number.POSITIVE_INFINITY : gaps(rate);
  let due = 0;
  const sendDue = () => {
    if (isOver) return;
    for (const now = performance.now(); due <= now; due += gap()) overdue.push(due);
    while (overdue.length > 0 && idle.length > 0) send(idle.shift() as Lane, overdue.shift() as number);
    // A timer is late by up to a millisecond, as much as what is measured; the core is ours alone.
    setImmediate(sendDue);
  };
  const finish = () => {
    stop();
    const sorted = Float64Array.from(times ?? []).sort();
    const costs = costsOf(begun, usage(job.serverPid), sorted.length);
    resolve({
      answers: sorted.length,
      wrong,
      ...(firstWrong !== undefined && { firstWrong }),
      latency: latencyOf(sorted),
      ...costs,
    });
  };
  const stop = () => {
    isOver = true;
    clearTimeout(timer);
    for (const { connection } of lanes) connection?.close();
  };
  const onEnd = (why: string) => {
    if (isOver) return;
    stop();
    reject(new Error(`a connection broke under load: ${why}`));
  };

  for (const lane of lanes) {
    const onAnswer = (answer: Parameters<typeof faultOf>[3]) => {
      if (isOver) return;
      const now = performance.now();
      const fault = faultOf(expecting, lane.template as Template, lane.count, answer);
      if (fault !== undefined) wrong += 1;
      firstWrong ??= fault;
      times?.push(now - lane.since);
      if (times !== undefined && times.length >= (job.requests ?? Number.POSITIVE_INFINITY)) return finish();
      const since = rate === undefined ? now : overdue.shift();
      if (since === undefined) idle.push(lane);
      else send(lane, since);
    };
    lane.connection = await open({ port, ca, onAnswer, onEnd });
  }
  timer = setTimeout(() => {
    times = [];
    begun = usage(job.serverPid);
    timer = setTimeout(finish, job.measureMs);
  }, job.warmUpMs);
  if (rate === undefined) for (const lane of lanes) send(lane, performance.now());
  else {
    idle.push(...lanes);
    due = performance.now();
    sendDue();
  }
  return promise;
}

/** Milliseconds between two arrivals, as from independent users: exponential, the same at every run. */
function gaps(rate: number): () => number {
  let seed = 20_260_302;
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (-Math.log(1 - seed / 2 ** 32) * 1000) / rate;
  };
}

interface Usage {
  readonly at: number;
  /** Microseconds of CPU time of the server, where the system shows them, and of this process. */
  readonly server: number | undefined;
  readonly own: number;
}

function usage(pid: number): Usage {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), server: cpuMicros(pid), own: user + system };
}

function costsOf(before: Usage, after: Usage, answers: number) {
  const seconds = (after.at - before.at) / 1000;
  const generatorCpu = (after.own - before.own) / 1e6 / seconds;
  const costs = { seconds, requestsPerSecond: answers / seconds, generatorCpu };
  if (before.server === undefined || after.server === undefined) return costs;
  const micros = after.server - before.server;
  return { ...costs, serverCpuMicros: micros / answers, serverCpu: micros / 1e6 / seconds };
}

function latencyOf(sorted: Float64Array): Latency {
  const at = (part: number) => quantile(sorted, part);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}
