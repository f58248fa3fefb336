/** A value, or a promise of it where something has to be read first. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with a value: at once, or when its promise resolves. */
export function whenDone<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
