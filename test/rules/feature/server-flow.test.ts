import { rule } from '../../../src/rules/feature/server-flow.ts';
import type { Json, Principal } from '../../../src/rules/rule.ts';
import { feature } from '../bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../rule-tester.ts';
import { DISABLED, ENABLED, type Members, write } from './writes.ts';

const lifecycle = (user: string) =>
  [
    'deny',
    'metadata.name',
    `only the server flow creates and deletes features here, not "${user}"; leave it to the server flow, or add the user to features.serverFlow`,
  ] as const;
const status = (user: string, field: string) =>
  [
    'deny',
    field,
    `only the server flow writes ${field} here, not "${user}"; a client writes status.uses alone`,
  ] as const;

const owner = (user: string) =>
  [
    'deny',
    'metadata.ownerReferences',
    `an owner can have the feature deleted, which only the server flow may do here, not "${user}"; take the ownerReference away, or add the user to features.serverFlow`,
  ] as const;
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: '1' };
const SECOND = { ...OWNER, name: 'other', uid: '2' };
const crowd = (count: number) => Array.from({ length: count }, (_, index) => ({ ...OWNER, uid: `${index}` }));
/** An update of the main resource by a client, from these owners to those. */
const owned = (name: string, before: Json | undefined, after: Json | undefined, more: Partial<RuleCase> = CLIENT) => ({
  name,
  ...more,
  old: { '/metadata/ownerReferences': before },
  set: { '/metadata/ownerReferences': after },
});

const flow = (namespace: string, ...principals: Principal[]) => ({ namespace, principals });
const settings = {
  features: {
    serverFlow: [
      flow('kube-system', { user: 'system:apiserver' }, { group: 'servers' }, { serviceAccount: 'fleet/features' }),
    ],
  },
};
const SERVER = { settings, user: 'system:apiserver' };
const CLIENT = { settings, user: 'kubelet-1' };
const UNKNOWN = { settings, user: null };

const client = (name: string, stored: Members, written: Members, more: Partial<RuleCase> = {}) =>
  write(name, stored, written, { ...CLIENT, ...more });
const by = (row: RuleCase, ...findings: NonNullable<DenyCase['findings']>[number][]): DenyCase => ({
  ...row,
  findings,
});

const turning: Members = {
  state: 'TurningOn',
  transitionTasks: ['A', 'WaitForUses'],
  useEvaluationTime: '2026-06-01T13:00:00Z',
};
/** A write of each member beside uses. */
const writes: readonly (readonly [string, Members])[] = [
  ['class', { class: 'vendor.example' }],
  ['name', { name: 'Fastlane' }],
  ['stability', { stability: 'GA' }],
  ['version', { version: '1.41.0' }],
  ['default', { default: 'Enabled' }],
  ['source', { source: 'Default' }],
  ['state', { state: 'TurningOff' }],
  ['transitionTasks', { transitionTasks: ['WaitForUses'] }],
  ['useEvaluationTime', { useEvaluationTime: '2026-06-01T14:00:00Z' }],
  ['phase', { phase: 'Later' }],
];

