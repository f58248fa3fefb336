import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/conditions.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../../../support/rule-tester.ts';

const condition = (type: string): JsonObject => ({
  type,
  status: 'True',
  lastTransitionTime: '2026-05-08T07:56:55Z',
  reason: 'AsExpected',
  message: '',
});
const joined = condition('Joined');
/** A write of the status with these conditions. */
const report = (...conditions: Json[]): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  subresource: 'status',
  old: {},
  set: { '/status/conditions': conditions },
});
/** … with one condition that differs from a good one in one member. */
const having = (member: string, value: Json | undefined) => report(tweaked(joined, { [`/${member}`]: value }));
type Row = Pick<DenyCase, 'findings'>;
const at = (place: string, message: string): Row => ({ findings: [['deny', `status.conditions${place}`, message]] });
const missing = (place: string) =>
  at(place, 'is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime');
const type = (place: string, expected: string, found: string) => at(place, `must be ${expected}, got ${found}`);
const unquoted = (member: string, found: string) =>
  at(`[0].${member}`, `must be a string, got ${found}; put it in quotes`);
const pattern = (member: string, shown: string) =>
  at(
    `[0].${member}`,
    `contains a character that is not allowed, got ${shown}; write a reason as one CamelCase word, and a type as a CamelCase or qualified name`,
  );
const notOne = (shown: string) => at('[0].status', `must be one of True, False, Unknown, got ${shown}`);
const time = (shown: string) =>
  at('[0].lastTransitionTime', `must be an RFC 3339 time such as 2026-01-31T12:00:00Z, got ${shown}`);
const long = (member: string, limit: number) => at(`[0].${member}`, `must be at most ${limit} characters, got more`);
const twice = (index: number, name: string) =>
  at(`[${index}].type`, `the condition type "${name}" is listed twice; keep one`);

testRule(rule, inventory, {
  allow: [
    { name: 'the predefined types', ...report(joined, condition('ControlPlaneHealthy'), condition('AllNodesHealthy')) },
    {
      name: 'every status',
      ...report(...['True', 'False', 'Unknown'].map((status) => ({ ...condition(`A${status}`), status }))),
    },
    { name: 'no status', subresource: 'status', old: {}, set: { '/status': undefined } },
    { name: 'null for the list', subresource: 'status', old: {}, set: { '/status/conditions': null } },
    { name: 'a reason of 1024', ...having('reason', 'R'.repeat(1024)) },
    { name: 'a ClusterProfile', base: profile, ...report(joined) },
  ],
  deny: [
    { name: 'the KEP’s own example: no reason', ...having('reason', undefined), ...missing('[0].reason') },
    {
      name: 'the KEP’s own example: a boolean status',
      ...having('status', true),
      ...at('[0].status', 'must be "True", "False" or "Unknown" as a string, got a boolean; quote it: status: "True"'),
    },
    {
      name: 'the KEP’s own example: both',
      ...report({ ...joined, status: true, reason: null }),
      findings: [
        [
          'deny',
          'status.conditions[0].status',
          'must be "True", "False" or "Unknown" as a string, got a boolean; quote it: status: "True"',
        ],
        [
          'deny',
          'status.conditions[0].reason',
          'is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime',
        ],
      ],
    },
    ...['type', 'status', 'message', 'lastTransitionTime'].map((member) => ({
      name: `no ${member}`,
      ...having(member, undefined),
      ...missing(`[0].${member}`),
    })),
    {
      name: 'an empty reason',
      ...having('reason', ''),
      ...at('[0].reason', 'must not be empty; a metav1.Condition has a reason, one CamelCase word, and a type'),
    },
    { name: 'a reason of two words', ...having('reason', 'As expected'), ...pattern('reason', '"As expected"') },
    { name: 'a reason of 1025', ...having('reason', 'R'.repeat(1025)), ...long('reason', 1024) },
    { name: 'a type of a number', ...having('type', 5), ...unquoted('type', 'a number') },
    { name: 'no time at all', ...having('lastTransitionTime', 'yesterday'), ...time('"yesterday"') },
    { name: 'one type twice', ...report(joined, { ...joined, status: 'False' }), ...twice(1, 'Joined') },
    {
      name: 'one type thrice',
      ...report(joined, condition('A'), joined, joined),
      findings: [...(twice(2, 'Joined').findings ?? []), ...(twice(3, 'Joined').findings ?? [])],
    },
    {
      name: 'one type twice, first without a reason',
      ...report(tweaked(joined, { '/reason': undefined }), joined),
      findings: [...(missing('[0].reason').findings ?? []), ...(twice(1, 'Joined').findings ?? [])],
    },
    {
      name: 'a second condition of a type whose stored one has no reason',
      ...report(tweaked(joined, { '/reason': undefined }), joined),
      old: { '/status/conditions': [tweaked(joined, { '/reason': undefined })] },
      ...twice(1, 'Joined'),
    },
    {
      name: 'two conditions without a type',
      ...report(tweaked(joined, { '/type': undefined }), tweaked(joined, { '/type': null })),
      findings: [...(missing('[0].type').findings ?? []), ...(missing('[1].type').findings ?? [])],
    },
    { name: 'null for one of them', ...report(joined, null), ...type('[1]', 'an object', 'null') },
    {
      name: 'an object for the list',
      subresource: 'status',
      old: {},
      set: { '/status/conditions': { Joined: 'True' } },
      ...type('', 'a list', 'an object'),
    },
    { name: 'a ClusterProfile', base: profile, ...having('status', 'Maybe'), ...notOne('"Maybe"') },
  ],
});
