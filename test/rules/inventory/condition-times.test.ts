import { rule } from '../../../src/rules/inventory/condition-times.ts';
import type { Action, Json, JsonObject } from '../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';

const T0 = '2026-06-01T10:00:00Z';
const T1 = '2026-06-01T11:00:00Z';
const ID = 'inventory/condition-times';

const condition = (type: Json, status: Json, lastTransitionTime: Json, more: JsonObject = {}): JsonObject => ({
  type,
  status,
  reason: 'Probe',
  message: '',
  lastTransitionTime,
  ...more,
});
const write = (before: Json | undefined, after: Json | undefined): Pick<RuleCase, 'subresource' | 'old' | 'set'> => ({
  subresource: 'status',
  old: { '/status/conditions': before },
  set: { '/status/conditions': after },
});
/** One condition, before and after. */
const from = (status: Json, time: Json, toStatus: Json, toTime: Json) =>
  write([condition('Joined', status, time)], [condition('Joined', toStatus, toTime)]);

type Found = readonly [Action, string, string];
const at = (index: number): string => `status.conditions[${index}].lastTransitionTime`;
const kept = (status: string, time = T0, { index = 0, type = 'Joined', action = 'warn' as Action } = {}): Found => [
  action,
  at(index),
  `should be a new time, since the status of "${type}" changes to "${status}", got "${time}"; set it to the time of the change`,
];
const moved = (status: string, time = T1, { index = 0, type = 'Joined', action = 'warn' as Action } = {}): Found => [
  action,
  at(index),
  `should stay as stored, since the status of "${type}" stays "${status}", got "${time}"; keep the time of the last change`,
];
const finds = (...findings: Found[]): Pick<DenyCase, 'findings'> => ({ findings });

const J0 = condition('Joined', 'True', T0);
const C0 = condition('ControlPlaneHealthy', 'True', T0);

