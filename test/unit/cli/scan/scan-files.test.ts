/** `muster scan --state`, and the command as a whole. */
import { describe, expect, test } from '@jest/globals';
import { scanFiles } from '../../../../src/cli/scan/scan-files.ts';
import { createStoredEngine } from '../../../../src/engine/stored-objects.ts';
import { createRunComparison } from '../../../../src/evaluation/run-comparison.ts';
import { claim, cluster, muster, NOW, SMALL_STACK, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

const engine = createStoredEngine(undefined, () => NOW);

const folder = newFolder();

async function scan(...state: readonly string[]) {
  const stdin = async () => Buffer.from(yaml(claim('id.k8s.io', 'B')));
  const comparison = createRunComparison({ point: 'scan' });
  const { entries, ...rest } = await scanFiles({ state, stdin, comparison, engine });
  return { ...rest, results: entries.map(({ result }) => result) };
}

test('results are in the order of the input, findings at their line', async () => {
  const file = folder.put(
    'order.yaml',
    `${yaml(cluster('a'), claim('mine.k8s.io', 'x'))}${yaml(claim('id.k8s.io', 'A'))}`,
  );
  const { results } = await scan(file);
  expect(results).toMatchObject([
    { name: 'a', line: 2, findings: [], outcome: 'allowed' },
    { name: 'mine.k8s.io', line: 4 },
    { name: 'id.k8s.io', line: 6, findings: [{ ruleId: 'claim/id-syntax', line: 6, column: expect.any(Number) }] },
  ]);
  expect(results[2]?.findings[0]?.sourceLine?.(6)).toContain('id.k8s.io');
});

test('broken documents are as many errors, also if these are more than a call takes arguments', async () => {
  const file = folder.put('many.yaml', '---\na: [about.k8s.io\n'.repeat(25_000));
  const { code, out } = await muster(['scan', '--state', file], { cwd: folder.path, nodeArgs: [SMALL_STACK] });
  expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(/ 25000 errors\n$/) });
});

test('several files are one cluster', async () => {
  const set = folder.put('cluster/set.yaml', yaml(claim('clusterset.k8s.io', 'fleet')));
  expect((await scan(set)).results).toMatchObject([{ outcome: 'denied' }]);
  folder.put('cluster/id.yaml', yaml(claim('id.k8s.io', 'a')));
  expect((await scan(`${folder.path}/cluster`)).results).toMatchObject([
    { outcome: 'allowed' },
    { outcome: 'allowed' },
  ]);
});

test('the same object in two files may be of two clusters: a note names both, and the flag', async () => {
  const [east, west] = ['east', 'west'].map((name) =>
    folder.put(`exports/${name}.yaml`, `${yaml(claim('id.k8s.io', 'a'))}${yaml(claim('id.k8s.io', 'a'))}`),
  );
  expect((await scan(`${folder.path}/exports`)).notes).toEqual([
    `the same ClusterClaim "id.k8s.io" is in ${east} and ${west}, scanned as one cluster; if these are two ` +
      'clusters, name each: --state NAME=PATH',
  ]);
  expect((await scan(`${east}`)).notes).toEqual([]);
  const { out, err } = await musterHere(['scan', '--state', `a=${east}`, '--state', `b=${west}`], { cwd: folder.path });
  expect({ out, err }).toEqual({ out: expect.stringContaining('4 evaluated'), err: '' });
});

test('objects without a name are not the same', async () => {
  const files = ['a', 'b'].map((name) =>
    folder.put(`nameless/${name}.yaml`, yaml({ ...claim('', 'a'), metadata: {} })),
  );
  expect((await scan(...files)).notes).toEqual([]);
  const options = { cwd: folder.path, stdin: yaml(claim('id.k8s.io', 'a')), env: { MUSTER_QUIET: 'false' } };
  const { err } = await muster(['check', '-', ...files.flatMap((file) => ['--state', file])], options);
  expect(err).not.toContain('the same');
});

