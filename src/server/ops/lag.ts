/**
 * How long the event loop was held up: nobody is answered meanwhile, and every verdict waits. Measured by how late a timer is.
 * (`monitorEventLoopDelay` forgets a stall that is under way when it is reset, and without a reset it tells only the worst ever.)
 */

export interface LagOptions {
  /** Hears, once a second, of the longest stall since the last time, in seconds. */
  readonly observe: (seconds: number) => void;
  readonly everyMs?: number;
}

/** Milliseconds; fifty wake-ups a second cost a thousandth of a core. A shorter stall may fall between two of them. */
const TICK_MS = 20;

/** Measures until closed; keeps no process alive. */
export function watchLag({ observe, everyMs = 1000 }: LagOptions): { close(): void } {
  let before = performance.now();
  let told = before;
  let longest = 0;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - before - TICK_MS);
    before = now;
    if (now - told < everyMs) return;
    observe(longest / 1000);
    told = now;
    longest = 0;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return { close: () => clearInterval(timer) };
}
