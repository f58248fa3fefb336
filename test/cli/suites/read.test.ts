/** What a suite may say: how little a test needs, and what is refused, each with its line and column. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { suiteSchema } from '../../../src/cli/test/schema.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { type Folder, newFolder } from '../world.ts';
import { runAt } from './world.ts';

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());
beforeEach(() => {
  folder.put('id.yaml', ID);
});

const ID = `apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterClaim
metadata: { name: id.k8s.io }
spec: { value: pier-7 }
`;
const BASE = `apiVersion: muster/v1alpha1
kind: MusterTest
objects:
  id: { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: { name: id.k8s.io }, spec: { value: pier-7 } }
  set: { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: { name: clusterset.k8s.io }, spec: { value: sea } }
  cluster: { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: InventoryCluster, metadata: { name: c }, spec: { clusterManager: { name: depot } } }
  feature: { apiVersion: features.x-k8s.io/v1alpha1, kind: Feature, metadata: { name: f, namespace: kube-system }, spec: {} }
`;
/** The lines before the test of a suite of one test, and the column in which it says something. */
const BEFORE = 8;
const FIRST = 16;

async function run(text: string) {
  const { report, warnings } = await runAt(folder.put('a.muster-test.yaml', text));
  const errors = report.errors.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  return { ...report, errors, warnings };
}

/** A suite of one test. */
const suite = (one: string, before = '') => `${BASE}${before}tests:\n  - { name: a, ${one} }\n`;

describe('what a test may leave out', () => {
  const passes = async (one: string, before = '') => {
    const { errors, results } = await run(suite(one, before));
    expect(errors).toEqual([]);
    expect(results.map(({ differences }) => differences)).toEqual([[]]);
  };

  test.each([
    [
      'nothing exists, so it is a creation, and the id is missed',
      'object: set, expect: { verdict: allowed, warnings: [claim/clusterset-requires-id] }',
    ],
    [
      'the state has it, so it is an update',
      'state: [id, set], object: id, change: { spec: { value: x } }, expect: { verdict: denied, rules: [claim/id-immutable-in-clusterset] }',
    ],
    [
      'a change upon oldObject',
      'oldObject: id, change: { spec: { value: x } }, expect: { verdict: allowed, warnings: [claim/id-stable] }',
    ],
    ['what is stored counts as state', 'operation: DELETE, object: set, expect: allowed'],
    ['a file', 'object: id.yaml, expect: allowed'],
    ['an object of a file', 'state: ["id.yaml#id.k8s.io"], object: set, expect: allowed'],
    ['its full name', 'state: ["id.yaml#ClusterClaim/id.k8s.io"], object: set, expect: allowed'],
    ['a folder', 'state: [./], object: set, expect: allowed'],
    [
      'nothing is known of others',
      'state: unknown, oldObject: id, change: { spec: { value: x } }, expect: { verdict: indeterminate, rules: [claim/id-immutable-in-clusterset], code: 503 }',
    ],
    ['the mutating webhook comes first', 'object: cluster, expect: { verdict: allowed, warnings: [] }'],
    [
      'or does not',
      'object: cluster, mutate: false, expect: { verdict: denied, rules: [inventory/cluster-manager-label] }',
    ],
    ['null counts as absent', 'object: id, oldObject: null, user: null, expect: allowed'],
    [
      'a status of what is stored',
      'oldObject: cluster, subresource: status, change: { spec: {}, status: { conditions: [{}] } }, expect: { verdict: denied, rules: [inventory/conditions] }',
    ],
    ['a creation drops the status', 'object: feature, change: { status: { state: nonsense } }, expect: allowed'],
    [
      'rules by include and exclude',
      'object: id, change: { spec: { value: A_B } }, expect: { verdict: denied, rules: { include: [claim/id-syntax], exclude: [claim/value] } }',
    ],
    [
      'a message, line by line',
      'object: id, change: { spec: { value: A_B } }, expect: { verdict: denied, code: 422, message: "^.claim/id-syntax. spec.value: .*A_B" }',
    ],
    ['the object of an expectation may be a word', 'object: id, expect: allowed'],
  ])('%s', (_, one) => passes(one));

  test('defaults are for every test that does not say otherwise', async () => {
    const before = 'defaults: { state: [id], object: set, user: { name: jane } }\n';
    await passes('expect: allowed', before);
    await passes('state: [], expect: { verdict: allowed, warnings: [claim/clusterset-requires-id] }', before);
    await passes('object: id, change: { metadata: { labels: { a: b } } }, expect: allowed', before);
    await passes('operation: DELETE, expect: allowed', before);
  });

  test('the configuration is written out, a file, or nowhere', async () => {
    const one =
      'object: set, state: [id], user: { name: jane }, expect: { verdict: denied, rules: [claim/clusterset-manager] }';
    const claims = 'claims: { membershipManagers: [{ user: bob }] }';
    await passes(one, `config: { ${claims} }\n`);
    folder.put('muster.yaml', `apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n${claims}\n`);
    await passes(one, 'config: muster.yaml\n');
    await passes('object: set, state: [id], user: { name: jane }, expect: allowed');
  });

  test('the clock stands still where now says', async () => {
    const until =
      'exceptions: [{ rules: [claim/id-syntax], apiGroup: multicluster.x-k8s.io, kind: ClusterClaim, name: id.k8s.io, expires: 2026-06-30, reason: r }]';
    const config = `config: { ${until} }\n`;
    const on = (day: string, expected: string) =>
      `object: id, change: { spec: { value: A_B } }, now: "${day}T12:00:00Z", expect: ${expected}`;
    await passes(on('2026-06-30', '{ verdict: allowed, audits: [claim/id-syntax] }'), config);
    await passes(on('2026-07-01', '{ verdict: denied, audits: [] }'), config);
  });

  test('the point of enforcement has its own actions', async () => {
    const config = 'config: { rules: { claim/id-syntax: { check: warn } } }\n';
    await passes(
      'object: id, change: { spec: { value: A_B } }, point: check, expect: { verdict: allowed, warnings: [claim/id-syntax] }',
      config,
    );
    await passes('object: id, change: { spec: { value: A_B } }, expect: denied', config);
  });

  test('rules that compare many objects are asked where a webhook would ask them', async () => {
    const config = 'config: { rules: { inventory/unique-name: deny } }\n';
    const profile = (namespace: string) =>
      `{ apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterProfile, metadata: { name: c, namespace: ${namespace} }, spec: { clusterManager: { name: m } } }`;
    const one = `state: [${profile('a')}], object: ${profile('b')}`;
    await passes(`${one}, expect: allowed`, config);
    await passes(`${one}, view: files, expect: { verdict: denied, rules: [inventory/unique-name] }`, config);
    await passes(`${one}, point: scan, expect: { verdict: denied, rules: [inventory/unique-name] }`, config);
  });

  test('several suites may stand in one file', async () => {
    const { results } = await run(`${suite('object: id, expect: allowed')}---\n${suite('object: id, expect: denied')}`);
    expect(results.map(({ name, outcome, line }) => [name, outcome, line])).toEqual([
      ['a', 'passed', BEFORE + 1],
      ['a', 'failed', 2 * BEFORE + 3],
    ]);
  });
});

