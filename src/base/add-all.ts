/** Adds items to a list. Spread into `push`, more than a hundred thousand overflow the stack. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
