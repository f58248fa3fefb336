/**
 * How long the search for secrets takes: each value and each character of a text is gone through once, whatever they
 * are.
 */
import { expect, test } from '@jest/globals';
import type { Json } from '../../../../src/base/json.ts';
import { secretsIn } from '../../../../src/rules/inventory/secrets.ts';

const MILLION = 1_000_000;
/** What makes an expression that goes back over a text try again from every place of it: at quadratic cost, hours. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['beginnings of a key', '-----BEGIN '.repeat(MILLION / 10)],
  ['a beginning of a key with a long label', `-----BEGIN ${'A'.repeat(MILLION)}`],
  ['dashes', '-'.repeat(MILLION)],
  ['base64 of dashes', 'LS0tLS1CRUdJTi'.repeat(MILLION / 10)],
  ['white space before', ' '.repeat(MILLION)],
  ['beginnings of a JWT', 'eyJ'.repeat(MILLION / 3)],
  ['beginnings of a JWT in parts', 'eyJa.'.repeat(MILLION / 5)],
  ['beginnings of a JWT in words', 'eyJa.eyJb '.repeat(MILLION / 10)],
  ['a JWT without an end', `eyJa.eyJb.${'-'.repeat(MILLION)}.${'.'.repeat(MILLION)}`],
  ['bearers', 'bearer '.repeat(MILLION / 7)],
  ['a bearer of nothing', `bearer${' '.repeat(MILLION)}`],
  ['a bearer of letters', `bearer ${'a'.repeat(MILLION)}`],
  ['bearers without a gap', 'bearer'.repeat(MILLION / 6)],
  ['basics', 'basic '.repeat(MILLION / 6)],
  ['a basic of nothing', `basic${' '.repeat(MILLION)}`],
  ['a basic of letters', `basic ${'a'.repeat(MILLION)}`],
  ['beginnings of a URL', 'a://'.repeat(MILLION / 4)],
  ['a scheme without an end', 'a.'.repeat(MILLION / 2)],
  ['a URL without a user', `a://${'b'.repeat(MILLION)}`],
  ['a URL without an end of its password', `a://b:${':'.repeat(MILLION)}`],
  ['parts of a variable', 'A_'.repeat(MILLION / 2)],
  ['a variable without a value', `LD_${'A'.repeat(MILLION)}`],
];

test.each(HOSTILE)('a text of a million characters is gone through once: %s', (_, text) => {
  expect(secretsIn({ a: text, [`x${text}`]: 1 }, [])).toEqual([]);
});

test('a user and a password with many colons are gone through once', () => {
  const cost = (character: string) => {
    const credentials = Buffer.from(`${character.repeat(767)}\0`).toString('base64');
    const before = process.cpuUsage();
    expect(secretsIn(`Basic ${credentials} `.repeat(10_000), [])).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const withoutColons = cost('a');
  // About as much; to look for the password behind each colon took 50 times as long.
  expect(cost(':') / withoutColons).toBeLessThan(15);
});

test('a list of more entries than a call takes arguments is gone through', () => {
  const many: Json = Array.from({ length: MILLION }, (_, index) => (index === MILLION - 1 ? { token: 'x' } : 0));
  const found = secretsIn(many, []);
  expect(found).toEqual([{ path: [MILLION - 1, 'token'], kind: 'member' }]);
});

test('no more than 256 are listed, since each has a path', () => {
  const many: Json = Array.from({ length: 1000 }, () => ({ token: 'x' }));
  expect(secretsIn(many, ['a']).at(-1)).toEqual({ path: ['a', 255, 'token'], kind: 'member' });
});