// « stands where the problem is found; without it that is the test as a whole.
describe('what is refused', () => {
  test.each([
    [
      'an unknown key',
      '«objekt: id, object: id, expect: allowed',
      'tests[0].objekt: unknown key; did you mean "object"?',
    ],
    [
      'an unknown verdict',
      'object: id, expect: «deny',
      'tests[0].expect: expected allowed, denied or indeterminate, found "deny"',
    ],
    [
      'no verdict',
      'object: id, «expect: { code: 422 }',
      'tests[0].expect.verdict: missing; expected allowed, denied or indeterminate',
    ],
    [
      'no expectation',
      'object: id',
      'tests[0].expect: missing; expected a verdict (allowed, denied or indeterminate), or a map',
    ],
    [
      'an unknown rule',
      'object: id, expect: { verdict: denied, rules: [«claim/id-sintax] }',
      'tests[0].expect.rules[0]: no rule "claim/id-sintax"; did you mean "claim/id-syntax"?',
    ],
    [
      'a rule of other kinds',
      'object: id, expect: { verdict: denied, rules: [«feature/transition] }',
      'tests[0].expect.rules[0]: feature/transition never judges the CREATE of ClusterClaim objects (multicluster.x-k8s.io)',
    ],
    [
      'a rule of other operations',
      'operation: DELETE, object: id, expect: { verdict: allowed, warnings: [«claim/id-stable] }',
      'tests[0].expect.warnings[0]: claim/id-stable never judges the DELETE of ClusterClaim objects (multicluster.x-k8s.io)',
    ],
    [
      'a rule that a cluster leaves to scan',
      'object: cluster, expect: { verdict: denied, rules: [«inventory/unique-cluster-id] }',
      'tests[0].expect.rules[0]: inventory/unique-cluster-id compares many objects, which the webhook of a cluster leaves to scan: set point: scan, or view: files',
    ],
    [
      'two objects in one',
      'state: [id, «{ apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: { name: id.k8s.io } }], object: id, expect: allowed',
      'tests[0].state[1]: ClusterClaim "id.k8s.io" stands in the state already, and differs',
    ],
    [
      'an allowed one with rules',
      'object: id, expect: { verdict: allowed, rules: «[claim/value] }',
      'tests[0].expect.rules: nothing refuses what is allowed; rules that warn go into warnings, silent ones into audits',
    ],
    [
      'a denied one without',
      'object: id, expect: { verdict: denied, rules: «[] }',
      'tests[0].expect.rules: nothing is denied without a rule; name it, or leave the key out',
    ],
    [
      'a code of what is allowed',
      'object: id, expect: { verdict: allowed, code: «422 }',
      'tests[0].expect.code: what is allowed has no status code',
    ],
    [
      'a code of other verdicts',
      'object: id, expect: { verdict: denied, code: «503 }',
      'tests[0].expect.code: 503 is the code of indeterminate',
    ],
    [
      'a code that never comes',
      'object: id, expect: { verdict: denied, code: «200 }',
      'tests[0].expect.code: expected one of 403, 409, 422, 503, found 200',
    ],
    [
      'a message where nothing is said',
      'object: id, expect: { verdict: allowed, warnings: [], message: «a }',
      'tests[0].expect.message: nothing is said where all is allowed and nothing warns',
    ],
    [
      'a pattern that is none',
      'object: id, expect: { verdict: denied, message: «"(a" }',
      'tests[0].expect.message: Invalid regular expression: /(a/mu: Unterminated group',
    ],
    [
      'a pattern of a novel',
      `object: id, expect: { verdict: denied, message: «${'a'.repeat(1001)} }`,
      `tests[0].expect.message: expected a regular expression of at most 1000 characters, found "${'a'.repeat(63)}…"`,
    ],
    [
      'a rule both in and out',
      'object: id, expect: { verdict: denied, rules: { include: [claim/value], exclude: «[claim/value] } }',
      'tests[0].expect.rules.exclude: claim/value is in include too',
    ],
    [
      'a selection of nothing',
      'object: id, expect: { verdict: denied, rules: «{} }',
      'tests[0].expect.rules: says nothing; name a rule in include or exclude',
    ],
    [
      'an unknown object',
      'object: «ID, expect: allowed',
      'tests[0].object: no object "ID" in objects; did you mean "id"?',
    ],
    [
      'a file that is not there',
      'object: «no.yaml, expect: allowed',
      "tests[0].object: FOLDER/no.yaml: can't read it: no such file or folder",
    ],
    [
      'a file without such an object',
      'object: «"id.yaml#other", expect: allowed',
      'tests[0].object: id.yaml holds no object called "other"; write FILE#NAME with one of: ClusterClaim/id.k8s.io',
    ],
    [
      'a folder that is not there',
      'state: [«no/], object: id, expect: allowed',
      "tests[0].state[0]: FOLDER/no/: can't read it: no such file or folder",
    ],
    [
      'another kind',
      'object: «{ apiVersion: v1, kind: Pod }, expect: allowed',
      'tests[0].object: muster judges no "Pod" of "v1"; it judges',
    ],
    ['no kind', 'object: «{}, expect: allowed', 'tests[0].object: expected an object with apiVersion and kind'],
    [
      'no name',
      'object: «id, change: { metadata: null }, expect: allowed',
      'tests[0].object: the object has no metadata.name, nor generateName',
    ],
    [
      'nothing written',
      'oldObject: id, expect: allowed',
      'tests[0].object: missing; expected what is written: object, or change upon oldObject',
    ],
    [
      'nothing deleted',
      'operation: DELETE, expect: allowed',
      'tests[0].object: missing; expected the object that is deleted',
    ],
    [
      'two objects to delete',
      'operation: DELETE, object: «id, oldObject: id, expect: allowed',
      'tests[0].object: a DELETE has one object: give it as object or as oldObject',
    ],
    [
      'a creation of what is stored',
      'operation: CREATE, object: id, oldObject: «id, expect: allowed',
      'tests[0].oldObject: a CREATE has no oldObject',
    ],
    [
      'an update of nothing',
      'operation: UPDATE, object: id, expect: allowed',
      'tests[0].oldObject: missing; expected what is stored before: oldObject, or the object in state',
    ],
    [
      'another object',
      'object: id, oldObject: «set, expect: allowed',
      'tests[0].oldObject: is another object than object: their kinds, names and namespaces have to agree',
    ],
    [
      'a status of a claim',
      'oldObject: id, change: {}, subresource: «status, expect: allowed',
      'tests[0].subresource: a ClusterClaim has no status of its own',
    ],
    [
      'a status at creation',
      'operation: CREATE, object: cluster, subresource: «status, expect: allowed',
      'tests[0].subresource: a status is written by UPDATE only',
    ],
    [
      'a time that is none',
      'object: id, now: «yesterday, expect: allowed',
      'tests[0].now: expected an RFC 3339 date-time with its zone such as 2026-06-01T12:00:00Z, found "yesterday"',
    ],
    [
      'a user without a name',
      'object: id, «user: { groups: [a] }, expect: allowed',
      "tests[0].user.name: missing; expected a user's name",
    ],
    [
      'a switch that is none',
      'object: id, mutate: «1, expect: allowed',
      'tests[0].mutate: expected true or false, found 1',
    ],
    [
      'a change that is none',
      'object: id, change: «1, expect: allowed',
      'tests[0].change: expected a merge patch (a map)',
    ],
  ])('%s', async (_, one, expected) => {
    const { errors, summary } = await run(suite(one.replace('«', '')));
    expect(errors).toHaveLength(1);
    const column = one.includes('«') ? one.indexOf('«') + FIRST : 5;
    const told = `${BEFORE + 1}:${column}: ${expected}`;
    expect(errors[0]?.replaceAll(folder.path, 'FOLDER').slice(0, told.length)).toBe(told);
    expect(summary.tests).toBe(0);
  });

  test('all problems at once, in the order of the file, and no test of such a suite is run', async () => {
    const text = `${BASE}config: { mode: strict }\ndefaults: { point: scann }\nextra: 1\ntests:\n  - { name: a, object: id, expect: allowed }\n  - { name: a, object: id, expect: denyed }\n`;
    const { errors, summary } = await run(text);
    expect(errors).toEqual([
      '8:17: config.mode: expected enforce, warn or audit, found "strict"',
      '9:20: defaults.point: expected webhook, check or scan, found "scann"; did you mean "scan"?',
      '10:1: extra: unknown key; known here: apiVersion, kind, config, objects, defaults, tests',
      '13:13: tests[1].name: another test is called so, on line 12; give each a name of its own',
      '13:36: tests[1].expect: expected allowed, denied or indeterminate, found "denyed"; did you mean "denied"?',
    ]);
    expect(summary).toMatchObject({ tests: 0, errors: 5 });
  });

  test.each([
    [
      'another kind of document',
      'apiVersion: v1\nkind: List\nitems: []\n',
      '1:13: apiVersion: expected "muster/v1alpha1", found "v1"',
    ],
    ['nothing', '', '1:1: empty; expected a MusterTest'],
    ['broken YAML', 'a: [1\n', '1:'],
    ['a list', '[]\n', '1:1: expected a MusterTest (a map), found a list'],
    ['no tests', `${BASE}tests: []\n`, '8:8: tests: an empty list tests nothing'],
    ['no list of tests', BASE, '1:1: tests: missing; expected a list of tests'],
  ])('%s', async (_, text, expected) => {
    const { errors } = await run(text);
    expect(errors.some((error) => error.startsWith(expected))).toBe(true);
  });

  test('a configuration that is refused, at the place that names it', async () => {
    folder.put('bad.yaml', 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nmode: strict\n');
    const { errors } = await run(suite('object: id, expect: allowed', 'config: bad.yaml\n'));
    expect(errors.map((error) => error.replaceAll(folder.path, 'FOLDER'))).toEqual([
      '8:9: config: FOLDER/bad.yaml:3:7: mode: expected enforce, warn or audit, found "strict"',
    ]);
  });
});

test('the JSON Schema refuses what it can tell', () => {
  const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(suiteSchema);
  const valid = (text: string) => validate(readDocuments(text, 'a').documents[0]?.value);
  expect(valid(suite('object: id, expect: allowed'))).toBe(true);
  for (const one of [
    'objekt: id, expect: allowed',
    'object: id',
    'object: 1, expect: allowed',
    'object: id, expect: deny',
    'object: id, expect: { verdict: denied, rules: 1 }',
  ]) {
    expect([one, valid(suite(one))]).toEqual([one, false]);
  }
});
