import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/placement/index.ts';
import { placement } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/multicluster.x-k8s.io~1decision-index';
const FIELD = 'metadata.labels[multicluster.x-k8s.io/decision-index]';
const is = (value: Json | undefined) => ({ set: { [LABEL]: value } });
const wrong = (value: string) => ({
  name: `"${value}"`,
  ...is(value),
  ...finds(
    FIELD,
    `must be a whole number from 0, without sign or leading zeros, got "${value}"; number the slices 0, 1, 2, or remove the label`,
    'warn',
  ),
});

testRule(rule, placement, {
  allow: [
    ...['0', '7', '10', '12345678901234567890'].map((value) => ({ name: value, ...is(value) })),
    { name: 'none', ...is(undefined) },
    { name: 'what is no scalar', ...is({}) },
    { name: 'a wrong one that goes', old: { [LABEL]: 'x' }, ...is(undefined) },
  ],
  deny: [
    ...['', '-1', '-0', '+1', '00', '01', '1.0', '1e3', '0x1', ' 1', '1 ', 'first', '１'].map(wrong),
    { ...wrong('1\\u000a'), name: 'a line break', ...is('1\n') },
    {
      name: 'a number',
      ...is(5),
      ...finds(FIELD, 'must be a whole number as a string, got 5; put it in quotes', 'warn'),
    },
    { ...wrong('y'), name: 'another wrong one', old: { [LABEL]: 'x' } },
  ],
});
