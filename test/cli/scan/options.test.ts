/** The flags of scan, and the values in them. */
import { describe, expect, test } from '@jest/globals';
import { type ScanFlags, scanOptions } from '../../../src/cli/scan/options.ts';
import { addressOf, durationOf } from '../../../src/cli/scan/values.ts';

const options = (flags: Partial<ScanFlags>) => scanOptions({ pageSize: 500, failOn: 'denied', ...flags });

describe('what goes together', () => {
  test.each([
    [{}, 'nothing to scan'],
    [{ live: true, state: ['a'] }, '--live and --state go apart'],
    [{ state: [''] }, 'a path is empty'],
    [{ state: ['a'], event: true }, '--event needs --live'],
    [{ state: ['a'], report: true }, '--report needs --live'],
    [{ live: true, interval: '1h' }, '--interval needs --expose-metrics'],
    [{ state: ['-'], exposeMetrics: true }, 'standard input is read once'],
    [{ live: true, exposeMetrics: 'nowhere' }, '"nowhere" is no address'],
    [{ live: true, exposeMetrics: true, interval: 'often' }, '"often" is no time'],
    [{ live: true, output: ['xml'] }, 'unknown output "xml"'],
  ] as const)('%j: %s', (flags, problem) => {
    expect(() => options(flags)).toThrow(problem);
  });

  test('a cluster once, with what it leaves behind', () => {
    expect(options({ live: true, event: true, report: true })).toMatchObject({
      state: undefined,
      events: true,
      reports: true,
      metrics: undefined,
      outputs: [{ format: 'text', file: undefined }],
    });
  });

  test('again and again, on 8080 and every hour unless said otherwise', () => {
    expect(options({ live: true, exposeMetrics: true }).metrics).toEqual({
      address: { host: '::', port: 8080 },
      intervalMs: 3_600_000,
    });
    expect(options({ state: ['a'], exposeMetrics: 'localhost:9', interval: '30s' }).metrics).toEqual({
      address: { host: 'localhost', port: 9 },
      intervalMs: 30_000,
    });
  });
});

test.each([
  ['8080', '::', 8080],
  [':0', '::', 0],
  ['127.0.0.1:65535', '127.0.0.1', 65_535],
  ['[::1]:9', '::1', 9],
])('the address %s', (text, host, port) => expect(addressOf(text)).toEqual({ host, port }));

test.each(['', 'a', ':', ':65536', '::1', 'a:b:1', '[a:1', '-1', ':1 ', '\u001b:x'])('no address: %j', (text) => {
  expect(() => addressOf(text)).toThrow(/--expose-metrics: "[ -~]*" is no address/);
});

test.each([
  ['1s', 1000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['24h', 86_400_000],
])('the time %s', (text, milliseconds) => expect(durationOf(text)).toBe(milliseconds));

test.each(['', '0s', '1', 'h', '25h', '1.5h', '-1s', '1d', '9999999s'])('no time: %j', (text) => {
  expect(() => durationOf(text)).toThrow('is no time from 1s to 24h');
});
