/** Returns the value that a map has for a key. If it has none, stores what `make` returns, and returns that. */
export function getOrInsert<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** Adds items to a list. Spread into `push`, more than a hundred thousand overflow the stack. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/**
 * Returns a function that finds, for one of these items, the first other one with a different key.
 * @param keyOf returns the key of an item
 */
export function firstOther<T>(all: readonly T[], keyOf: (one: T) => string): (one: T) => T | undefined {
  const [first] = all;
  if (first === undefined) return () => undefined;
  const key = keyOf(first);
  const second = all.find((one) => keyOf(one) !== key);
  return (one) => (keyOf(one) === key ? second : first);
}
