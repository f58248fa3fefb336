/** What a suite may leave out, and what is refused: accepted.yaml and refused.yaml have the tests. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readDocuments } from '../../../../src/documents/index.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { runAt } from './rule-suites.ts';

const folder = newFolder();
beforeEach(() => {
  folder.put('id.yaml', ID);
  folder.put('service.yaml', SERVICE);
});

const ID = `apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterClaim
metadata: { name: id.k8s.io }
spec: { value: pier-7 }
`;
const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { ports: [{ port: 80 }] }
`;
const BASE = `apiVersion: muster/v1alpha1
kind: MusterTest
objects:
  id: &id { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: { name: id.k8s.io }, spec: { value: pier-7 } }
  set: &set { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: { name: clusterset.k8s.io }, spec: { value: sea } }
  cluster: &cluster { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: InventoryCluster, metadata: { name: c }, spec: { clusterManager: { name: depot } } }
  feature: &feature { apiVersion: features.x-k8s.io/v1alpha1, kind: Feature, metadata: { name: f, namespace: kube-system }, spec: {} }
`;
/** The lines before the test of a suite of one test, and the column of its first key. */
const BEFORE = 8;
const FIRST = 16;

interface Case {
  readonly name: string;
  /** The keys of a test, in YAML. */
  readonly test: string;
  readonly problem?: string;
}

function casesIn(file: string): readonly (readonly [string, Case])[] {
  const { documents } = readDocuments(readFileSync(`test/unit/cli/suites/${file}`, 'utf8'), file);
  const cases = documents[0]?.value as unknown as readonly Case[];
  return cases.map((one) => [one.name, one]);
}

async function run(text: string) {
  const { report, warnings } = await runAt(folder.put('a.muster-test.yaml', text));
  const errors = report.errors.map(({ line, column, message }) => `${line}:${column}: ${message}`);
  return { ...report, errors: errors.map((error) => error.replaceAll(folder.path, 'FOLDER')), warnings };
}

/** A suite of one test. */
const suite = (one: string, before = '') => `${BASE}${before}tests:\n  - { name: a, ${one} }\n`;

async function passes(one: string, before = '') {
  const { errors, results } = await run(suite(one, before));
  expect(errors).toEqual([]);
  expect(results.map(({ differences }) => differences)).toEqual([[]]);
}