test('what cannot be read is an error, and a missing object may then exist', async () => {
  const file = folder.put('broken.yaml', `${yaml(claim('clusterset.k8s.io', 'fleet'))}---\n{ about.k8s.io: [closed\n`);
  const { results, errors } = await scan(file, `${folder.path}/nothing.yaml`);
  expect(errors).toMatchObject([{ message: expect.stringContaining('no such file') }, { file }]);
  expect(results).toMatchObject([{ outcome: 'indeterminate' }]);
});

test('objects that cannot have been stored are errors, other kinds are counted', async () => {
  const nameless = { ...claim('', 'x'), metadata: { generateName: 'a-' } };
  const odd = { ...claim('', 'x'), metadata: { name: 7 } };
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(await scan(folder.put('odd.yaml', yaml(nameless, odd, other)))).toMatchObject({
    errors: [
      { line: 2, message: expect.stringContaining('no metadata.name; a stored object has one') },
      { line: 4, message: expect.stringContaining('metadata.name must be a string, got a number') },
    ],
    results: [],
    skipped: 1,
  });
});

test('the namespace of a cluster-scoped object does not count, as in check', async () => {
  const placed = { ...claim('x.example.com', 'x'), metadata: { name: 'x.example.com', namespace: 7 } };
  const { results, errors } = await scan(folder.put('placed.yaml', yaml(placed)));
  expect({ errors, results }).toMatchObject({ errors: [], results: [{ namespace: '', outcome: 'allowed' }] });
});

test('standard input is scanned', async () => {
  expect((await scan('-')).results).toMatchObject([{ file: '<stdin>', outcome: 'denied' }]);
});

test.each([
  [
    'a denied object',
    ['--state', 'bad.yaml', '-o', 'junit'],
    1,
    { out: expect.stringContaining('name="muster scan"') },
  ],
  ['a warning', ['--state', 'warned.yaml'], 0, {}],
  ['a warning that fails', ['--state', 'warned.yaml', '--fail-on', 'warning'], 1, {}],
  [
    'no object that fails',
    ['--state', 'empty.yaml', '--fail-on-no-match'],
    2,
    { err: expect.stringContaining('nothing of a kind that muster evaluates was found (--fail-on-no-match)') },
  ],
  ['clusters in files, one after the other', ['--state', 'a=bad.yaml', '--state=b=empty.yaml', '--parallel=1'], 1, {}],
  ['no object', ['--state', 'empty.yaml'], 0, { err: expect.stringMatching(/^note: nothing was evaluated: .+\n$/) }],
  ['a bad value', ['--live', '--page-size', '0'], 2, { err: expect.stringContaining('a number from 1 to 10000') }],
  ['no kubeconfig', ['--live'], 2, { err: expect.stringMatching(/^error: no kubeconfig: .+\n$/) }],
] as const)('the exit code of %s', async (_, args, code, output) => {
  folder.put('bad.yaml', yaml(claim('mine.k8s.io', 'x')));
  folder.put('warned.yaml', yaml(cluster('a', { status: { version: { kubernetes: 'x' } } })));
  folder.put('empty.yaml', '');
  const ended = await musterHere(['scan', ...args], {
    cwd: folder.path,
    env: { HOME: folder.path, MUSTER_QUIET: 'false' },
  });
  expect(ended).toMatchObject({ code, ...output });
});

