/** Work on many things, a few of them at a time. */

/** What `work` makes of each, in their order; `width` at a time. */
export async function eachOf<T, R>(all: readonly T[], width: number, work: (one: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(all.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** What is grouped by the same text, in the order of first appearance; each with its index. */
export function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, { one: T; index: number }[]> {
  return Map.groupBy(
    all.map((one, index) => ({ one, index })),
    ({ one }) => keyOf(one),
  );
}
