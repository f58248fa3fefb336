import { expect, test } from '@jest/globals';
import { afterWarmUp, type Point, slope } from './slope.ts';

/** 24 minutes of samples, one a quarter minute; noise that repeats, so that no run differs from another. */
function series(growth: number, noise: number): Point[] {
  return Array.from({ length: 96 }, (_, n) => ({
    at: n * 15,
    value: 40_000_000 + growth * n * 15 + noise * Math.sin(n * 12.9898),
  }));
}

test('a straight line has its own slope', () => {
  expect(slope(series(7, 0))).toBeCloseTo(7, 6);
  expect(slope(series(-7, 0))).toBeCloseTo(-7, 6);
});

test('a leak of 100 bytes a request, at 50 requests a second, is seen through half a megabyte of noise', () => {
  const perRequest = (points: readonly Point[]) => slope(points) / 50;
  expect(perRequest(series(0, 500_000))).toBeLessThan(10);
  expect(perRequest(series(100 * 50, 500_000))).toBeGreaterThan(90);
});

test('one moment has no slope', () => {
  expect(slope([])).toBeNaN();
  expect(slope([{ at: 1, value: 1 }])).toBeNaN();
});

test('the first fifth of the time does not count, however many samples it has', () => {
  const samples = [0, 1, 2, 3, 19, 20, 60, 100].map((at) => ({ at, value: 0 }));
  expect(afterWarmUp(samples).map(({ at }) => at)).toEqual([20, 60, 100]);
  expect(afterWarmUp([])).toEqual([]);
});
