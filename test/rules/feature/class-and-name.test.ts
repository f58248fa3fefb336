import { rule } from '../../../src/rules/feature/class-and-name.ts';
import type { Json } from '../../../src/rules/rule.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { write } from './writes.ts';

const badClass = (value: string) =>
  [
    'warn',
    'status.class',
    `should be the namespace "kube-system" (or the domain of a third party), got "${value}"`,
  ] as const;
const badName = (value: string) =>
  ['warn', 'status.name', `should be the name "fastlane", in whatever case, got "${value}"`] as const;

const legal = (member: string, values: readonly (Json | undefined)[]): RuleCase[] =>
  values.map((value) =>
    write(`${member} ${JSON.stringify(value)}`, { [member]: 'something-else' }, { [member]: value }),
  );

const oddClasses = [
  'vendor-system',
  'kube-systems',
  'Kube-System',
  '',
  ' kube-system',
  'a third party',
  'kube system.example',
  '.example',
  'vendor..example',
  'vendor.example.',
  '.',
  '-vendor.example',
  `${'d'.repeat(64)}.example`,
];
const oddNames = ['', 'fast-lane', 'FastLanes', 'fastlane ', 'kube-system/fastlane', 'fastlan\u00e9'];

const denied: DenyCase[] = [
  ...oddClasses.map((value) => {
    const shown = value.length > 64 ? `${value.slice(0, 63)}…` : value;
    return { ...write(`class ${JSON.stringify(value)}`, {}, { class: value }), findings: [badClass(shown)] };
  }),
  ...oddNames.map((value) => ({
    ...write(`name ${JSON.stringify(value)}`, {}, { name: value }),
    findings: [badName(value)],
  })),
];

testRule(rule, feature, {
  allow: [
    ...legal('class', ['kube-system', undefined, null, 7, ['x'], { a: 'x' }, true]),
    ...legal('class', [
      'vendor.example',
      'Features.Vendor.Example',
      `${'d'.repeat(63)}.example`,
      '7.example',
      'a.b.c.d',
    ]),
    ...legal('name', ['fastlane', 'FastLane', 'FASTLANE', undefined, null, 7, ['x'], false]),
    write('both were wrong before and stay', { class: 'vendor', name: 'other' }, { stability: 'GA' }),
    write('the whole status goes', {}, {}, { set: { '/status': undefined } }),
  ],
  deny: [
    ...denied,
    { ...write('both', {}, { class: 'vendor', name: 'other' }), findings: [badClass('vendor'), badName('other')] },
    {
      ...write('the first status', {}, {}, { old: { '/status': null }, set: { '/status': { class: 'x' } } }),
      findings: [badClass('x')],
    },
  ],
});
