import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckRun, runCheck } from '../../src/cli/check/run.ts';
import type { CheckReport } from '../../src/cli/output/report.ts';
import { defaultPolicy } from '../../src/engine/index.ts';
import type { JsonObject } from '../../src/rules/rule.ts';
import { claim, cluster, type Folder, feature, newFolder, property, run, yaml } from './world.ts';

let folder: Folder;
let count = 0;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

interface Given {
  readonly files?: readonly JsonObject[];
  readonly state?: readonly JsonObject[];
  readonly deleted?: readonly JsonObject[];
  readonly more?: Partial<CheckRun>;
}

const put = (objects: readonly JsonObject[]) => [folder.put(`${count++}.yaml`, yaml(...objects))];

async function check({ files, state, deleted, more }: Given) {
  const paths = { paths: files ? put(files) : [], deleted: deleted ? put(deleted) : [] };
  const { report, notes } = await runCheck(run({ ...paths, state: state && put(state), ...more }));
  return { report, notes, lines: report.results.map(lineOf) };
}

/** `UPDATE/status kube-system/a: denied feature/transition(deny)` */
function lineOf({
  operation,
  subresource,
  namespace,
  name,
  outcome,
  findings,
}: CheckReport['results'][number]): string {
  const write = [operation, subresource].filter(Boolean).join('/');
  const where = [namespace, name].filter(Boolean).join('/');
  const found = findings.map(({ ruleId, action, outcome: told }) => `${ruleId}(${told ?? action})`);
  return [`${write} ${where}: ${outcome}`, ...found].join(' ');
}

const id = claim('id.k8s.io', 'one');
const membership = claim('clusterset.k8s.io', 'fleet');
const otherId = claim('id.k8s.io', 'two');

describe('what exists', () => {
  test('an object in state is an UPDATE, otherwise a CREATE', async () => {
    const { lines } = await check({ files: [id, membership], state: [id] });
    expect(lines).toEqual(['UPDATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed']);
  });

  test('later documents see earlier ones', async () => {
    const late = await check({ files: [membership, id] });
    expect(late.lines[0]).toBe('CREATE clusterset.k8s.io: allowed claim/clusterset-requires-id(warn)');
    const early = await check({ files: [id, membership] });
    expect(early.lines).toEqual(['CREATE id.k8s.io: allowed', 'CREATE clusterset.k8s.io: allowed']);
    const twice = await check({ files: [id, membership, otherId] });
    expect(twice.lines[2]).toBe('UPDATE id.k8s.io: denied claim/id-immutable-in-clusterset(deny)');
  });

  test('a denied document is not stored', async () => {
    const { lines } = await check({ files: [claim('clusterset.k8s.io', ''), id, otherId] });
    expect(lines).toEqual([
      expect.stringContaining('CREATE clusterset.k8s.io: denied'),
      'CREATE id.k8s.io: allowed',
      'UPDATE id.k8s.io: allowed claim/id-stable(warn)',
    ]);
  });

  test('without state a deletion can not be decided; an empty state says that nothing exists', async () => {
    const unknown = await check({ deleted: [id] });
    expect(unknown.lines).toEqual(['DELETE id.k8s.io: indeterminate claim/id-present-in-clusterset(indeterminate)']);
    expect(unknown.report.results[0]?.findings[0]?.message).toContain('--state');
    const empty = await check({ deleted: [id], state: [] });
    expect(empty.lines).toEqual(['DELETE id.k8s.io: allowed claim/id-present(warn)']);
    const other = await check({ deleted: [id], state: [cluster('a')] });
    expect(other.report.summary.indeterminate).toBe(1);
  });

  test('a state that is read in part proves no absence', async () => {
    const broken = folder.put('broken.yaml', 'a: [1\n');
    const { report } = await check({ deleted: [id], more: { state: [broken] } });
    expect(report.summary).toMatchObject({ indeterminate: 1, errors: 1 });
  });

  test('versions of one group are one world', async () => {
    const state = [property('cluster.clusterset.k8s.io', 'one', 'v1alpha1'), property('clusterset.k8s.io', 'fleet')];
    const { lines } = await check({ files: [property('cluster.clusterset.k8s.io', 'two')], state });
    expect(lines).toEqual([expect.stringContaining('denied claim/id-immutable-in-clusterset(deny)')]);
    const same = await check({ files: [property('cluster.clusterset.k8s.io', 'one')], state });
    expect(same.lines).toEqual(['UPDATE cluster.clusterset.k8s.io: allowed']);
  });
});

