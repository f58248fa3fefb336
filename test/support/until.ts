/** Waits until a condition holds; returns the milliseconds that took. @throws Error that says what was waited for */
export async function until(
  condition: () => boolean | Promise<boolean>,
  patienceMs = 60_000,
  what = String(condition),
): Promise<number> {
  const began = performance.now();
  while (!(await condition())) {
    if (performance.now() - began > patienceMs) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - began;
}
