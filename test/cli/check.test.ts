import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckRun, runCheck } from '../../src/cli/check/run.ts';
import { defaultPolicy } from '../../src/engine/index.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import { claim, cluster, type Folder, feature, lineOf, newFolder, property, run, yaml } from './world.ts';

let folder: Folder;
let count = 0;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

interface Input {
  readonly files?: readonly JsonObject[];
  readonly state?: readonly JsonObject[];
  readonly deleted?: readonly JsonObject[];
  readonly more?: Partial<CheckRun>;
}

const put = (objects: readonly JsonObject[]) => [folder.put(`${count++}.yaml`, yaml(...objects))];

async function check({ files, state, deleted, more }: Input) {
  const paths = { paths: files ? put(files) : [], deleted: deleted ? put(deleted) : [] };
  const { report, notes } = await runCheck(run({ ...paths, state: state && put(state), ...more }));
  return { report, notes, lines: report.results.map(lineOf) };
}

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');
const member = [id, membership];
const propertyMember = [
  property('cluster.clusterset.k8s.io', 'one', 'v1alpha1'),
  property('clusterset.k8s.io', 'fleet'),
];
const held = { ...membership, metadata: { name: 'clusterset.k8s.io', finalizers: ['example.com/leave'] } };
const released = { ...membership, metadata: { name: 'clusterset.k8s.io', finalizers: [] } };
const bare = cluster('a', { metadata: { name: 'a' } });
const mislabelled = cluster('a', { metadata: { name: 'a', labels: { 'x-k8s.io/cluster-manager': 'other' } } });
const unmanaged = cluster('a', { spec: { clusterManager: { name: '' } }, status: { version: { kubernetes: 'soon' } } });
const on = feature('a', { state: 'On', transitionTasks: [] });
const off = feature('a', { state: 'Off', transitionTasks: [] });

