/**
 * Measures how long the event loop was held up: nothing is answered meanwhile. Measured by how late a timer is. (`monitorEventLoopDelay` forgets a delay
 * that is under way when it is reset, and without a reset it keeps only the longest ever.)
 */

export interface EventLoopDelayOptions {
  /** Is called once a second with the longest delay since the last call, in seconds. */
  readonly observe: (seconds: number) => void;
  readonly intervalMs?: number;
}

/** Milliseconds; fifty wake-ups a second cost a thousandth of a core. A shorter delay may fall between two of them. */
const TICK_MS = 20;

/** Measures until closed; keeps no process alive. */
export function watchEventLoopDelay({ observe, intervalMs = 1000 }: EventLoopDelayOptions): { close(): void } {
  let lastTick = performance.now();
  let lastReport = lastTick;
  let longest = 0;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - lastTick - TICK_MS);
    lastTick = now;
    if (now - lastReport < intervalMs) return;
    observe(longest / 1000);
    lastReport = now;
    longest = 0;
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return { close: () => clearInterval(timer) };
}