describe('deletions', () => {
  test('of a member, the id stays', async () => {
    const { lines } = await check({ deleted: [id], state: [id, membership] });
    expect(lines).toEqual(['DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)']);
  });

  test('one after the other, as given', async () => {
    const state = [id, membership];
    const right = await check({ deleted: [membership, id], state });
    expect(right.lines).toEqual([
      'DELETE clusterset.k8s.io: allowed',
      'DELETE id.k8s.io: allowed claim/id-present(warn)',
    ]);
    const wrong = await check({ deleted: [id, membership], state });
    expect(wrong.lines[0]).toContain('denied');
  });

  test('leave, change the id, rejoin', async () => {
    const files = [otherId, claim('clusterset.k8s.io', 'other-fleet')];
    const { lines } = await check({ files, deleted: [membership], state: [id, membership] });
    expect(lines).toEqual([
      'DELETE clusterset.k8s.io: allowed',
      'UPDATE id.k8s.io: allowed claim/id-stable(warn)',
      'CREATE clusterset.k8s.io: allowed',
    ]);
  });

  test('the older id goes once the newer exists', async () => {
    const older = property('id.k8s.io', 'one');
    const { lines } = await check({
      files: [property('cluster.clusterset.k8s.io', 'one')],
      deleted: [older],
      state: [older, property('clusterset.k8s.io', 'fleet')],
    });
    expect(lines).toEqual(['CREATE cluster.clusterset.k8s.io: allowed', 'DELETE id.k8s.io: allowed']);
  });

  test('the stored object is judged, not the file', async () => {
    const on = feature('a', { state: 'On', transitionTasks: [] });
    const { lines } = await check({ deleted: [{ ...on, status: null }], state: [on] });
    expect(lines).toEqual(['DELETE kube-system/a: allowed feature/preserved(warn)']);
  });

  test('an object with finalizers is there still, on its way out', async () => {
    const held = { ...membership, metadata: { name: 'clusterset.k8s.io', finalizers: ['example.com/leave'] } };
    const left = await check({ deleted: [held, id], state: [id, held] });
    expect(left.lines).toEqual([
      'DELETE clusterset.k8s.io: allowed',
      'DELETE id.k8s.io: denied claim/id-present-in-clusterset(deny)',
    ]);
    const released = { ...membership, metadata: { name: 'clusterset.k8s.io', finalizers: [] } };
    const freed = await check({ files: [released, otherId], deleted: [held], state: [id, held] });
    expect(freed.lines[2]).toBe('UPDATE id.k8s.io: allowed claim/id-stable(warn)');
  });
});

describe('the manager label', () => {
  const bare = cluster('a', { metadata: { name: 'a' } });

  test('is added on CREATE, with a note', async () => {
    const { lines, notes } = await check({ files: [bare] });
    expect(lines).toEqual(['CREATE a: allowed']);
    expect(notes).toEqual([expect.stringMatching(/:2:1: note: label x-k8s\.io\/cluster-manager added/)]);
  });

  test('stays as stored on UPDATE', async () => {
    const { lines, notes } = await check({ files: [bare], state: [cluster('a')] });
    expect(lines).toEqual(['UPDATE a: allowed']);
    expect(notes).toEqual([]);
  });

  test('is not repaired where it is wrong', async () => {
    const wrong = cluster('a', { metadata: { name: 'a', labels: { 'x-k8s.io/cluster-manager': 'other' } } });
    const { lines, notes } = await check({ files: [wrong] });
    expect(lines).toEqual(['CREATE a: denied inventory/cluster-manager-label(deny)']);
    expect(notes).toEqual([]);
  });
});

