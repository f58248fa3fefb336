/** A value, or a promise of it where something has to be read first. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether it is a promise, also one of another realm: a view of objects may come from anywhere. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Calls `next` with a value: at once, or when its promise resolves. */
export function whenDone<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(next) : next(value);
}