describe('a test', () => {
  test.each(casesIn('accepted.yaml'))('%s', (_, one) => passes(one.test));

  test('defaults apply to every test that does not say otherwise', async () => {
    const before = 'defaults: { state: *id, check: *set, as: jane }\n';
    await passes('expect: { verdict: allowed, warnings: [] }', before);
    await passes('state: [], expect: { verdict: allowed, warnings: [claim/clusterset-requires-id] }', before);
    await passes(
      'check: { <<: *id, spec: { value: x } }, expect: { verdict: allowed, warnings: [claim/id-stable] }',
      before,
    );
    await passes(
      'deleted: *id, expect: [{ object: ClusterClaim id.k8s.io, verdict: allowed }, { object: ClusterClaim clusterset.k8s.io, verdict: allowed }]',
      before,
    );
  });

  test('a list of writes names each of them, and no other', async () => {
    const differences = async (expected: string) => {
      const { results } = await run(suite(`check: [*id, *set], expect: ${expected}`));
      return results.flatMap((one) => one.differences.map(({ expected: wanted, got }) => `${wanted}: ${got}`));
    };
    const id = '{ object: ClusterClaim id.k8s.io, verdict: allowed }';
    expect(await differences(`[${id}]`)).toEqual(['no other write: CREATE of ClusterClaim clusterset.k8s.io, allowed']);
    const both = id.replace('ClusterClaim id.k8s.io', 'ClusterClaim clusterset.k8s.io');
    expect(await differences(`[${id}, ${both}, { object: ClusterClaim x, verdict: denied }]`)).toEqual([
      'denied for ClusterClaim x: no such write',
    ]);
    expect(await differences(`[${id}, { object: ClusterClaim clusterset.k8s.io, verdict: denied }]`)).toEqual([
      'denied: allowed',
    ]);
    const other = '{ object: ClusterClaim clusterset.k8s.io, operation: UPDATE, subresource: status, cluster: east';
    expect(await differences(`[${id}, ${other}, verdict: denied }]`)).toEqual([
      'denied for UPDATE of ClusterClaim clusterset.k8s.io (status) in east: no such write',
      'no other write: CREATE of ClusterClaim clusterset.k8s.io, allowed',
    ]);
  });

  test('an object that can not be written is an error of its test', async () => {
    const { errors } = await run(
      suite('check: { apiVersion: multicluster.x-k8s.io/v1alpha1, kind: ClusterClaim, metadata: {} }, expect: allowed'),
    );
    expect(errors).toEqual(['9:99: the object has no metadata.name, nor generateName (in "a")']);
  });

  test('a folder with one object in two folders is an error, as for check; files and clusters are not', async () => {
    for (const name of ['east', 'west']) folder.put(`all/${name}/id.yaml`, ID);
    const same = /^1:1: the same ClusterClaim "id.k8s.io" in .*east and .*west; .* name them in clusters \(in "a"\)$/;
    for (const check of ['all', '[all/east, all/west]'])
      expect((await run(suite(`check: ${check}, expect: allowed`))).errors).toEqual([expect.stringMatching(same)]);
    await passes('check: [all/east/id.yaml, all/west/id.yaml], expect: allowed');
    await passes('point: check, clusters: { a: { check: all/east }, b: { check: all/west } }, expect: allowed');
  });

  test('an object that a suite writes out is in no folder, even where a folder around the suite is named', async () => {
    const inner = newFolder();
    inner.put('east/id.yaml', ID);
    const { report } = await runAt(inner.put('a.muster-test.yaml', suite('check: [., *id], expect: allowed')));
    expect(report.errors).toEqual([]);
  });

  test('is an error if nothing of it is evaluated, whatever it expects', async () => {
    const pod = '{ operation: CREATE, uid: a, kind: { group: "", version: v1, kind: Pod }, object: {} }';
    const review = `{ apiVersion: admission.k8s.io/v1, kind: AdmissionReview, request: ${pod} }`;
    for (const [written, reason] of [
      ['check: *id, subresource: status', 'no write of /status follows from it, and only those are evaluated'],
      [`check: ${review}`, 'no rule applies to its request'],
    ]) {
      const { errors, results } = await run(suite(`${written}, expect: allowed`));
      expect(errors).toEqual([expect.stringMatching(`: nothing is evaluated: ${reason} \\(in "a"\\)$`)]);
      expect(results).toEqual([]);
    }
  });

  test('the configuration is written out, a file, or nowhere', async () => {
    const one = 'check: *set, state: *id, as: jane, expect: { verdict: denied, rules: [claim/clusterset-manager] }';
    const claims = 'claims: { membershipManagers: [{ user: bob }] }';
    await passes(one, `config: { ${claims} }\n`);
    folder.put('muster.yaml', `${HEAD}${claims}\n`);
    await passes(one, 'config: muster.yaml\n');
    await passes('check: *set, state: *id, as: jane, expect: allowed');
  });

  test('now is the time of the request', async () => {
    const until =
      'exceptions: [{ rules: [claim/id-syntax], apiGroup: multicluster.x-k8s.io, kind: ClusterClaim, name: id.k8s.io, expires: 2026-06-30, reason: r }]';
    const config = `config: { ${until} }\n`;
    const on = (day: string, expected: string) =>
      `check: { <<: *id, spec: { value: A_B } }, now: "${day}T12:00:00Z", expect: ${expected}`;
    await passes(on('2026-06-30', '{ verdict: allowed, audits: [claim/id-syntax] }'), config);
    await passes(on('2026-07-01', '{ verdict: denied, audits: [] }'), config);
  });

  test('the point of enforcement has its own actions', async () => {
    const config = 'config: { rules: { claim/id-syntax: { check: warn } } }\n';
    await passes(
      'check: { <<: *id, spec: { value: A_B } }, point: check, expect: { verdict: allowed, warnings: [claim/id-syntax] }',
      config,
    );
    await passes('check: { <<: *id, spec: { value: A_B } }, expect: denied', config);
  });

  test('rules that compare many objects apply where a webhook applies them', async () => {
    const status = '{ properties: [{ name: clusterset.k8s.io, value: s }, { name: id.k8s.io, value: x }] }';
    const cluster = (name: string) =>
      `{ apiVersion: multicluster.x-k8s.io/v1alpha1, kind: InventoryCluster, metadata: { name: ${name} }, spec: { clusterManager: { name: m } }, status: ${status} }`;
    const before = cluster('b').replace(/, status: .*/, ' }');
    const one = `state: [${cluster('a')}, ${before}], check: ${cluster('b')}, subresource: status`;
    await passes(`${one}, expect: { verdict: allowed, warnings: [] }`);
    const warns = 'expect: { verdict: allowed, warnings: [inventory/unique-cluster-id] }';
    await passes(`${one}, view: files, ${warns}`);
    await passes(`${one}, point: scan, ${warns}`);
  });

  test('a file may hold several suites', async () => {
    const { results } = await run(`${suite('check: *id, expect: allowed')}---\n${suite('check: *id, expect: denied')}`);
    expect(results.map(({ name, outcome, line }) => [name, outcome, line])).toEqual([
      ['a', 'passed', BEFORE + 1],
      ['a', 'failed', 2 * BEFORE + 3],
    ]);
  });
});

