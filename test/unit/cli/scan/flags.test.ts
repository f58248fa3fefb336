/** The flags of scan, and the values in them. */
import { expect, test } from '@jest/globals';
import { timeUpTo } from '../../../../src/cli/flags.ts';
import { addressOf } from '../../../../src/cli/scan/flags.ts';
import { refuseUnclear } from '../../../../src/cli/scan/options.ts';

const DEFAULTS = { pageSize: 500, parallel: 4, timeout: 600_000, failOn: 'denied', interval: 3_600_000 } as const;
const exposeMetrics = { host: '::', port: 8080 };

test.each([
  [{}, 'nothing to scan'],
  [{ state: [''] }, 'a path is empty'],
  [{ context: ['a', 'a'] }, 'the cluster "a" is named twice'],
  [{ context: ['a'], state: ['a=x'] }, 'the cluster "a" is named twice'],
  [{ context: [''] }, 'a context is empty'],
  [{ context: ['a'], state: ['x'] }, '--context and --state exclude each other'],
  [{ state: ['a=x', 'y'] }, 'paths with and without a name'],
  [{ state: ['a='] }, 'a path is empty'],
  [{ state: ['a=-', 'b=-'] }, 'standard input'],
  [{ fleet: true }, '--fleet needs --provider-file'],
  [{ fleet: true, providerFile: 'f', context: ['a', 'b'] }, '--fleet takes one --context'],
  [{ state: ['a'], event: true }, '--event needs a cluster'],
  [{ state: ['a'], report: true }, '--report needs a cluster'],
  [{ state: ['-'], exposeMetrics }, 'standard input is read once'],
])('%j is refused: %s', (flags, problem) => {
  expect(() => refuseUnclear({ ...DEFAULTS, ...flags })).toThrow(problem);
});

test.each([
  [{ context: ['a', 'b'] }],
  [{ context: ['a'], state: ['b=x', 'b=y'] }],
  [{ fleet: true, live: true, context: ['hub'], providerFile: 'f' }],
  [{ state: ['./a=b.yaml', 'c'] }],
])('%j is accepted', (flags) => {
  expect(() => refuseUnclear({ ...DEFAULTS, ...flags })).not.toThrow();
});

test.each([
  ['8080', '::', 8080],
  [':0', '::', 0],
  ['127.0.0.1:65535', '127.0.0.1', 65_535],
  ['[::1]:9', '::1', 9],
])('%s is an address', (text, host, port) => expect(addressOf(text)).toEqual({ host, port }));

test.each(['', 'a', ':', ':65536', '::1', 'a:b:1', '[a:1', '-1', ':1 ', '\u001b:x'])('%j is no address', (text) => {
  expect(() => addressOf(text)).toThrow('HOST:PORT or :PORT');
});

test.each([
  ['1s', 1000],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['24h', 86_400_000],
])('%s is a time', (text, milliseconds) => expect(timeUpTo(24)(text)).toBe(milliseconds));

test.each(['', '0s', '1', 'h', '24h1s', '1.5h', '-1s', '1d', '30m1h', ' 1h', '1H', '99999999999s'])(
  '%j is no time',
  (text) => {
    expect(() => timeUpTo(24)(text)).toThrow('a time from 1s to 24h');
  },
);