function review(operation: string, object: JsonObject | null, oldObject: JsonObject | null, more: JsonObject = {}) {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' };
  const request = { kind, operation, userInfo: { username: 'jane' }, object, oldObject, ...more };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

const LEFT = 'DELETE clusterset.k8s.io: allowed';
const NEW_ID = 'UPDATE id.k8s.io: allowed claim/id-stable(warn)';
const STATUS_DENIED = 'UPDATE/status kube-system/a: denied feature/transition(deny)';

const CASES: readonly (readonly [title: string, input: Input, lines: readonly unknown[]])[] = [
  [
    'an object in the state is an UPDATE, any other a CREATE',
    { files: member, state: [id] },
    ['UPDATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed'],
  ],
  [
    'a document does not see later ones',
    { files: [membership, id] },
    ['CREATE clusterset.k8s.io: allowed claim/clusterset-requires-id(warn)', 'CREATE id.k8s.io: allowed'],
  ],
  [
    'a document sees earlier ones as stored',
    { files: [...member, otherId] },
    [
      'CREATE id.k8s.io: allowed',
      'CREATE clusterset.k8s.io: allowed',
      'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset(deny)',
    ],
  ],
  [
    'a denied document is not stored',
    { files: [claim('clusterset.k8s.io', ''), id, otherId] },
    [expect.stringContaining('CREATE clusterset.k8s.io: denied'), 'CREATE id.k8s.io: allowed', NEW_ID],
  ],
  [
    'without a state a deletion is undecided',
    { deleted: [id] },
    ['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)'],
  ],
  [
    'a state of other kinds proves no absence',
    { deleted: [id], state: [cluster('a')] },
    ['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)'],
  ],
  [
    'an empty state means that nothing exists',
    { deleted: [id], state: [] },
    ['DELETE id.k8s.io: allowed claim/id-present(warn)'],
  ],
  [
    'versions of one group are the same objects',
    { files: [property('cluster.clusterset.k8s.io', 'two')], state: propertyMember },
    [expect.stringContaining('UPDATE cluster.clusterset.k8s.io: denied claim/id-immutable-in-clusterset(deny)')],
  ],
  [
    'the id of a member cannot be deleted',
    { deleted: [id], state: member },
    ['DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)'],
  ],
  [
    'deletions are in order: after the membership the id can be deleted',
    { deleted: [membership, id], state: member },
    [LEFT, 'DELETE id.k8s.io: allowed claim/id-present(warn)'],
  ],
  [
    'deletions are in order: before the membership the id cannot be deleted',
    { deleted: [id, membership], state: member },
    ['DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)', LEFT],
  ],
  [
    'deletions come before documents: leave, change the id, join again',
    { files: [otherId, claim('clusterset.k8s.io', 'other-fleet')], deleted: [membership], state: member },
    [LEFT, NEW_ID, 'CREATE clusterset.k8s.io: allowed'],
  ],
  [
    'deletions come after documents if that denies less: the older id goes once the newer exists',
    {
      files: [property('cluster.clusterset.k8s.io', 'one')],
      deleted: [property('id.k8s.io', 'one')],
      state: [property('id.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
    },
    ['CREATE cluster.clusterset.k8s.io: allowed', 'DELETE id.k8s.io: allowed'],
  ],
  [
    'a deletion evaluates the stored object, not the file',
    { deleted: [{ ...on, status: null }], state: [on] },
    ['DELETE kube-system/a: allowed feature/preserved(warn)'],
  ],
  [
    'a deleted object with finalizers still exists',
    { deleted: [held, id], state: [id, held] },
    [LEFT, 'DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)'],
  ],
  [
    'a terminating object is gone with its last finalizer',
    { files: [released, otherId], deleted: [held], state: [id, held] },
    [LEFT, 'UPDATE clusterset.k8s.io: allowed', NEW_ID],
  ],
  ['the manager label stays as stored on UPDATE', { files: [bare], state: [cluster('a')] }, ['UPDATE a: allowed']],
  [
    'a wrong manager label is not corrected',
    { files: [mislabelled] },
    ['CREATE a: denied inventory/cluster-manager-label(deny)'],
  ],
  [
    'an object with a status is evaluated twice',
    { files: [on], state: [off] },
    ['UPDATE kube-system/a: allowed', STATUS_DENIED],
  ],
  [
    'the status of a new object comes upon an object without one',
    { files: [on, off] },
    [
      'CREATE kube-system/a: allowed',
      'UPDATE/status kube-system/a: allowed',
      'UPDATE kube-system/a: allowed',
      expect.stringContaining('UPDATE/status kube-system/a: denied feature/transition(deny)'),
    ],
  ],
  [
    'a denied status leaves the stored one',
    { files: [on, off], state: [off] },
    [
      'UPDATE kube-system/a: allowed',
      STATUS_DENIED,
      'UPDATE kube-system/a: allowed',
      'UPDATE/status kube-system/a: allowed',
    ],
  ],
  [
    'a denied main write does not hide findings in the status',
    { files: [unmanaged] },
    [expect.stringContaining('CREATE a: denied'), 'UPDATE/status a: allowed inventory/version(warn)'],
  ],
  [
    '--subresource none leaves out status writes',
    { files: [on, cluster('b')], state: [off], more: { subresource: 'none' } },
    ['UPDATE kube-system/a: allowed', 'CREATE b: allowed'],
  ],
  [
    '--subresource status leaves out main writes',
    { files: [on, cluster('b')], state: [off], more: { subresource: 'status' } },
    [STATUS_DENIED],
  ],
  ['a claim has no status', { files: [{ ...id, status: { phase: 'x' } }] }, ['CREATE id.k8s.io: allowed']],
  [
    'AdmissionReviews are evaluated as requested, and later ones see them',
    {
      files: [review('DELETE', null, membership), review('UPDATE', otherId, id), review('CREATE', membership, null)],
      state: member,
    },
    [LEFT, NEW_ID, 'CREATE clusterset.k8s.io: allowed'],
  ],
  [
    'an AdmissionReview with dryRun stores nothing',
    { files: [review('DELETE', null, membership, { dryRun: true }), review('UPDATE', otherId, id)], state: member },
    [LEFT, 'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset(deny)'],
  ],
  [
    'an AdmissionReview does not make its kind known',
    { files: [review('UPDATE', otherId, id)] },
    ['UPDATE id.k8s.io: indeterminate claim/id-immutable-in-clusterset(indeterminate)'],
  ],
];

test.each(CASES)('%s', async (_title, input, lines) => {
  expect((await check(input)).lines).toEqual(lines);
});

test('a state that is only partly readable proves no absence', async () => {
  const { report } = await check({ deleted: [id], more: { state: [folder.put('broken.yaml', 'a: [1\n')] } });
  expect(report.summary).toMatchObject({ indeterminate: 1, errors: 1 });
  expect(report.results[0]?.findings[0]?.message).toContain('part of --state could not be read');
});

test('the manager label is added on CREATE, and only then with a note', async () => {
  const created = await check({ files: [bare] });
  expect(created.lines).toEqual(['CREATE a: allowed']);
  expect(created.notes).toEqual([expect.stringMatching(/:2:1: note: label x-k8s\.io\/cluster-manager added/)]);
  expect((await check({ files: [mislabelled] })).notes).toEqual([]);
  expect((await check({ files: [bare], state: [cluster('a')] })).notes).toEqual([]);
});

test('generated names are unique', async () => {
  const anonymous = cluster('', { metadata: { generateName: 'depot-' } });
  const { report } = await check({ files: [anonymous, anonymous] });
  const names = report.results.map(({ name }) => name);
  expect(names).toEqual([expect.stringMatching(/^depot-\w{5}$/), expect.stringMatching(/^depot-\w{5}$/)]);
  expect(new Set(names).size).toBe(2);
});

test('an object without a name, or with a name that is no text, is an error', async () => {
  const numbered = { ...feature('a', {}), metadata: { name: 'a', namespace: false } };
  const { report } = await check({ files: [{ ...id, metadata: {} }, { ...id, metadata: { name: 5 } }, numbered, id] });
  expect(report.errors.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 the object has no metadata.name, nor generateName',
    '4 metadata.name must be a text, got number: quote it',
    '6 metadata.namespace must be a text, got boolean: quote it',
  ]);
  expect(report.summary).toMatchObject({ judged: 1, errors: 3 });
});

test.each([
  [undefined, 'CREATE clusterset.k8s.io: indeterminate claim/clusterset-manager(indeterminate)'],
  ['jane', 'CREATE clusterset.k8s.io: allowed'],
  ['mallory', 'CREATE clusterset.k8s.io: denied claim/clusterset-manager(deny)'],
])('a rule on identity uses --as: %s', async (username, line) => {
  const claims = { allowedReservedNames: [], membershipManagers: [{ user: 'jane' }] };
  const policy = { ...defaultPolicy, settings: { ...defaultPolicy.settings, claims } };
  const identity = username === undefined ? undefined : { username, groups: [] };
  expect((await check({ files: member, more: { policy, identity } })).lines[1]).toBe(line);
});

test('AdmissionReviews without a rule are skipped, and responses are errors', async () => {
  const response = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { allowed: true } };
  const files = [review('CONNECT', id, null), review('CREATE', id, null, { subResource: 'scale' }), response];
  const { report } = await check({ files });
  expect(report.summary).toMatchObject({ judged: 0, skipped: 2, errors: 1 });
  expect(report.errors[0]).toMatchObject({ line: 6, message: expect.stringContaining('response and no request') });
});

describe('the report', () => {
  test('counts what it skips; finding nothing is an error with --fail-on-no-match', async () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const skipped = await check({ files: [other, { replicas: 3 }] });
    expect(skipped.report.summary).toMatchObject({ judged: 0, skipped: 2, errors: 0 });
    const { report } = await check({ files: [other], more: { failOnNoMatch: true } });
    expect(report.errors).toMatchObject([{ message: expect.stringContaining('--fail-on-no-match') }]);
  });

  test('has broken input as errors, and evaluates the rest', async () => {
    const paths = [folder.put('worse.yaml', 'a: [1\n---\nb: 2\n'), ...put([id]), `${folder.path}/missing.yaml`];
    const { report } = await check({ more: { paths } });
    expect(report.summary).toMatchObject({ judged: 1, errors: 2 });
    expect(report.errors.map(({ file }) => file).sort()).toEqual([paths[2], paths[0]]);
  });
});
