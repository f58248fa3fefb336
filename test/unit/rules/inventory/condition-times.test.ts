import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/condition-times.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { inventory, profile } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const T0 = '2026-06-01T10:00:00Z';
const T1 = '2026-06-01T11:00:00Z';

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
  `should not change, since the status of "${type}" is still "${status}", got "${time}"; keep the stored time`,
];
const finds = (...findings: Found[]): Pick<DenyCase, 'findings'> => ({ findings });

const J0 = condition('Joined', 'True', T0);
const C0 = condition('ControlPlaneHealthy', 'True', T0);

testRule(rule, inventory, {
  allow: [
    { name: 'reason and message change, and the time stays', ...write([J0], [{ ...J0, reason: 'X', message: 'y' }]) },
    { name: 'observedGeneration changes', ...write([J0], [{ ...J0, observedGeneration: 7 }]) },
    { name: 'the first conditions', ...write(undefined, [J0]) },
    { name: 'the status goes', subresource: 'status', old: { '/status/conditions': [J0] }, set: { '/status': null } },
    { name: 'reordered, and one changes', ...write([J0, C0], [C0, condition('Joined', 'False', T1)]) },
    { name: 'a stored time that is missing', ...from('True', null, 'True', T1) },
    { name: 'a time that cannot be read, which inventory/conditions refuses', ...from('True', T0, 'True', 'now') },
    {
      name: 'a status taken away that was null',
      ...write([condition('Joined', null, T0)], [{ type: 'Joined', lastTransitionTime: T0 }]),
    },
  ],
  deny: [
    { name: 'a status stays and its time moves', ...from('True', T0, 'True', T1), ...finds(moved('True')) },
    {
      name: 'beside a new type and one that stays',
      ...write([J0, C0], [condition('AllNodesHealthy', 'True', T1), C0, condition('Joined', 'False', T0)]),
      ...finds(kept('False', T0, { index: 2 })),
    },
    {
      name: 'a status that was missing',
      ...write([{ type: 'Joined', lastTransitionTime: T0 }], [J0]),
      ...finds(kept('True')),
    },
    { name: 'a ClusterProfile', base: profile, ...from('True', T0, 'False', T0), ...finds(kept('False')) },
  ],
});
