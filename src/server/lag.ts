/** How long the event loop was held up: nobody is answered meanwhile, and every verdict waits. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface LagOptions {
  /** Hears, once a second, of the longest stall of that second, in seconds. */
  readonly observe: (seconds: number) => void;
  readonly everyMs?: number;
}

/** Milliseconds between two measurements; stalls that are shorter than that are hardly seen. */
const RESOLUTION_MS = 10;

/** Measures until closed; keeps no process alive. */
export function watchLag({ observe, everyMs = 1000 }: LagOptions): { close(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const timer = setInterval(() => {
    // What is recorded is the time between two measurements, and that is the resolution where nothing holds them up.
    observe(Math.max(0, delays.max / 1e6 - RESOLUTION_MS) / 1000);
    delays.reset();
  }, everyMs).unref();
  return {
    close: () => {
      clearInterval(timer);
      delays.disable();
    },
  };
}
