/** Work that repeats while something else happens, and what of it failed. */
import { setTimeout as sleep } from 'node:timers/promises';

interface Repeated {
  readonly count: number;
  /** The distinct messages of failures. */
  readonly failures: ReadonlySet<string>;
  /** The distinct results of `work`. */
  readonly results: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Repeats until stopped. `work` rejects for a failure. */
export function repeat(work: (nth: number) => Promise<string>, pauseMs: number): Repeated {
  let stopped = false;
  const repeated = { count: 0, failures: new Set<string>(), results: new Set<string>(), stop: async () => {} };
  const running = (async () => {
    for (; !stopped; await sleep(pauseMs)) {
      await work(repeated.count++).then(
        (result) => repeated.results.add(result),
        (error: Error) => repeated.failures.add(error.message),
      );
    }
  })();
  repeated.stop = () => {
    stopped = true;
    return running;
  };
  return repeated;
}
