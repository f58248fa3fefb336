/**
 * Every way in which kubectl writes, for every concept: an allowed write is stored, a forbidden one is not. Other kinds
 * and rules are tried in one way each. Then orders of writes, and `muster check --live` of the same cluster.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CheckReport } from '../../../src/report/report.ts';
import {
  type Guarded,
  type Input,
  type Json,
  type Outcome,
  runMuster,
  startGuarded,
  succeeded,
} from './harness/index.ts';
import {
  claim,
  id,
  inventory,
  labelled,
  managed,
  membership,
  olderProperty,
  profile,
  property,
} from './verbs/objects.ts';
import { configuration, type Scenario, scenarios } from './verbs/scenarios.ts';
import { type State, stateOf } from './verbs/state.ts';
import { type Attempt, checks, fits, prepare, type Verb, verbs } from './verbs/verbs.ts';

let guarded: Guarded;
let state: State;

beforeAll(async () => {
  // Without schemas, which would refuse some of these writes before muster is called.
  guarded = await startGuarded({
    crds: 'loose',
    muster: { config: configuration },
    registration: { failurePolicy: 'Fail' },
  });
  state = stateOf(guarded.controlPlane);
});
afterAll(() => guarded?.stop());

test('every kind of write is tried on every concept', () => {
  const covered = new Set(scenarios.map(({ on, rule }) => `${on} ${conceptOf(rule)}`));
  const wanted = ['CREATE', 'UPDATE', 'DELETE'].flatMap((on) =>
    ['claim', 'inventory', 'feature'].map((concept) => `${on} ${concept}`),
  );
  expect([...covered].sort()).toEqual([...wanted, 'STATUS feature', 'STATUS inventory'].sort());
});

describe.each(
  scenarios.map((scenario) => [`${scenario.on} ${scenario.rule} (${kindOf(scenario)})`, scenario] as const),
)('%s', (_, scenario) => {
  const fitting = [...verbsFor(scenario), ...checks.filter((check) => fits(check, scenario))].map(
    (verb) => [verb.title, verb] as const,
  );

  test.each(fitting)('%s: the allowed write is stored', async (__, verb) => {
    const attempt = await prepare(guarded.controlPlane, state, scenario.allowed);
    const { code, stderr } = await verb.run(attempt);
    if (verb.unsupported)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(verb.unsupported) });
    else expect({ code, stderr }).toMatchObject({ code: verb.code ?? 0 });
    await expectStored(scenario, verb, attempt);
  });

  test.each(fitting)('%s: the forbidden write is refused with its rule and remedy', async (__, verb) => {
    const attempt = await prepare(guarded.controlPlane, state, scenario.forbidden);
    const outcome = await verb.run(attempt);
    if (verb.recreates && scenario.recreates) return;
    if (!verb.unsupported) expectRefused(scenario, verb, outcome);
    const stored = await state.read(attempt.before ?? attempt.after);
    // `replace --force` deletes first, and what may not be created stays away.
    if (!verb.recreates || stored !== undefined) expect(stored).toEqual(attempt.before);
  });
});

/** kubectl writes all kinds alike: the first scenario of a concept has every verb, and the others have one. */
function verbsFor(scenario: Scenario): readonly Verb[] {
  const first = scenarios.find(({ on, rule }) => on === scenario.on && conceptOf(rule) === conceptOf(scenario.rule));
  const fitting = verbs.filter((verb) => fits(verb, scenario));
  return scenario === first ? fitting : fitting.slice(0, 1);
}

function conceptOf(rule: string): string {
  return rule.slice(0, rule.indexOf('/'));
}

function kindOf({ allowed: { write, stored } }: Scenario): string {
  return (write?.kind ?? stored?.at(-1)?.kind) as string;
}

async function expectStored({ on }: Scenario, verb: Verb, attempt: Attempt): Promise<void> {
  if (verb.generates) return;
  const stored = await state.read(attempt.before ?? attempt.after);
  if (verb.dry || verb.unsupported) expect(stored).toEqual(attempt.before);
  // Orphaning is the work of the garbage collector, which does not run here.
  else if (on === 'DELETE') expect(stored?.metadata.finalizers ?? ['orphan']).toEqual(['orphan']);
  else expect(stored).toMatchObject(on === 'CREATE' ? attempt.after : attempt.change);
}

/** `replace --force` may fail at its deletion already, by another rule. */
function expectRefused({ rule, remedy }: Scenario, verb: Verb, { code, stderr }: Outcome): void {
  expect(stderr).toContain(verb.recreates ? `[${conceptOf(rule)}/` : `[${rule}]`);
  if (!verb.recreates) expect(stderr).toMatch(remedy);
  expect(code).toBeGreaterThan(0);
}

