/** `check --live` says of a change what an API server with muster registered says of it. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { inventoryCluster } from '../../src/api/dialects.ts';
import { runCheck } from '../../src/cli/check/run.ts';
import type { CheckReport } from '../../src/cli/output/report.ts';
import { createClusterReader, openCluster } from '../../src/cluster/live/index.ts';
import { rules } from '../../src/rules/index.ts';
import { changes } from './check-live/arbitrary.ts';
import { type Case, cases, claim, inventory } from './check-live/cases.ts';
import {
  type ControlPlane,
  grantAccess,
  type Json,
  MAIN,
  type Muster,
  register,
  say,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { type World, worldOf } from './verbs/worlds.ts';

jest.setTimeout(60_000);

const RUNS = Number(process.env['CHECK_LIVE_RUNS'] ?? 40);

let controlPlane: ControlPlane;
let muster: Muster;
let world: World;
let kubeconfig: string;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose' });
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: { exemptions: { users: ['admin'] } } });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  world = worldOf(controlPlane);
  kubeconfig = controlPlane.kubeconfig('jane');
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `muster check` as a process. */
function check(args: readonly string[], stdin = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'check', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(stdin);
  });
}

async function checkLive(args: readonly string[], objects: readonly Json[] = []): Promise<CheckReport> {
  const text = objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('');
  const { stdout, stderr, code } = await check([...args, '--live', '--kubeconfig', kubeconfig, '-o', 'json'], text);
  if (stdout === '') throw new Error(`check ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Rules that a server never asks at the moment of a write: a check has the time for them. */
const scanOnly = new Set<string>(rules.filter((rule) => rule.unique !== undefined).map(({ id }) => id));

function saidBy({ results, errors }: CheckReport) {
  expect(errors).toEqual([]);
  const found = results.flatMap(({ findings }) => findings).filter(({ action }) => action !== 'audit');
  const ruleIds = new Set(found.map(({ ruleId }) => ruleId).filter((ruleId) => !scanOnly.has(ruleId)));
  return { allowed: results.every(({ outcome }) => outcome === 'allowed'), rules: [...ruleIds].sort() };
}

/** What the mutating webhook puts back it warns of; check has a note instead. */
const PUT_BACK = /^Warning: \[inventory\/cluster-manager-label\].*is put back as stored.*$/gm;

function saidByServer({ code, stderr }: { code: number; stderr: string }) {
  const ruleIds = new Set(
    [...stderr.replace(PUT_BACK, '').matchAll(/\[((?:claim|inventory|feature)\/[a-z-]+)\]/g)].map(([, id]) => id),
  );
  return { allowed: code === 0, rules: [...ruleIds].sort() };
}

async function prepare({ stored = [], applied = [] }: Case): Promise<void> {
  await world.reset(stored);
  for (const object of applied) {
    const { code, stderr } = await controlPlane.kubectl('admin', ['apply', '-f', '-'], object);
    if (code !== 0) throw new Error(stderr);
  }
}

describe('a change judged by check --live and by kubectl --dry-run=server', () => {
  const tally = { allowed: 0, denied: 0 };

  test.each(cases)('$name', async (one) => {
    await prepare(one);
    const file = join(controlPlane.folder, 'change.json');
    writeFileSync(file, JSON.stringify(one.file));
    const verb = one.status ? ['replace', '--subresource=status'] : [one.deleted ? 'delete' : 'apply'];
    const server = saidByServer(await controlPlane.kubectl('jane', [...verb, '--dry-run=server', '-f', file]));
    const report = await checkLive([
      ...(one.deleted ? ['--deleted'] : []),
      file,
      '--subresource',
      one.status ? 'status' : 'none',
    ]);
    expect(saidBy(report)).toEqual(server);
    expect({ allowed: server.allowed, operation: report.results[0]?.operation }).toEqual({
      allowed: one.allowed,
      operation: one.operation,
    });
    tally[server.allowed ? 'allowed' : 'denied'] += 1;
  });

  test('of both kinds', () => {
    say(`check --live agrees with the API server on ${tally.allowed} allowed and ${tally.denied} denied changes`);
    expect(tally.allowed).toBeGreaterThan(5);
    expect(tally.denied).toBeGreaterThan(5);
  });
});

test('any change of any small world: the same rules, the same verdict', async () => {
  const tally = { allowed: 0, denied: 0 };
  await fc.assert(
    fc.asyncProperty(changes, async ({ stored, applied, file, deleted }) => {
      await prepare({ name: '', stored, applied, file: {}, allowed: true });
      const text = JSON.stringify(file);
      const verb = deleted ? 'delete' : 'apply';
      const outcome = await controlPlane.kubectl('jane', [verb, '--dry-run=server', '-f', '-'], text);
      const report = await checkHere(text, deleted);
      if (outcome.stderr.includes('NotFound')) return expect(report.summary).toMatchObject({ skipped: 1, judged: 0 });
      expect({ ...saidBy(report), stderr: outcome.stderr }).toEqual({
        ...saidByServer(outcome),
        stderr: outcome.stderr,
      });
      tally[outcome.code === 0 ? 'allowed' : 'denied'] += 1;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  say(`check --live agrees with the API server on ${tally.allowed} allowed and ${tally.denied} denied random changes`);
}, 600_000);

/** In this process: to start one for each would take longer than all the rest. */
async function checkHere(text: string, deleted: boolean): Promise<CheckReport> {
  const client = openCluster({ kubeconfig });
  try {
    const live = { reader: createClusterReader({ client }), namespace: client.namespace };
    const named = deleted ? { paths: [], deleted: ['-'] } : { paths: ['-'], deleted: [] };
    const given = {
      ...named,
      state: undefined,
      identity: undefined,
      subresource: 'none',
      failOnNoMatch: false,
    } as const;
    return (await runCheck({ ...given, live, stdin: async () => Buffer.from(text), clock: Date.now })).report;
  } finally {
    client.close();
  }
}

test('documents of one run see each other in order, as an apply of all of them would', async () => {
  await prepare({ name: '', applied: [claim('id.k8s.io', 'one')], file: {}, allowed: true });
  const [join_, change] = [claim('clusterset.k8s.io', 'fleet'), claim('id.k8s.io', 'two')];
  const outcomes = async (...objects: Json[]) =>
    (await checkLive(['-'], objects)).results.map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect(await outcomes(join_, change)).toEqual(['CREATE allowed', 'UPDATE denied']);
  expect(await outcomes(change, join_)).toEqual(['UPDATE allowed', 'CREATE allowed']);
  const { code, stderr } = await controlPlane.kubectl('jane', ['apply', '-f', '-'], [join_, change]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[claim/id-immutable-in-clusterset]') });
});

test('what kustomize prints, piped in', async () => {
  await prepare({
    name: '',
    applied: [claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet')],
    file: {},
    allowed: true,
  });
  const folder = join(controlPlane.folder, 'kustomize');
  mkdirSync(folder);
  const patch = '- {op: replace, path: /spec/value, value: two}';
  const kustomization = {
    resources: ['claims.json'],
    labels: [{ pairs: { 'app.kubernetes.io/part-of': 'fleet' } }],
    configMapGenerator: [{ name: 'settings', literals: ['a=b'] }],
    patches: [{ target: { kind: 'ClusterClaim', name: 'id.k8s.io' }, patch }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  const items = [claim('id.k8s.io', 'one'), claim('clusterset.k8s.io', 'fleet'), inventory('a')];
  writeFileSync(join(folder, 'claims.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const { stdout } = await controlPlane.kubectl('jane', ['kustomize', folder]);
  const { stdout: text, code } = await check(['-', '--live', '--kubeconfig', kubeconfig, '-o', 'json'], stdout);
  const { results, summary, errors } = JSON.parse(text) as CheckReport;
  expect(results.map(({ operation, name, outcome }) => `${operation} ${name} ${outcome}`)).toEqual([
    'UPDATE clusterset.k8s.io allowed',
    'UPDATE id.k8s.io denied',
    'CREATE a allowed',
  ]);
  expect({ code, skipped: summary.skipped, errors }).toEqual({ code: 1, skipped: 1, errors: [] });
});

test('nothing is written', async () => {
  await prepare({ name: '', applied: [claim('id.k8s.io', 'one')], file: {}, allowed: true });
  const before = await world.read(claim('id.k8s.io', 'one'));
  await checkLive(['-'], [claim('id.k8s.io', 'two'), claim('clusterset.k8s.io', 'fleet')]);
  expect(await world.read(claim('id.k8s.io', 'one'))).toEqual(before);
  expect(await world.read(claim('clusterset.k8s.io', 'fleet'))).toBeUndefined();
});

test('rules that compare many objects read all pages of them', async () => {
  const member = (name: string) => ({
    ...inventory(name),
    status: { properties: [{ name: 'id.k8s.io', value: 'same' }] },
  });
  await prepare({
    name: '',
    stored: Array.from({ length: 7 }, (_, index) => member(`m${index}`)),
    file: {},
    allowed: true,
  });
  const client = openCluster({ kubeconfig });
  try {
    const lists = await Promise.all(
      [500, 3, 1].map((pageSize) => createClusterReader({ client, pageSize }).list(inventoryCluster)),
    );
    for (const answer of lists)
      expect(answer.known && answer.value.map((object) => object['metadata'])).toHaveLength(7);
    expect(JSON.stringify(lists)).not.toContain('managedFields');
  } finally {
    client.close();
  }
});

test('a thousand documents', async () => {
  await world.reset([]);
  const objects = Array.from({ length: 1000 }, (_, index) => claim(`c${index}.example.com`, 'x'));
  const began = performance.now();
  const { summary } = await checkLive(['-'], objects);
  say(`check --live of 1000 documents: ${Math.round(performance.now() - began)} ms`);
  expect(summary).toMatchObject({ judged: 1000, allowed: 1000, errors: 0 });
});

describe('a cluster that does not answer as it should', () => {
  const file = JSON.stringify(claim('id.k8s.io', 'Not valid'));

  test('no rights: exit 2 with the right that is missing, and what can be judged is', async () => {
    const stranger = controlPlane.kubeconfig('stranger');
    const { code, stdout, stderr } = await check(['-', '--live', '--kubeconfig', stranger], file);
    expect(code).toBe(2);
    expect(stderr).toBe(
      '<cluster>:1:1: error: you may not get clusterclaims (multicluster.x-k8s.io): ask for that right, or name another --context\n',
    );
    expect(stdout).toContain('[claim/id-syntax]');
  });

  test('credentials that nobody knows', async () => {
    const strange = join(controlPlane.folder, 'strange.kubeconfig');
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server: controlPlane.url, 'certificate-authority': controlPlane.caFile } }],
      users: [{ name: 'u', user: { token: 'nobody' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
    writeFileSync(strange, text);
    const { code, stderr } = await check(['-', '--live', '--kubeconfig', strange], file);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^<cluster>:1:1: error: .*credentials.*\n$/),
    });
  });

  test('a kind that is not served yet: it has no objects, and a note says so', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/features.features.x-k8s.io';
    await controlPlane.api('admin').call('DELETE', path);
    const gone = async () => (await controlPlane.api('jane').call('GET', '/apis/features.x-k8s.io/v1alpha1')).status;
    while ((await gone()) !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
    const feature = { apiVersion: 'features.x-k8s.io/v1alpha1', kind: 'Feature', metadata: { name: 'a' }, spec: {} };
    const args = ['-', '--live', '--kubeconfig', kubeconfig, '--subresource', 'none'];
    const { code, stderr } = await check(args, JSON.stringify(feature));
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '<cluster>: note: it does not serve features (features.x-k8s.io), so none exist there\n',
    });
  });

  test('one that is away: one error, at once', async () => {
    await controlPlane.stopApiServer();
    const many = Array.from({ length: 200 }, (_, index) => claim(`c${index}.example.com`, 'x'));
    const text = [...many, claim('id.k8s.io', 'Not valid')].map((object) => JSON.stringify(object)).join('\n---\n');
    const { code, stdout, stderr } = await check(['-', '--live', '--kubeconfig', kubeconfig], text);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^<cluster>:1:1: error: the API server at \S+ can't be reached \(ECONNREFUSED\): .*\n$/,
      ),
    });
    expect(stdout).toContain('[claim/id-syntax]');
    await controlPlane.startApiServer();
  });
});
