/** So many at a time, the others wait for their turn. */

/** @param most calls under way at once */
export function createTurns(most: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await call();
    } finally {
      // Who waits takes over the place; else it is free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
