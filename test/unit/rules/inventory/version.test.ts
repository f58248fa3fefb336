import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/version.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { type DenyCase, finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const VERSION = '/status/version/kubernetes';
const STATUS = { subresource: 'status', old: {} } as const;
const is = (version: Json | undefined): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  ...STATUS,
  set: { [VERSION]: version },
});
const reads = (version: string): RuleCase => ({ name: `reads ${version}`, ...is(version) });
const found = (shown: string) =>
  finds('status.version.kubernetes', `should be a version, such as 1.31.2 or v1.31.2-gke.100, got ${shown}`, 'warn');
const unreadable = (version: string, shown = `"${version}"`): DenyCase => ({
  name: `cannot read ${JSON.stringify(version)}`,
  ...is(version),
  ...found(shown),
});
const unquoted = (shown: string) =>
  finds(
    'status.version.kubernetes',
    `should be a version as a string, got ${shown}; put it in quotes (YAML reads an unquoted 1.30 as 1.3)`,
    'warn',
  );
/** A version of so many characters. */
const long = (length: number): string => `1.31.2-${'x'.repeat(length - 7)}`;

testRule(rule, inventory, {
  allow: [
    ...['1.31.2', 'v1.31.2', '1.28', 'v1.28', '1.28+', '1.28.0+', '0.0.0', '1.123456789.123456789'].map(reads),
    ...['v1.27.3-gke.100', 'v1.28.3+k3s1', 'v1.29.0-alpha.1', '1.31.2-rc.0.12+4f2b', '1.21.5-eks-bc4871b'].map(reads),
    ...['v1.11.0+d4cacc0', '1.28.3~beta_1', '1.2.3.4', '1.0.0--x', 'v1.30.0-20-gabc+dirty'].map(reads),
    { name: '256 characters', ...is(long(256)) },
    { name: 'none, where there was one', ...is(undefined), old: { [VERSION]: '1.31.2' } },
    { name: 'a later version beside', ...STATUS, set: { '/status/version': { kubelet: 'latest' } } },
    { name: 'a ClusterProfile', base: profile, ...is('1.31.2') },
  ],
  deny: [
    ...['latest', '', 'v', '1', 'v1', '1.', '1.x', '1.28.x', '1.28.', '1.28.0-', '1.28..0', '.1.28'].map((version) =>
      unreadable(version),
    ),
    ...['V1.28.0', 'vv1.28', 'v 1.28', ' 1.28', '1.28 ', '1.28.0 beta', 'kubernetes 1.28', '1,28', '-1.28'].map(
      (version) => unreadable(version),
    ),
    ...['1.28.0_1', '1.28.0-a_', '1.28.0-a~', '1.28.0-a.', '1.28.0-é', '1.28.0/1', '१.२८'].map((version) =>
      unreadable(version),
    ),
    unreadable('1.28.0\n', '"1.28.0\\u000a"'),
    unreadable('1.1234567890'),
    unreadable('1234567890.1'),
    { name: '257 characters', ...is(long(257)), ...found(`"${long(257).slice(0, 63)}…"`) },
    { name: 'a number', ...is(1.28), ...unquoted('1.28') },
    { name: 'a list of one', ...is(['1.28']), ...found('a list of 1') },
    { name: 'an object', ...is({ major: 1 }), ...found('an object') },
    { name: 'a ClusterProfile', base: profile, ...is('latest'), ...found('"latest"') },
  ],
});
