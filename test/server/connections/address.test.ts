import { expect, test } from '@jest/globals';
import { addressKey } from '../../../src/server/connections/limiter.ts';

test.each([
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['::FFFF:10.0.0.7', '10.0.0.7'],
  ['::1', '0:0:0:0::/64'],
  ['fd00:1:2:3::9', 'fd00:1:2:3::/64'],
  ['fd00:1:2:3:4:5:6:7', 'fd00:1:2:3::/64'],
  ['fd00:1::9', 'fd00:1:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
