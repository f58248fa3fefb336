import { rule } from '../../../src/rules/inventory/conditions.ts';
import type { Action, Json, JsonObject } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule, tweaked } from '../rule-tester.ts';

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
const at = (place: string, message: string, action: Action = 'deny'): Row => ({
  findings: [[action, `status.conditions${place}`, message]],
});
const missing = (place: string) =>
  at(place, 'is missing; a metav1.Condition has type, status, reason, message and lastTransitionTime');
const type = (place: string, expected: string, found: string) => at(place, `must be ${expected}, got ${found}`);
const unquoted = (member: string, found: string) =>
  at(`[0].${member}`, `must be a string, got ${found}; put it in quotes`);
const pattern = (member: string, shown: string) =>
  at(
    `[0].${member}`,
    `has a character that does not belong there, got ${shown}; a reason is one CamelCase word, a type a CamelCase or qualified name`,
  );
const notOne = (shown: string, action?: Action) =>
  at('[0].status', `must be one of True, False, Unknown, got ${shown}`, action);
const time = (shown: string) =>
  at('[0].lastTransitionTime', `must be an RFC 3339 time such as 2026-01-31T12:00:00Z, got ${shown}`);
const long = (member: string, limit: number) => at(`[0].${member}`, `must be at most ${limit} characters, got more`);
const twice = (index: number, name: string) =>
  at(`[${index}].type`, `the condition type "${name}" stands in the list twice; keep one`);
const bad = { ...joined, status: 'Maybe' };

