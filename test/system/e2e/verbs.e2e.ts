/**
 * Every way in which kubectl writes, for every concept: an allowed write is stored, a forbidden one is not. Then orders
 * of writes.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Guarded, type Json, type Outcome, startGuarded } from './harness/index.ts';
import { claim, id, membership } from './verbs/objects.ts';
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
  const covered = new Set(scenarios.map(({ on, rule }) => `${on} ${rule.split('/')[0]}`));
  const wanted = ['CREATE', 'UPDATE', 'DELETE'].flatMap((on) =>
    ['claim', 'inventory', 'feature'].map((concept) => `${on} ${concept}`),
  );
  expect([...covered].sort()).toEqual([...wanted, 'STATUS feature', 'STATUS inventory'].sort());
});

describe.each(
  scenarios.map((scenario) => [`${scenario.on} ${scenario.rule} (${kindOf(scenario)})`, scenario] as const),
)('%s', (_, scenario) => {
  const fitting = [...verbs, ...checks]
    .filter((verb) => fits(verb, scenario))
    .map((verb) => [verb.title, verb] as const);

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
  expect(stderr).toContain(verb.recreates ? `[${rule.split('/')[0]}/` : `[${rule}]`);
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
