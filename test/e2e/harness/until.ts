/** Patience: what comes to pass a little later, and by when it must have. */

/** Waits until it holds; answers the milliseconds that took. @throws Error naming what was waited for */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 30): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > seconds * 1000) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - began;
}