testRule(rule, inventory, {
  allow: [
    { name: 'the predefined types', ...report(joined, condition('ControlPlaneHealthy'), condition('AllNodesHealthy')) },
    { name: 'a type nobody knows', ...report(condition('CertificatesFresh')) },
    { name: 'a qualified type', ...report(condition('fleet.example.org/Cert.fresh_1-x')) },
    {
      name: 'every status',
      ...report(...['True', 'False', 'Unknown'].map((status) => ({ ...condition(`A${status}`), status }))),
    },
    { name: 'no conditions', ...report() },
    { name: 'conditions that are null', subresource: 'status', old: {}, set: { '/status/conditions': null } },
    { name: 'no status', subresource: 'status', old: {}, set: { '/status': undefined } },
    { name: 'a status that is text', subresource: 'status', old: {}, set: { '/status': 'fine' } },
    { name: 'an observed generation', ...having('observedGeneration', 0) },
    { name: 'an observed generation that is null', ...having('observedGeneration', null) },
    { name: 'a time with a zone', ...having('lastTransitionTime', '2026-05-08T09:56:55.123+02:00') },
    { name: 'a reason of one letter', ...having('reason', 'R') },
    { name: 'a reason with every kind of character', ...having('reason', 'A_1,b:C_') },
    { name: 'a reason of 1024', ...having('reason', 'R'.repeat(1024)) },
    { name: 'a type of 316', ...having('type', 'T'.repeat(316)) },
    { name: 'a message of 32768', ...having('message', '🚀'.repeat(32_768)) },
    { name: 'members of a later version', ...having('severity', 'Info') },
    { name: 'a ClusterProfile', base: profile, ...report(joined) },
    { name: 'an older bad one left alone', ...report(bad), old: { '/status/conditions': [bad] } },
    { name: 'an older bad one moved', ...report(condition('A'), bad), old: { '/status/conditions': [bad] } },
    { name: 'an older bad one mended', ...report(joined), old: { '/status/conditions': [bad] } },
    { name: 'an older pair left alone', ...report(joined, joined), old: { '/status/conditions': [joined, joined] } },
    { name: 'the main resource', old: {}, set: { '/status/conditions': [bad] } },
    { name: 'a creation', set: { '/status/conditions': [bad] } },
    { name: 'a deletion', operation: 'DELETE', old: { '/status/conditions': [bad] } },
    { name: 'switched off', ...report(bad), actions: { 'inventory/conditions': 'ignore' } },
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
        ['deny', 'status.conditions[0].reason', 'must be a string, got null'],
      ],
    },
    ...['type', 'status', 'message', 'lastTransitionTime'].map((member) => ({
      name: `no ${member}`,
      ...having(member, undefined),
      ...missing(`[0].${member}`),
    })),
    { name: 'a status nobody knows', ...having('status', 'Maybe'), ...notOne('"Maybe"') },
    { name: 'a status in lower case', ...having('status', 'true'), ...notOne('"true"') },
    { name: 'an empty status', ...having('status', ''), ...notOne('""') },
    { name: 'a status of a number', ...having('status', 1), ...notOne('1') },
    {
      name: 'an empty reason',
      ...having('reason', ''),
      ...at('[0].reason', 'must not be empty; a metav1.Condition has a reason, one CamelCase word, and a type'),
    },
    { name: 'a reason of two words', ...having('reason', 'As expected'), ...pattern('reason', '"As expected"') },
    { name: 'a reason that begins with a digit', ...having('reason', '1st'), ...pattern('reason', '"1st"') },
    { name: 'a reason that ends with a colon', ...having('reason', 'A:'), ...pattern('reason', '"A:"') },
    { name: 'a reason of 1025', ...having('reason', 'R'.repeat(1025)), ...long('reason', 1024) },
    { name: 'an empty type', ...having('type', ''), ...pattern('type', '""') },
    { name: 'a type with a space', ...having('type', 'Not ready'), ...pattern('type', '"Not ready"') },
    { name: 'a type with two slashes', ...having('type', 'a/b/C'), ...pattern('type', '"a/b/C"') },
    { name: 'a type of 317', ...having('type', 'T'.repeat(317)), ...long('type', 316) },
    { name: 'a type of a number', ...having('type', 5), ...unquoted('type', 'a number') },
    { name: 'a type of a boolean', ...having('type', true), ...unquoted('type', 'a boolean') },
    { name: 'a message of a boolean', ...having('message', false), ...unquoted('message', 'a boolean') },
    { name: 'a message of a list', ...having('message', []), ...type('[0].message', 'a string', 'a list') },
    { name: 'a message of 32769', ...having('message', 'm'.repeat(32_769)), ...long('message', 32_768) },
    { name: 'no time at all', ...having('lastTransitionTime', 'yesterday'), ...time('"yesterday"') },
    {
      name: 'a time without a zone',
      ...having('lastTransitionTime', '2026-05-08T07:56:55'),
      ...time('"2026-05-08T07:56:55"'),
    },
    { name: 'an empty time', ...having('lastTransitionTime', ''), ...time('""') },
    {
      name: 'a negative generation',
      ...having('observedGeneration', -1),
      ...at('[0].observedGeneration', 'must be 0 or more, got -1'),
    },
    {
      name: 'a generation of a half',
      ...having('observedGeneration', 0.5),
      ...type('[0].observedGeneration', 'an integer', 'a number'),
    },
    {
      name: 'a generation of text',
      ...having('observedGeneration', '3'),
      ...type('[0].observedGeneration', 'an integer', 'a string'),
    },
    { name: 'one type twice', ...report(joined, { ...joined, status: 'False' }), ...twice(1, 'Joined') },
    {
      name: 'one type thrice',
      ...report(joined, condition('A'), joined, joined),
      findings: [...(twice(2, 'Joined').findings ?? []), ...(twice(3, 'Joined').findings ?? [])],
    },
    {
      name: 'a third beside an older pair',
      ...report(joined, joined, joined),
      old: { '/status/conditions': [joined, joined] },
      ...twice(2, 'Joined'),
    },
    {
      name: 'an object for the list',
      subresource: 'status',
      old: {},
      set: { '/status/conditions': { Joined: 'True' } },
      ...type('', 'a list', 'an object'),
    },
    {
      name: 'a text for the list',
      subresource: 'status',
      old: {},
      set: { '/status/conditions': 'Joined' },
      ...type('', 'a list', 'a string'),
    },
    { name: 'null in the list', ...report(joined, null), ...type('[1]', 'an object', 'null') },
    { name: 'a text in the list', ...report('Joined'), ...type('[0]', 'an object', 'a string') },
    { name: 'a list in the list', ...report([joined]), ...type('[0]', 'an object', 'a list') },
    {
      name: 'an older bad one made another',
      ...having('status', 'Perhaps'),
      old: { '/status/conditions': [bad] },
      ...notOne('"Perhaps"'),
    },
    { name: 'a ClusterProfile', base: profile, ...having('status', 'Maybe'), ...notOne('"Maybe"') },
    { name: 'a ClusterProfile in v1alpha1', base: profileAlpha, ...having('status', 'Maybe'), ...notOne('"Maybe"') },
    { name: 'a dry run', dryRun: true, user: null, ...having('status', 'Maybe'), ...notOne('"Maybe"') },
    { name: 'a warning in a first rollout', mode: 'warn', ...having('status', 'Maybe'), ...notOne('"Maybe"', 'warn') },
  ],
});