describe('what is left out', () => {
  const scanFolder = newFolder();
  scanFolder.put('app/Chart.yaml', 'apiVersion: v2\nname: app\nversion: 0.1.0\n');
  scanFolder.put('app/templates/id.yaml', yaml(claim('id.k8s.io', 'a')));
  scanFolder.put('overlay/kustomization.yaml', 'resources: [id.yaml]\npatches: [{ path: patch.yaml }]\n');
  scanFolder.put('overlay/id.yaml', yaml(claim('id.k8s.io', 'a')));
  scanFolder.put('overlay/patch.yaml', yaml(claim('id.k8s.io', 'b')));
  scanFolder.put('misspelled.yaml', yaml({ ...claim('id.k8s.io', 'a'), kind: 'ClusterClam' }));
  scanFolder.put('version.yaml', yaml({ ...claim('id.k8s.io', 'a'), apiVersion: 'multicluster.x-k8s.io/v99' }));
  scanFolder.put('review.yaml', 'apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {}\n');
  const run = (...args: string[]) =>
    musterHere(['scan', ...args], { cwd: scanFolder.path, env: { MUSTER_QUIET: 'false' } });

  test('a part that may hold objects is unevaluated, as in a check: noted, counted, and fails where asked', async () => {
    const { code, out, err } = await run('--state', 'overlay', '--fail-on', 'indeterminate');
    expect({ code, out, err: err.split('\n') }).toEqual({
      code: 1,
      out: '1 evaluated: 1 allowed, 0 denied, 0 indeterminate; 0 warnings, 2 skipped, 1 unevaluated, 0 errors\n',
      err: [
        'overlay: note: a kustomization, not rendered: kustomize build overlay | muster scan --state -',
        expect.stringMatching(/^overlay\/patch\.yaml:2:1: note: not evaluated, though it may hold objects/),
        '',
      ],
    });
    expect((await run('--state', 'overlay')).code).toBe(0);
  });

  test('each of several clusters has its own count', async () => {
    const { out } = await run('--state', 'a=overlay', '--state', 'b=app', '-o', 'json');
    expect(JSON.parse(out)).toMatchObject({
      summary: { evaluated: 1, unevaluated: 2 },
      clusters: [
        { name: 'a', summary: { unevaluated: 1 } },
        { name: 'b', summary: { unevaluated: 1 } },
      ],
      notes: [
        { cluster: 'a', file: 'overlay' },
        { cluster: 'a', file: 'overlay/patch.yaml' },
        { cluster: 'b', file: 'app' },
        { cluster: 'b', file: 'app/templates/id.yaml' },
      ],
    });
  });

  test('the first folders of a run are noted, and the others counted', async () => {
    const names = ['x/a', 'x/b', 'x/c', 'y/d', 'y/e'];
    for (const name of names) scanFolder.put(`${name}/Chart.yaml`, 'name: app\nversion: 1.0.0\n');
    const noted = async (...args: string[]) => (await run('-q', '--state', 'x=x', '--state', 'y=y', ...args)).err;
    const lines = (await noted()).trimEnd().split('\n');
    expect(lines.slice(0, 3).map((line) => line.split(':')[0])).toEqual(names.slice(0, 3));
    expect(lines.slice(3)).toEqual(['note: 2 more charts and kustomizations were not rendered (-v lists them)']);
    expect(await noted('-v')).toMatch(/^y\/e: note: a Helm chart/m);
  });

  test('a type that looks misspelled is a warning, which names its cluster', async () => {
    const { code, err } = await run(
      '--state',
      'a=misspelled.yaml',
      '--state',
      'a=version.yaml',
      '--fail-on',
      'warning',
    );
    expect({ code, err: err.split('\n') }).toEqual({
      code: 1,
      err: [
        expect.stringMatching(
          /^misspelled\.yaml:2:1: warning: a: .* no kind "ClusterClam"; did you mean "ClusterClaim"/,
        ),
        expect.stringMatching(
          /^version\.yaml:2:1: warning: a: muster does not know ClusterClaim in multicluster\.x-k8s\.io\/v99/,
        ),
        '',
      ],
    });
  });

  test('-v lists what is skipped, -q leaves out that nothing was evaluated', async () => {
    const listed = await run('--state', 'app', '--state', 'review.yaml', '-v');
    expect(listed.err).toContain('app/templates/id.yaml:1:1: note: skipped: it is a template of the Helm chart app\n');
    expect(listed.err).toContain(
      'review.yaml:1:1: note: skipped: AdmissionReview (admission.k8s.io/v1): it is no stored',
    );
    expect(listed.err).toContain(
      'note: nothing was evaluated: no object of a kind that muster has rules for (3 skipped; ',
    );
    expect((await run('--state', 'review.yaml', '-q')).err).toBe('');
  });
});
