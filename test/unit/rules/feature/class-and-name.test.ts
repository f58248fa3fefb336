import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/feature/class-and-name.ts';
import { feature } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { write } from './writes.ts';

const badClass = (value: string) =>
  finds(
    'status.class',
    `should be the namespace "kube-system" (or the domain of a third party), got "${value}"`,
    'warn',
  );
const badName = (value: string) =>
  finds('status.name', `should be the name "fastlane" (upper or lower case), got "${value}"`, 'warn');

const legal = (member: string, values: readonly (Json | undefined)[]): RuleCase[] =>
  values.map((value) =>
    write(`${member} ${JSON.stringify(value)}`, { [member]: 'something-else' }, { [member]: value }),
  );

const LONG = 'd'.repeat(64);
const oddClasses = ['vendor-system', 'kube-systems', 'Kube-System', '', ' kube-system', 'a third party'];
const noDomains = ['kube system.example', '.example', 'vendor..example', 'vendor.example.', '.', '-vendor.example'];
const oddNames = ['', 'fast-lane', 'FastLanes', 'fastlane ', 'kube-system/fastlane', 'fastlan\u00e9'];

testRule(rule, feature, {
  allow: [
    ...legal('class', ['kube-system', undefined, null, 7, ['x'], { a: 'x' }, true]),
    ...legal('class', [
      'vendor.example',
      'Features.Vendor.Example',
      `${LONG.slice(1)}.example`,
      '7.example',
      'a.b.c.d',
    ]),
    ...legal('name', ['fastlane', 'FastLane', 'FASTLANE', undefined, null, 7, ['x'], false]),
    write('the whole status goes', {}, {}, { set: { '/status': undefined } }),
  ],
  deny: [
    ...[...oddClasses, ...noDomains].map((value) => ({
      ...write(`class ${JSON.stringify(value)}`, {}, { class: value }),
      ...badClass(value),
    })),
    { ...write('a long class', {}, { class: `${LONG}.example` }), ...badClass(`${LONG.slice(1)}…`) },
    ...oddNames.map((value) => ({ ...write(`name "${value}"`, {}, { name: value }), ...badName(value) })),
    {
      ...write('both', {}, { class: 'vendor', name: 'other' }),
      findings: [...badClass('vendor').findings, ...badName('other').findings],
    },
    { ...write('the first status', {}, { class: 'x' }, { old: { '/status': null } }), ...badClass('x') },
  ],
});
