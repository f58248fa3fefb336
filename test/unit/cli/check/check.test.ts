import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { defaultPolicy } from '../../../../src/engine/index.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import { profile } from '../../../support/bases.ts';
import { claim, cluster, feature, lineOf, property, run, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { olderProperty } from '../../../support/objects.ts';
import { tweaked } from '../../../support/rule-tester.ts';

const folder = newFolder();
let count = 0;

interface Input {
  readonly files?: readonly JsonObject[];
  readonly state?: readonly JsonObject[];
  readonly deleted?: readonly JsonObject[];
  readonly more?: Partial<CheckRun>;
}

const put = (objects: readonly JsonObject[]) => [folder.put(`${count++}.yaml`, yaml(...objects))];

async function check({ files, state, deleted, more }: Input) {
  const paths = { paths: files ? put(files) : [], deleted: deleted ? put(deleted) : [] };
  const listing: string[] = [];
  const listSkipped = (line: string) => void listing.push(line);
  const { report, notes } = await runCheck(run({ ...paths, state: state && put(state), listSkipped, ...more }));
  return { report, notes, listing, lines: report.results.map(lineOf) };
}

const id = claim('id.k8s.io', 'one');
const otherId = claim('id.k8s.io', 'two');
const membership = claim('clusterset.k8s.io', 'fleet');
const member = [id, membership];
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

const OBJECTS: Readonly<Record<string, JsonObject>> = {
  id,
  otherId,
  membership,
  held,
  released,
  bare,
  mislabelled,
  unmanaged,
  on,
  off,
  cluster: cluster('a'),
  badId: claim('id.k8s.io', 'A_B'),
  otherCluster: cluster('b'),
  emptyMembership: claim('clusterset.k8s.io', ''),
  otherMembership: claim('clusterset.k8s.io', 'other-fleet'),
  property: property('cluster.clusterset.k8s.io', 'one'),
  otherProperty: property('cluster.clusterset.k8s.io', 'two'),
  oldProperty: olderProperty('cluster.clusterset.k8s.io', 'one'),
  legacyProperty: property('id.k8s.io', 'one'),
  propertyMembership: property('clusterset.k8s.io', 'fleet'),
  onWithoutStatus: { ...on, status: null },
  onZeroed: { ...on, status: { class: '', state: '', source: '', uses: null, useEvaluationTime: null } },
  idWithStatus: { ...id, status: { phase: 'x' } },
  leaveReview: review('DELETE', null, membership),
  changeReview: review('UPDATE', otherId, id),
  profile,
  identified: tweaked(profile, { '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': 'one' }),
  otherManaged: tweaked(profile, { '/spec/clusterManager/name': 'other' }),
  stamped: { ...id, metadata: { name: 'id.k8s.io', deletionTimestamp: '2020-01-01T00:00:00Z' } },
};

/** A line that ends with "…" stands for all that begin like it. */
const CASES: Readonly<Record<string, Record<string, readonly string[]> & { subresource?: 'none' | 'status' }>> = parse(`
an object in the state is an UPDATE, any other a CREATE:
  {files: [id, membership], state: [id], lines: ['UPDATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed']}
an id that follows its membership ends the warning:
  {files: [membership, id], lines: ['CREATE clusterset.k8s.io: allowed', 'CREATE id.k8s.io: allowed']}
an id that follows and is denied does not:
  files: [membership, badId]
  lines: ['CREATE clusterset.k8s.io: allowed claim/clusterset-requires-id(warn)', 'CREATE id.k8s.io: denied claim/id-syntax(deny)']
a document sees earlier ones as stored:
  files: [id, membership, otherId]
  lines: ['CREATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed', &refused
    'UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset(deny)']
a label that an earlier document had is removed by a later one without it, as by kubectl apply:
  files: [identified, profile]
  lines: ['CREATE fleet-a/harbour-7k2: allowed', &lost
    'UPDATE fleet-a/harbour-7k2: allowed inventory/member-id-stable(warn)']
also where a denied document stands between them:
  files: [identified, otherManaged, profile]
  lines: ['CREATE fleet-a/harbour-7k2: allowed', 'UPDATE fleet-a/harbour-7k2: denied…', *lost]
a label that only the stored object has stays:
  files: [profile, profile]
  state: [identified]
  lines: ['UPDATE fleet-a/harbour-7k2: allowed…', 'UPDATE fleet-a/harbour-7k2: allowed']
a denied document is not stored:
  files: [emptyMembership, id, otherId]
  lines: ['CREATE clusterset.k8s.io: denied…', 'CREATE id.k8s.io: allowed', &changed
    'UPDATE id.k8s.io: allowed claim/id-stable(warn)']
without a state a deletion is undecided:
  {deleted: [id], lines: ['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)']}
a state of other kinds proves no absence:
  deleted: [id]
  state: [cluster]
  lines: ['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)']
an empty state means that nothing exists:
  {deleted: [id], state: [], lines: [&gone 'DELETE id.k8s.io: allowed claim/id-present(warn)']}
versions of one group are the same objects:
  files: [otherProperty]
  state: [oldProperty, propertyMembership]
  lines: ['UPDATE cluster.clusterset.k8s.io: denied claim/id-immutable-in-clusterset(deny)…']
the id of a member cannot be deleted:
  {deleted: [id], state: [id, membership], lines: [&kept 'DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)']}
after the membership the id can be deleted:
  {deleted: [membership, id], state: [id, membership], lines: [&left 'DELETE clusterset.k8s.io: allowed', *gone]}
before the membership the id cannot be deleted:
  {deleted: [id, membership], state: [id, membership], lines: [*kept, *left]}
'deletions come before documents: leave, change the id, join again':
  files: [otherId, otherMembership]
  deleted: [membership]
  state: [id, membership]
  lines: [*left, *changed, 'CREATE clusterset.k8s.io: allowed']
'deletions come after documents if that denies less: the older id goes once the newer exists':
  files: [property]
  deleted: [legacyProperty]
  state: [legacyProperty, propertyMembership]
  lines: ['CREATE cluster.clusterset.k8s.io: allowed', 'DELETE id.k8s.io: allowed']
a deletion evaluates the stored object, not the file:
  {deleted: [onWithoutStatus], state: [on], lines: ['DELETE kube-system/a: allowed feature/preserved(warn)']}
a deleted object with finalizers still exists:
  {deleted: [held, id], state: [id, held], lines: [*left, *kept]}
a terminating object is gone with its last finalizer:
  files: [released, otherId]
  deleted: [held]
  state: [id, held]
  lines: [*left, 'UPDATE clusterset.k8s.io: allowed', *changed]
the manager label stays as stored on UPDATE:
  {files: [bare], state: [cluster], lines: ['UPDATE a: allowed']}
a wrong manager label is not corrected:
  {files: [mislabelled], lines: ['CREATE a: denied inventory/cluster-manager-label(deny)']}
an object with a status is evaluated twice:
  files: [on]
  state: [off]
  lines: [&main 'UPDATE kube-system/a: allowed', &status 'UPDATE/status kube-system/a: denied feature/transition(deny)']
the status of a new object comes upon an object without one:
  files: [on, off]
  lines: ['CREATE kube-system/a: allowed', &fine 'UPDATE/status kube-system/a: allowed', *main,
    'UPDATE/status kube-system/a: denied feature/transition(deny)…']
a denied status leaves the stored one:
  {files: [on, off], state: [off], lines: [*main, *status, *main, *fine]}
a denied main write does not hide findings in the status:
  {files: [unmanaged], lines: ['CREATE a: denied…', 'UPDATE/status a: allowed inventory/version(warn)']}
'--subresource none leaves out status writes':
  {files: [on, otherCluster], state: [off], subresource: none, lines: [*main, 'CREATE b: allowed']}
'--subresource status leaves out main writes':
  {files: [on, otherCluster], state: [off], subresource: status, lines: [*status]}
a status of zero values, as typed clients in Go write it, is no status write:
  {files: [onZeroed], state: [on], lines: [*main]}
'--subresource status evaluates such a status, too':
  {files: [onZeroed], state: [on], subresource: status, lines: ['UPDATE/status kube-system/a: denied feature/shape(deny)…']}
a claim has no status:
  {files: [idWithStatus], lines: ['CREATE id.k8s.io: allowed']}
AdmissionReviews are evaluated as requested, and change nothing for what follows:
  {files: [leaveReview, changeReview], state: [id, membership], lines: [*left, *refused]}
a document is evaluated against the state, not against an AdmissionReview before it:
  {files: [leaveReview, otherId], state: [id, membership], lines: [*left, *refused]}
a deletionTimestamp in a deleted file is ignored:
  {deleted: [stamped], lines: ['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)']}
a deletionTimestamp in the state counts:
  {deleted: [stamped], state: [stamped, membership], lines: ['DELETE id.k8s.io: allowed']}
an AdmissionReview does not make its kind known:
  files: [changeReview]
  lines: ['UPDATE id.k8s.io: indeterminate claim/id-immutable-in-clusterset(indeterminate)']
`);

test.each(Object.entries(CASES))('%s', async (_title, { files, state, deleted, subresource, lines = [] }) => {
  const [documents, before, gone] = [files, state, deleted].map((names) => names?.map((name) => OBJECTS[name] ?? {}));
  const input: Input = { files: documents ?? [], ...(before && { state: before }), deleted: gone ?? [] };
  const expected = lines.map((line) => (line.endsWith('…') ? expect.stringContaining(line.slice(0, -1)) : line));
  expect((await check({ ...input, more: { subresource } })).lines).toEqual(expected);
});

test('an id in a later file of the run ends the warning of its membership, one in another cluster does not', async () => {
  const paths = [folder.put('later/a-set.yaml', yaml(membership)), folder.put('later/b-id.yaml', yaml(id))];
  const { report } = await runCheck(run({ paths }));
  expect(report.results.map(lineOf)).toEqual(['CREATE clusterset.k8s.io: allowed', 'CREATE id.k8s.io: allowed']);
  const named = paths.map((path, index) => `c${index}=${path}`);
  const apart = await runCheck(run({ clusters: clusterRequest([], { cluster: named }, []) }));
  expect(apart.report.results.map(lineOf)).toEqual([
    'CREATE clusterset.k8s.io: allowed claim/clusterset-requires-id(warn)',
    'CREATE id.k8s.io: allowed',
  ]);
});

test('two profiles may exchange their member ids, or the clusters that they list, in one run', async () => {
  const listing = (name: string, value: string) =>
    tweaked(profile, {
      '/metadata/name': name,
      '/metadata/labels/multicluster.x-k8s.io~1inventory-member-id': value,
      '/status': {
        properties: [
          { name: 'clusterset.k8s.io', value: 'fleet' },
          { name: 'id.k8s.io', value },
        ],
      },
    });
  const state = [listing('a', 'one'), listing('b', 'two')];
  const exchanged = await check({ files: [listing('a', 'two'), listing('b', 'one')], state });
  expect(exchanged.lines.join()).not.toMatch(/unique/);
  const taken = await check({ files: [listing('a', 'two'), listing('b', 'two')], state });
  expect(taken.lines.join()).toMatch(/a: allowed .*member-id-unique.*a: allowed .*unique-cluster-id/);
});

test('a state that is only partly readable proves no absence', async () => {
  const { report } = await check({ deleted: [id], more: { state: [folder.put('broken.yaml', 'a: [about.k8s.io\n')] } });
  expect(report.summary).toMatchObject({ indeterminate: 1, errors: 1 });
  expect(report.results[0]?.findings[0]?.message).toContain('part of --state could not be read');
});

test('the same object in two files of a state may be of two clusters: a note names both', async () => {
  const exported = [put([id, id]), put([otherId])].flat();
  const { notes, lines } = await check({ files: [id], more: { state: exported } });
  const [one, other] = exported;
  expect(notes).toEqual([
    `note: the same ClusterClaim "id.k8s.io" is in ${one} and ${other}, and the last one read counts; ` +
      'if these are two clusters, give --state that of the checked one',
  ]);
  expect(lines).toEqual(['UPDATE id.k8s.io: allowed claim/id-stable(warn)']);
});

test('the manager label is added on CREATE, and only then with a note', async () => {
  const created = await check({ files: [bare] });
  expect(created.lines).toEqual(['CREATE a: allowed']);
  expect(created.notes).toEqual([expect.stringMatching(/:2:1: note: label x-k8s\.io\/cluster-manager added/)]);
  expect((await check({ files: [mislabelled] })).notes).toEqual([]);
  expect((await check({ files: [bare], state: [cluster('a')] })).notes).toEqual([]);
  const policy = { ...defaultPolicy, exemptions: { ...defaultPolicy.exemptions, users: new Set(['jane']) } };
  const identity = { username: 'jane', groups: [] };
  expect((await check({ files: [bare], more: { policy, identity } })).notes).toEqual([]);
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
    '4 metadata.name must be a string, got a number: quote it',
    '6 metadata.namespace must be a string, got a boolean: quote it',
  ]);
  expect(report.summary).toMatchObject({ evaluated: 1, errors: 3 });
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
  const { report, listing } = await check({ files });
  expect(report.summary).toMatchObject({ evaluated: 0, skipped: 2, errors: 1 });
  const line = expect.stringMatching(/\.yaml:\d+:1: note: skipped: no rule applies to its request$/);
  expect(listing).toEqual([line, line]);
  expect(report.errors[0]).toMatchObject({ line: 6, message: expect.stringContaining('response and no request') });
});

test('an object without status is listed as skipped with --subresource status', async () => {
  const { report, listing } = await check({ files: [id], more: { subresource: 'status' } });
  expect(report.summary).toMatchObject({ evaluated: 0, skipped: 1 });
  expect(listing).toEqual([expect.stringMatching(/: note: skipped: no write of \/status follows /)]);
});

test('what is skipped is counted; finding nothing is an error with --fail-on-no-match', async () => {
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const skipped = await check({ files: [other, { replicas: 3 }] });
  expect(skipped.report.summary).toMatchObject({ evaluated: 0, skipped: 2, errors: 0 });
  const { report } = await check({ files: [other], more: { failOnNoMatch: true } });
  expect(report.errors).toMatchObject([{ message: expect.stringContaining('--fail-on-no-match') }]);
});
