/** What the load generator is asked for, and what it answers. Both travel as JSON between two processes. */

/** What is verified of answers: everything, all but the verdict (an echo allows everything), or the status alone. */
export type Expecting = 'verdict' | 'uid' | 'status';

export interface Job {
  readonly port: number;
  /** PEM file of the CA that signed the server's certificate. */
  readonly caFile: string;
  readonly connections: number;
  readonly expecting: Expecting;
  /** Requests a second, sent when they are due whatever has become of those before; absent: as fast as answers come. */
  readonly rate?: number;
  /** Milliseconds of load that are not measured, before those that are. */
  readonly warmUpMs: number;
  /** Ends when so many milliseconds were measured, */
  readonly measureMs: number;
  /** or so many requests, whichever comes first. */
  readonly requests?: number;
  /** The server, so that its CPU time is read at the same moments. */
  readonly serverPid: number;
}

/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface Loaded {
  /** Answers within the measured time. */
  readonly answers: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly latency: Latency;
  /** Answers that were not as expected, over all of the run; the first of them in words. */
  readonly wrong: number;
  readonly firstWrong?: string;
  /** Microseconds of CPU time a request; the server's only where the system shows it. */
  readonly serverCpuMicros?: number;
  /** Shares of one core. */
  readonly serverCpu?: number;
  readonly generatorCpu: number;
}