testRule(rule, inventory, {
  allow: [
    { name: 'nothing changes', ...from('True', T0, 'True', T0) },
    { name: 'a status changes at a new time', ...from('True', T0, 'False', T1) },
    { name: 'a status changes at an earlier time, which is new as well', ...from('True', T1, 'Unknown', T0) },
    { name: 'reason and message change, and the time stays', ...write([J0], [{ ...J0, reason: 'X', message: 'y' }]) },
    { name: 'observedGeneration changes', ...write([J0], [{ ...J0, observedGeneration: 7 }]) },
    { name: 'the same moment in another zone', ...from('True', T0, 'True', '2026-06-01T12:00:00+02:00') },
    { name: 'the same moment with a fraction of none', ...from('True', T0, 'True', '2026-06-01T10:00:00.000Z') },
    { name: 'the first conditions', ...write(undefined, [J0]) },
    { name: 'conditions after null', ...write(null, [J0]) },
    { name: 'conditions after none', ...write([], [J0]) },
    { name: 'all conditions go', ...write([J0], []) },
    { name: 'the list goes', ...write([J0], undefined) },
    { name: 'the status goes', subresource: 'status', old: { '/status/conditions': [J0] }, set: { '/status': null } },
    { name: 'a new type beside a stored one', ...write([J0], [J0, C0]) },
    { name: 'a type that replaces another', ...write([J0], [condition('AllNodesHealthy', 'True', T1)]) },
    { name: 'a type of another case is another', ...write([J0], [condition('joined', 'True', T1)]) },
    { name: 'reordered', ...write([J0, C0], [C0, J0]) },
    { name: 'reordered, and one changes', ...write([J0, C0], [C0, condition('Joined', 'False', T1)]) },
    { name: 'a stored time that cannot be read', ...from('True', 'yesterday', 'True', T1) },
    { name: 'a stored time that is missing', ...from('True', null, 'True', T1) },
    { name: 'a time that cannot be read, which inventory/conditions refuses', ...from('True', T0, 'True', 'now') },
    { name: 'a time that is a number, likewise', ...from('True', T0, 'False', 7) },
    { name: 'a time that is taken away, likewise', ...from('True', T0, 'False', null) },
    { name: 'a type that is no text, likewise', ...write([condition(7, 'True', T0)], [condition(7, 'True', T1)]) },
    {
      name: 'no type at all, likewise',
      ...write([condition(null, 'True', T0)], [condition(null, 'True', T1)]),
    },
    { name: 'no type beside a stored empty one', ...write([condition('', 'True', T0)], [condition(7, 'True', T1)]) },
    { name: 'a text in the stored list', ...write(['Joined'], [J0]) },
    { name: 'a null in the list', ...write([J0], [null, J0]) },
    { name: 'a text for the list', ...write([J0], 'Joined') },
    { name: 'a stored text for the list', ...write('Joined', [J0]) },
    { name: 'a status that is null for one that was missing', ...from(null, T0, null, T0) },
    {
      name: 'a status taken away that was null',
      ...write([condition('Joined', null, T0)], [{ type: 'Joined', lastTransitionTime: T0 }]),
    },
    { name: 'a type that prototypes have', ...write([J0], [condition('constructor', 'True', T1)]) },
    {
      name: 'two stored ones of a type left alone',
      ...write([J0, condition('Joined', 'False', T1)], [J0, condition('Joined', 'False', T1)]),
    },
    {
      name: 'two stored ones of a type: which is the one before is not known',
      ...write([J0, condition('Joined', 'False', T1)], [condition('Joined', 'False', T0)]),
    },
    {
      name: 'two stored ones of a type, one left',
      ...write([J0, condition('Joined', 'False', T1)], [J0]),
    },
    {
      name: 'the main resource, whose status the API server drops',
      old: { '/status/conditions': [J0] },
      set: { '/status/conditions': [condition('Joined', 'True', T1)] },
    },
    { name: 'a creation', set: { '/status/conditions': [J0] } },
    { name: 'a deletion', operation: 'DELETE', old: { '/status/conditions': [J0] } },
    { name: 'switched off', ...from('True', T0, 'True', T1), actions: { [ID]: 'ignore' } },
  ],
  deny: [
    { name: 'a status changes and its time stays', ...from('True', T0, 'False', T0), ...finds(kept('False')) },
    { name: 'a status becomes unknown', ...from('False', T0, 'Unknown', T0), ...finds(kept('Unknown')) },
    {
      name: 'a status changes, its time is the same moment in another zone',
      ...from('True', T0, 'False', '2026-06-01T12:00:00+02:00'),
      ...finds(kept('False', '2026-06-01T12:00:00+02:00')),
    },
    { name: 'a status stays and its time moves', ...from('True', T0, 'True', T1), ...finds(moved('True')) },
    { name: 'a status stays and its time moves back', ...from('True', T1, 'True', T0), ...finds(moved('True', T0)) },
    {
      name: 'a status stays and its time moves by half a second',
      ...from('True', T0, 'True', '2026-06-01T10:00:00.5Z'),
      ...finds(moved('True', '2026-06-01T10:00:00.5Z')),
    },
    {
      name: 'a type of nobody knows whom',
      ...write([condition('X', 'True', T0)], [condition('X', 'True', T1)]),
      ...finds(moved('True', T1, { type: 'X' })),
    },
    {
      name: 'reordered, and each wrong',
      ...write([J0, C0], [condition('ControlPlaneHealthy', 'True', T1), condition('Joined', 'False', T0)]),
      ...finds(moved('True', T1, { type: 'ControlPlaneHealthy' }), kept('False', T0, { index: 1 })),
    },
    {
      name: 'beside a new type and one that stays',
      ...write([J0, C0], [condition('AllNodesHealthy', 'True', T1), C0, condition('Joined', 'False', T0)]),
      ...finds(kept('False', T0, { index: 2 })),
    },
    {
      name: 'a second one of its type is told by the first stored one, too',
      ...write([J0], [J0, condition('Joined', 'True', T1)]),
      ...finds(moved('True', T1, { index: 1 })),
    },
    {
      name: 'a status that was missing',
      ...write([{ type: 'Joined', lastTransitionTime: T0 }], [J0]),
      ...finds(kept('True')),
    },
    { name: 'a ClusterProfile', base: profile, ...from('True', T0, 'False', T0), ...finds(kept('False')) },
    {
      name: 'a ClusterProfile in v1alpha1',
      base: profileAlpha,
      ...from('True', T0, 'True', T1),
      ...finds(moved('True')),
    },
    {
      name: 'a warning where configured to deny: health reports must not freeze',
      ...from('True', T0, 'True', T1),
      actions: { [ID]: 'deny' },
      ...finds(moved('True')),
    },
    {
      name: 'a record where configured',
      ...from('True', T0, 'False', T0),
      actions: { [ID]: 'audit' },
      ...finds(kept('False', T0, { action: 'audit' })),
    },
    { name: 'a dry run', dryRun: true, user: null, ...from('True', T0, 'False', T0), ...finds(kept('False')) },
  ],
});
