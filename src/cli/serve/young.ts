/**
 * The room for young objects. V8 lets it grow with whatever survives in it, to 128 MB in the end; what a request leaves behind is dead at the next
 * look, and in 16 MB it is collected at the same cost. V8 takes a limit only on the command line that starts it, but it
 * heeds the pace of growth at any time.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const ENOUGH = 16 * 2 ** 20;
const EVERY_MS = 50;

/** From now on it grows no further than it has to. It may shrink when there is little to do, and grow again. */
export function keepYoungSmall(): { close(): void } {
  let grows = true;
  const timer = setInterval(() => {
    const small = roomForYoung() < ENOUGH;
    if (small === grows) return;
    grows = small;
    setFlagsFromString(`--semi-space-growth-factor=${small ? 2 : 1}`);
  }, EVERY_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Bytes, of both halves. */
function roomForYoung(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}