describe('orders of writes, and deletions in bulk', () => {
  beforeEach(() => state.reset([]));

  const CLAIMS = 'clusterclaims.multicluster.x-k8s.io';
  const PATH = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
  const custom = claim('custom.example.com', 'x');
  const kubectl = (args: string, input?: Json) => guarded.controlPlane.kubectl('jane', args.split(' '), input);

  async function succeeds(args: string, input?: Json): Promise<string> {
    const { code, stderr } = await kubectl(args, input);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return stderr;
  }

  const names = async () => (await kubectl(`get ${CLAIMS} -o jsonpath={.items[*].metadata.name}`)).stdout;

  test.each(['apply', 'apply --server-side', 'create'])(
    '%s of the membership before the id warns and succeeds',
    async (verb) => {
      expect(await succeeds(`${verb} -f -`, [membership, id])).toContain('[claim/clusterset-requires-id]');
      expect(await names()).toBe('clusterset.k8s.io id.k8s.io');
    },
  );

  test('id and membership deleted in one command: the id first is refused and can be deleted afterwards', async () => {
    await state.reset([id, membership]);
    const { code, stderr } = await kubectl('delete -f -', [id, membership]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[claim/id-present-in-clusterset]') });
    expect(await names()).toBe('id.k8s.io');
    await succeeds('delete -f -', [id]);
    await state.reset([id, membership]);
    await succeeds('delete -f -', [membership, id]);
    expect(await names()).toBe('');
  });

  test.each([`delete ${CLAIMS} --all`, `delete --raw ${PATH}`])(
    '%s deletes by name, so the membership goes before the id',
    async (command) => {
      await state.reset([id, membership, custom]);
      await succeeds(command);
      expect(await names()).toBe('');
    },
  );

  test('a membership exported with its fields of an apply is refused as a create, and applied without them', async () => {
    await state.reset([id]);
    const { metadata } = membership;
    const entry = { manager: 'kubectl', operation: 'Apply', apiVersion: membership.apiVersion, fieldsType: 'FieldsV1' };
    const managedFields = [{ ...entry, fieldsV1: { 'f:spec': { 'f:value': {} } } }];
    const exported = { ...membership, metadata: { ...metadata, resourceVersion: '5', managedFields } };
    const { code, stderr } = await kubectl(`create --raw ${PATH} -f -`, exported);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('must not be set on an object to be'),
    });
    await succeeds('apply --server-side -f -', { ...membership, metadata: { ...metadata, resourceVersion: '5' } });
  });
});

describe('what check --live reads beyond these writes, on which it is compared too', () => {
  async function report(args: readonly string[], stdin: Input): Promise<CheckReport> {
    const live = ['--live', '--kubeconfig', guarded.controlPlane.kubeconfig('jane')];
    const { stdout, stderr, code } = await runMuster(['check', ...args, ...live, '-o', 'json'], stdin);
    if (stdout === '') throw new Error(`check ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Stores objects with the annotation that kubectl apply leaves. */
  async function apply(...objects: readonly Json[]): Promise<void> {
    await state.reset([]);
    await succeeded(guarded.controlPlane.kubectl('admin', ['apply', '-f', '-'], objects));
  }

  const cluster = inventory('a', managed('m'), labelled('m'));
  const inDefault = profile('p', managed('m'), { namespace: 'default', ...labelled('m') });

  test.each<[string, readonly Json[], Json, string]>([
    ['an id whose file drops its value', [id, membership], { ...id, spec: {} }, 'denied'],
    [
      'a document of an older version than the stored object',
      [property('cluster.clusterset.k8s.io', 'one'), property('clusterset.k8s.io', 'fleet')],
      olderProperty('cluster.clusterset.k8s.io', 'two'),
      'denied',
    ],
    ['a label that the file drops comes back', [cluster], inventory('a', managed('m')), 'allowed'],
    ["a profile in the context's namespace", [inDefault], profile('p', managed('other'), labelled('m')), 'denied'],
    [
      'a profile of the same name in another namespace',
      [inDefault],
      { ...inDefault, metadata: { ...inDefault.metadata, namespace: 'kube-public' } },
      'allowed',
    ],
  ])('%s: the verdict is that of the API server', async (_, stored, file, outcome) => {
    await apply(...stored);
    const applied = await guarded.controlPlane.kubectl('jane', ['apply', '--dry-run=server', '-f', '-'], file);
    const { results } = await report(['-', '--subresource', 'none'], file);
    expect([applied.code === 0 ? 'allowed' : 'denied', results[0]?.outcome]).toEqual([outcome, outcome]);
  });
});