describe('objects with a status', () => {
  const on = { state: 'On', transitionTasks: [] };
  const off = { state: 'Off', transitionTasks: [] };

  test('are judged twice', async () => {
    const { lines } = await check({ files: [feature('a', on)], state: [feature('a', off)] });
    expect(lines).toEqual([
      'UPDATE kube-system/a: allowed',
      'UPDATE/status kube-system/a: denied feature/transition(deny)',
    ]);
  });

  test('new ones too: the status comes upon an object without one', async () => {
    const { lines } = await check({ files: [feature('a', on), feature('a', off)] });
    expect(lines).toEqual([
      'CREATE kube-system/a: allowed',
      'UPDATE/status kube-system/a: allowed',
      'UPDATE kube-system/a: allowed',
      expect.stringContaining('UPDATE/status kube-system/a: denied feature/transition(deny)'),
    ]);
  });

  test('a denied status leaves the stored one', async () => {
    const files = [feature('a', on), feature('a', off)];
    const { report } = await check({ files, state: [feature('a', off)] });
    expect(report.results.map(({ outcome }) => outcome)).toEqual(['allowed', 'denied', 'allowed', 'allowed']);
  });

  test('a denied main write hides nothing of the status', async () => {
    const wrong = cluster('a', { spec: { clusterManager: { name: '' } }, status: { version: { kubernetes: 'soon' } } });
    const { lines } = await check({ files: [wrong] });
    expect(lines).toEqual([
      expect.stringContaining('CREATE a: denied'),
      'UPDATE/status a: allowed inventory/version(warn)',
    ]);
  });

  test('--subresource narrows', async () => {
    const given = { files: [feature('a', on), cluster('b')], state: [feature('a', off)] };
    const main = await check({ ...given, more: { subresource: 'none' } });
    expect(main.lines).toEqual(['UPDATE kube-system/a: allowed', 'CREATE b: allowed']);
    const status = await check({ ...given, more: { subresource: 'status' } });
    expect(status.lines).toEqual(['UPDATE/status kube-system/a: denied feature/transition(deny)']);
    expect(status.report.summary.skipped).toBe(1);
  });

  test('a claim has no status to write', async () => {
    const { lines } = await check({ files: [{ ...id, status: { phase: 'x' } }] });
    expect(lines).toEqual(['CREATE id.k8s.io: allowed']);
  });
});

describe('names and identity', () => {
  test('generated names are made up, and no two alike', async () => {
    const anonymous = cluster('', { metadata: { generateName: 'depot-' } });
    const { report } = await check({ files: [anonymous, anonymous] });
    const names = report.results.map(({ operation, name }) => `${operation} ${name}`);
    expect(names).toEqual([
      expect.stringMatching(/^CREATE depot-\w{5}$/),
      expect.stringMatching(/^CREATE depot-\w{5}$/),
    ]);
    expect(new Set(names).size).toBe(2);
  });

  test('an object without a name, or with one that is no text, is an error', async () => {
    const inNo = { ...feature('a', {}), metadata: { name: 'a', namespace: false } };
    const files = [{ ...id, metadata: {} }, { ...id, metadata: { name: 5 } }, inNo, id];
    const { report } = await check({ files });
    expect(report.errors.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '2 the object has no metadata.name, nor generateName',
      '4 metadata.name must be a text, got number: quote it',
      '6 metadata.namespace must be a text, got boolean: quote it',
    ]);
    expect(report.summary).toMatchObject({ judged: 1, errors: 3 });
  });

  test('rules on identity can not tell without --as', async () => {
    const managers = [{ user: 'jane' }];
    const settings = { ...defaultPolicy.settings, claims: { allowedReservedNames: [], membershipManagers: managers } };
    const policy = { ...defaultPolicy, settings };
    const as = async (username?: string) => {
      const identity = username === undefined ? undefined : { username, groups: [] };
      return (await check({ files: [id, membership], more: { policy, identity } })).lines[1];
    };
    expect(await as()).toBe('CREATE clusterset.k8s.io: indeterminate claim/clusterset-manager(indeterminate)');
    expect(await as('jane')).toBe('CREATE clusterset.k8s.io: allowed');
    expect(await as('mallory')).toBe('CREATE clusterset.k8s.io: denied claim/clusterset-manager(deny)');
  });
});

