/** Whether something grows: the line that comes nearest to all samples, in the sense of least squares. */

export interface Point {
  /** Seconds since whenever. */
  readonly at: number;
  readonly value: number;
}

/** Growth a second; NaN of fewer than two moments. */
export function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const at = mean((point) => point.at);
  const value = mean((point) => point.value);
  const covariance = mean((point) => (point.at - at) * (point.value - value));
  return covariance / mean((point) => (point.at - at) ** 2);
}

/** Without the first fifth of the time: caches fill, and code is compiled when it is first run. */
export function afterWarmUp<T extends { readonly at: number }>(samples: readonly T[]): T[] {
  const first = samples[0]?.at ?? 0;
  const last = samples.at(-1)?.at ?? 0;
  return samples.filter(({ at }) => at >= first + (last - first) / 5);
}