describe('is refused', () => {
  test.each(casesIn('refused.yaml'))('%s', async (_, { test: one, problem }) => {
    const { errors, summary } = await run(suite(one.replace('«', '')));
    const column = one.includes('«') ? one.indexOf('«') + FIRST : 5;
    const expected = `${BEFORE + 1}:${column}: ${problem}`;
    expect(errors.map((error) => error.slice(0, expected.length))).toEqual([expected]);
    expect(summary.tests).toBe(0);
  });

  test('a pattern of more than 1000 characters', async () => {
    const { errors } = await run(suite(`check: *id, expect: { verdict: denied, message: ${'a'.repeat(1001)} }`));
    expect(errors[0]).toMatch(/message: expected a regular expression of at most 1000 characters, found "a+…"$/);
  });

  test('an object of another kind, whose keys are no problems of their own', async () => {
    expect((await run(ID)).errors).toEqual([
      '2:7: kind: expected "MusterTest", found "ClusterClaim"; muster check evaluates manifests, and muster test --record writes a suite of them',
    ]);
  });

  test('all problems at once, in the order of the file, and no test of such a suite is run', async () => {
    const text = `${BASE}config: { mode: strict }\ndefaults: { point: scann }\nextra: 1\ntests:\n  - { name: a, check: *id, expect: allowed }\n  - { name: a, check: *id, expect: denyed }\n`;
    const { errors, summary } = await run(text);
    expect(errors).toEqual([
      '8:17: config.mode: expected enforce, warn or audit, found "strict"',
      '9:20: defaults.point: expected webhook, check or scan, found "scann"; did you mean "scan"?',
      '10:1: extra: unknown key; known here: apiVersion, kind, config, objects, defaults, tests',
      '13:13: tests[1].name: tests[0] has this name too: rename one',
      '13:36: tests[1].expect: expected a verdict (allowed, denied or indeterminate), a map, or a list of writes, found "denyed"; did you mean "denied"?',
    ]);
    expect(summary).toMatchObject({ tests: 0, errors: 5 });
  });

  test.each([
    ['nothing', '', '1:1: empty; expected a MusterTest'],
    ['broken YAML', 'a: [1\n', '1:'],
    ['a list', '[]\n', '1:1: expected a MusterTest (a map), found a list'],
    ['no tests', `${BASE}tests: []\n`, '8:8: tests: an empty list tests nothing'],
    ['no list of tests', BASE, '1:1: tests: missing; expected a list of tests'],
  ])('%s', async (_, text, expected) => {
    const { errors } = await run(text);
    expect(errors.some((error) => error.startsWith(expected))).toBe(true);
  });

  test('a configuration that is refused, at the key that names it', async () => {
    folder.put('bad.yaml', `${HEAD}mode: strict\n`);
    const { errors } = await run(suite('check: *id, expect: allowed', 'config: bad.yaml\n'));
    expect(errors).toEqual(['8:9: config: FOLDER/bad.yaml:3:7: mode: expected enforce, warn or audit, found "strict"']);
  });
});
