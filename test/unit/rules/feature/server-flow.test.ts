import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/feature/server-flow.ts';
import type { Principal } from '../../../../src/rules/rule.ts';
import { feature, OWNER } from '../../../support/bases.ts';
import { finds, type RuleCase, testRule } from '../../../support/rule-tester.ts';
import { DISABLED, ENABLED, type Members, write } from './writes.ts';

const lifecycle = (user = 'kubelet-1') =>
  finds(
    'metadata.name',
    `only the server flow creates and deletes features here, not "${user}"; leave it to the server flow, or add the user to features.serverFlow`,
  );
const status = (member: string) =>
  finds(
    `status.${member}`,
    `only the server flow writes status.${member} here, not "kubelet-1"; a client may write status.uses only`,
  );
const OWNED = finds(
  'metadata.ownerReferences',
  'deleting an owner deletes the feature, which only the server flow may do here, not "kubelet-1"; leave the ownerReferences unchanged or remove all of them, or add the user to features.serverFlow',
);
const SECOND = { ...OWNER, name: 'other', uid: '2' };
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
const ELSEWHERE = 'system:serviceaccount:other:features';

const client = (name: string, stored: Members, written: Members, more: Partial<RuleCase> = {}) =>
  write(name, stored, written, { ...CLIENT, ...more });
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
    write('disabled without the setting: anyone writes', {}, { state: 'TurningOn' }, { user: null }),
    { name: 'an empty list names nobody', user: null, settings: { features: { serverFlow: [] } } },
    { name: 'the server deletes', ...SERVER, operation: 'DELETE' },
    { name: 'a server by its group', settings, user: 'a', groups: ['system:masters', 'servers'] },
    write('the server writes all', {}, turning, SERVER),
    client('null for what was absent', { useEvaluationTime: undefined }, { useEvaluationTime: null, later: null }),
    client('no list of tasks for an empty one', { transitionTasks: [] }, { transitionTasks: undefined }),
    client('an empty list of tasks for none', { transitionTasks: undefined }, { transitionTasks: [] }),
    client('the same time in another zone', turning, { ...turning, useEvaluationTime: '2026-06-01T15:00:00+02:00' }),
    client('a client reports first, before any status', {}, { uses: [DISABLED] }, { old: { '/status': undefined } }),
    { name: 'a client labels', ...CLIENT, old: {}, set: { '/metadata/labels': { a: 'b' } } },
    write('unknown who, and only uses', {}, { uses: [ENABLED] }, UNKNOWN),
    owned('both owners are removed', [OWNER, SECOND], undefined),
    owned('the server adds an owner', undefined, [OWNER], SERVER),
    owned('an owner where nobody runs the server flow', undefined, [OWNER], {
      user: 'kubelet-1',
      settings: { features: { serverFlow: [flow('vendor-system', { user: 'me' })] } },
    }),
  ],
  deny: [
    { name: 'a client creates', ...CLIENT, ...lifecycle() },
    {
      name: 'a client creates with an owner',
      ...CLIENT,
      set: { '/metadata/ownerReferences': [OWNER] },
      ...lifecycle(),
    },
    ...[
      owned('the first owner', undefined, [OWNER]),
      owned('one of two owners is removed', [OWNER, SECOND], [SECOND]),
    ].map((row) => ({ ...row, ...OWNED })),
    { ...owned('unknown who adds an owner', undefined, [OWNER], UNKNOWN), unknown: 'indeterminate' },
    { name: 'a client deletes', ...CLIENT, operation: 'DELETE', old: {}, ...lifecycle() },
    { name: 'a user called as the group', settings, user: 'servers', ...lifecycle('servers') },
    { name: 'a group called as the user', settings, user: 'a', groups: ['system:apiserver'], ...lifecycle('a') },
    { name: 'the account of another namespace', settings, user: ELSEWHERE, ...lifecycle(ELSEWHERE) },
    { name: 'a user in another case', settings, user: 'System:Apiserver', ...lifecycle('System:Apiserver') },
    ...(
      [
        [
          'the server of another namespace',
          [flow('vendor-system', { user: 'you' }), flow('kube-system', { user: 'me' })],
        ],
        ['an entry that names nobody', [flow('kube-system')]],
      ] as const
    ).map(([name, serverFlow]) => ({ name, user: 'you', settings: { features: { serverFlow } }, ...lifecycle('you') })),
    ...writes.flatMap(([member, written]) => [
      { ...client(`a client writes ${member}`, turning, written), ...status(member) },
      {
        ...client(`a client writes ${member} with a use`, turning, { uses: [ENABLED], ...written }),
        ...status(member),
      },
    ]),
    { ...client('a client takes the state away', turning, { state: undefined }), ...status('state') },
    { ...client('a client makes the time null', turning, { useEvaluationTime: null }), ...status('useEvaluationTime') },
    { ...client('two members: the first', turning, { state: 'TurningOff', version: '1.41.0' }), ...status('version') },
    { ...client('a client takes the status away', turning, {}, { set: { '/status': undefined } }), ...status('class') },
    { ...client('a client makes the status a list', turning, {}, { set: { '/status': [] } }), ...status('class') },
    { ...client('the first status', {}, { state: 'Off' }, { old: { '/status': null } }), ...status('state') },
    { ...client('a state that was broken before', { state: 'x' }, { state: 'y' }), ...status('state') },
    { name: 'unknown who deletes', ...UNKNOWN, operation: 'DELETE', unknown: 'indeterminate' },
    { ...write('unknown who writes', {}, { state: 'TurningOn' }, UNKNOWN), unknown: 'indeterminate' },
  ],
});
