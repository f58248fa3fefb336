/** The flags of scan, and the values in them. */
import { describe, expect, test } from '@jest/globals';
import { type ScanFlags, scanOptions } from '../../../src/cli/scan/options.ts';

const options = (flags: Partial<ScanFlags>) => scanOptions({ pageSize: 500, failOn: 'denied', ...flags }, []);
const metrics = (exposeMetrics: string | true, interval?: string) =>
  options({ live: true, exposeMetrics, ...(interval !== undefined && { interval }) }).metrics;

test.each([
  [{}, 'nothing to scan'],
  [{ live: true, state: ['a'] }, '--live and --state exclude each other'],
  [{ state: [''] }, 'a path is empty'],
  [{ state: ['a'], event: true }, '--event needs --live'],
  [{ state: ['a'], report: true }, '--report needs --live'],
  [{ live: true, interval: '1h' }, '--interval needs --expose-metrics'],
  [{ state: ['-'], exposeMetrics: true }, 'standard input is read once'],
] as const)('%j is refused: %s', (flags, problem) => {
  expect(() => options(flags)).toThrow(problem);
});

test('a cluster is scanned once, unless metrics are wanted: then every hour, on port 8080', () => {
  expect(options({ live: true, event: true })).toMatchObject({ event: true, report: false, metrics: undefined });
  expect(metrics(true)).toEqual({ address: { host: '::', port: 8080 }, intervalMs: 3_600_000 });
});

describe('--expose-metrics', () => {
  test.each([
    ['8080', '::', 8080],
    [':0', '::', 0],
    ['127.0.0.1:65535', '127.0.0.1', 65_535],
    ['[::1]:9', '::1', 9],
  ])('%s is an address', (text, host, port) => expect(metrics(text)?.address).toEqual({ host, port }));

  test.each(['', 'a', ':', ':65536', '::1', 'a:b:1', '[a:1', '-1', ':1 ', '\u001b:x'])('%j is none', (text) => {
    expect(() => metrics(text)).toThrow(/--expose-metrics: "[ -~]*" is no address/);
  });
});

describe('--interval', () => {
  test.each([
    ['1s', 1000],
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
  ])('%s is a time', (text, milliseconds) => expect(metrics(true, text)?.intervalMs).toBe(milliseconds));

  test.each(['', '0s', '1', 'h', '25h', '1.5h', '-1s', '1d', '9999999s'])('%j is none', (text) => {
    expect(() => metrics(true, text)).toThrow('is no time from 1s to 24h');
  });
});