testRule(rule, feature, {
  allow: [
    write('asleep without the setting: anyone writes', {}, { state: 'TurningOn' }, { user: null }),
    { name: 'an empty list names nobody', user: null, settings: { features: { serverFlow: [] } } },
    { name: 'the server deletes', ...SERVER, operation: 'DELETE' },
    { name: 'a server by its group', settings, user: 'a', groups: ['system:masters', 'servers'] },
    write('the server writes all', {}, turning, SERVER),
    client('null for what was absent', { useEvaluationTime: undefined }, { useEvaluationTime: null, later: null }),
    client(
      'a client reports first, before any status',
      {},
      {},
      {
        old: { '/status': undefined },
        set: { '/status': { uses: [DISABLED] } },
      },
    ),
    { name: 'a client labels', ...CLIENT, old: {}, set: { '/metadata/labels': { a: 'b' } } },
    write('unknown who, and only uses', {}, { uses: [ENABLED] }, UNKNOWN),
    owned('the owners stay', [OWNER, SECOND], [OWNER, SECOND]),
    owned('null for a member that was absent', [OWNER], [{ ...OWNER, controller: null }]),
    owned('65 owners are reordered', crowd(65), crowd(65).reverse()),
    owned('the server adds an owner', undefined, [OWNER], SERVER),
    owned('an owner where nobody runs the server flow', undefined, [OWNER], {
      user: 'kubelet-1',
      settings: { features: { serverFlow: [flow('vendor-system', { user: 'me' })] } },
    }),
  ],
  deny: [
    by({ name: 'a client creates', ...CLIENT }, lifecycle('kubelet-1')),
    by(
      { name: 'a client creates with an owner: one finding', ...CLIENT, set: { '/metadata/ownerReferences': [OWNER] } },
      lifecycle('kubelet-1'),
    ),
    by(owned('the first owner', undefined, [OWNER]), owner('kubelet-1')),
    by(owned('an owner after null', null, [OWNER]), owner('kubelet-1')),
    by(owned('one more owner', [OWNER], [OWNER, SECOND]), owner('kubelet-1')),
    by(owned('an owner in place of another', [OWNER], [SECOND]), owner('kubelet-1')),
    by(owned('an owner with another uid', [OWNER], [{ ...OWNER, uid: '3' }]), owner('kubelet-1')),
    by(owned('an owner that blocks', [OWNER], [{ ...OWNER, blockOwnerDeletion: true }]), owner('kubelet-1')),
    by(owned('an owner among 65', crowd(65), [...crowd(64), SECOND]), owner('kubelet-1')),
    by(
      {
        ...owned('an owner beside a label', undefined, [OWNER]),
        set: {
          '/metadata': { name: 'fastlane', namespace: 'kube-system', labels: { a: 'b' }, ownerReferences: [OWNER] },
        },
      },
      owner('kubelet-1'),
    ),
    { ...owned('unknown who adds an owner', undefined, [OWNER], UNKNOWN), unknown: 'indeterminate' },
    by({ name: 'a client deletes', ...CLIENT, operation: 'DELETE', old: {} }, lifecycle('kubelet-1')),
    by({ name: 'a user called as the group', settings, user: 'servers' }, lifecycle('servers')),
    by({ name: 'a group called as the user', settings, user: 'a', groups: ['system:apiserver'] }, lifecycle('a')),
    by(
      { name: 'the account of another namespace', settings, user: 'system:serviceaccount:other:features' },
      lifecycle('system:serviceaccount:other:features'),
    ),
    by({ name: 'a user in another case', settings, user: 'System:Apiserver' }, lifecycle('System:Apiserver')),
    by(
      {
        name: 'the server of another namespace',
        user: 'you',
        settings: {
          features: { serverFlow: [flow('vendor-system', { user: 'you' }), flow('kube-system', { user: 'me' })] },
        },
      },
      lifecycle('you'),
    ),
    by(
      {
        name: 'an entry that names nobody',
        user: 'you',
        settings: { features: { serverFlow: [flow('kube-system')] } },
      },
      lifecycle('you'),
    ),
    by(
      {
        name: 'a client, by an entry for every namespace',
        user: 'you',
        settings: { features: { serverFlow: [flow('*')] } },
      },
      lifecycle('you'),
    ),
    ...writes.map(([member, written]) =>
      by(client(`a client writes ${member}`, turning, written), status('kubelet-1', `status.${member}`)),
    ),
    ...writes.map(([member, written]) =>
      by(
        client(`a client writes ${member} with a use`, turning, { uses: [ENABLED], ...written }),
        status('kubelet-1', `status.${member}`),
      ),
    ),
    by(client('a client takes the state away', turning, { state: undefined }), status('kubelet-1', 'status.state')),
    by(
      client('a client makes the time null', turning, { useEvaluationTime: null }),
      status('kubelet-1', 'status.useEvaluationTime'),
    ),
    by(
      client('a client writes two members: the first', turning, { state: 'TurningOff', version: '1.41.0' }),
      status('kubelet-1', 'status.version'),
    ),
    by(
      client('a client takes the status away', turning, {}, { set: { '/status': undefined } }),
      status('kubelet-1', 'status.class'),
    ),
    by(
      client('a client makes the status a list', turning, {}, { set: { '/status': [] } }),
      status('kubelet-1', 'status.class'),
    ),
    by(
      client(
        'a client writes the first status',
        {},
        {},
        { old: { '/status': null }, set: { '/status': { state: 'Off' } } },
      ),
      status('kubelet-1', 'status.state'),
    ),
    by(
      client('in another field that was broken before', { state: 'x' }, { state: 'y' }),
      status('kubelet-1', 'status.state'),
    ),
    { name: 'unknown who deletes', ...UNKNOWN, operation: 'DELETE', unknown: 'indeterminate' },
    { ...write('unknown who writes', {}, { state: 'TurningOn' }, UNKNOWN), unknown: 'indeterminate' },
  ],
});