describe('AdmissionReviews', () => {
  function review(operation: string, object: JsonObject | null, oldObject: JsonObject | null, more: JsonObject = {}) {
    const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' };
    const request = { kind, operation, userInfo: { username: 'jane' }, object, oldObject, ...more };
    return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  }

  test('are judged as given, and seen by later ones', async () => {
    const files = [
      review('DELETE', null, membership),
      review('UPDATE', otherId, id),
      review('CREATE', membership, null),
    ];
    const { lines } = await check({ files, state: [id, membership] });
    expect(lines).toEqual([
      'DELETE clusterset.k8s.io: allowed',
      'UPDATE id.k8s.io: allowed claim/id-stable(warn)',
      'CREATE clusterset.k8s.io: allowed',
    ]);
  });

  test('leave nothing on dry run', async () => {
    const files = [review('DELETE', null, membership, { dryRun: true }), review('UPDATE', otherId, id)];
    const { lines } = await check({ files, state: [id, membership] });
    expect(lines[1]).toContain('denied claim/id-immutable-in-clusterset(deny)');
  });

  test('do not make their kind known', async () => {
    const { lines } = await check({ files: [review('UPDATE', otherId, id)] });
    expect(lines).toEqual(['UPDATE id.k8s.io: indeterminate claim/id-immutable-in-clusterset(indeterminate)']);
  });

  test('of other kinds and operations are skipped, and answers are errors', async () => {
    const answer = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { allowed: true } };
    const files = [review('CONNECT', id, null), review('CREATE', id, null, { subResource: 'scale' }), answer];
    const { report } = await check({ files });
    expect(report.summary).toMatchObject({ judged: 0, skipped: 2, errors: 1 });
    expect(report.errors[0]).toMatchObject({ line: 6, message: expect.stringContaining('response and no request') });
  });
});

describe('the report', () => {
  test('tells place, kind and finding', async () => {
    const text =
      'apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterClaim\nmetadata:\n  name: id.k8s.io\nspec:\n  value: A_B\n';
    const file = folder.put('place.yaml', `# a comment\n---\n${text}`);
    const { report } = await runCheck(run({ paths: [file] }));
    expect(report).toEqual({
      apiVersion: 'muster/v1alpha1',
      kind: 'CheckReport',
      summary: { judged: 1, allowed: 0, denied: 1, indeterminate: 0, warnings: 0, skipped: 0, errors: 0 },
      results: [
        {
          file,
          line: 3,
          column: 1,
          apiVersion: 'multicluster.x-k8s.io/v1alpha1',
          kind: 'ClusterClaim',
          namespace: '',
          name: 'id.k8s.io',
          operation: 'CREATE',
          subresource: '',
          outcome: 'denied',
          findings: [
            {
              ruleId: 'claim/id-syntax',
              level: 'MUST',
              action: 'deny',
              field: 'spec.value',
              message: expect.stringContaining('"A_B"'),
              line: 8,
              column: 10,
              endLine: 8,
              endColumn: 13,
            },
          ],
          sourceLine: expect.any(Function),
        },
      ],
      errors: [],
    });
  });

  test('counts what it skips, and finding nothing can be an error', async () => {
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const skipped = await check({ files: [other, { replicas: 3 }] });
    expect(skipped.report.summary).toMatchObject({ judged: 0, skipped: 2, errors: 0 });
    const none = await check({ files: [other], more: { failOnNoMatch: true } });
    expect(none.report.errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('--fail-on-no-match') }),
    ]);
  });

  test('has broken input as errors, and the rest judged', async () => {
    const broken = folder.put('worse.yaml', 'a: [1\n---\nb: 2\n');
    const { report } = await check({ more: { paths: [broken, ...put([id]), `${folder.path}/missing.yaml`] } });
    expect(report.summary).toMatchObject({ judged: 1, errors: 2 });
    expect(report.errors.map(({ file }) => file)).toEqual(
      expect.arrayContaining([broken, `${folder.path}/missing.yaml`]),
    );
  });
});
