/** Every way in which kubectl writes, for every concept: an allowed write is stored, a forbidden one is not. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  type Outcome,
  register,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { configuration, type Scenario, scenarios } from './verbs/scenarios.ts';
import { type State, stateOf } from './verbs/state.ts';
import { type Attempt, fits, prepare, type Verb, verbs } from './verbs/verbs.ts';

jest.setTimeout(30_000);

let controlPlane: ControlPlane;
let muster: Muster;
let state: State;

beforeAll(async () => {
  // Without schemas, which would refuse some of these writes before muster is called.
  controlPlane = await startControlPlane({ crds: 'loose' });
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: configuration });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  state = stateOf(controlPlane);
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

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
  const fitting = verbs.filter((verb) => fits(verb, scenario)).map((verb) => [verb.title, verb] as const);

  test.each(fitting)('%s: the allowed write is stored', async (__, verb) => {
    const attempt = await prepare(controlPlane, state, scenario.allowed);
    const { code, stderr } = await verb.run(attempt);
    if (verb.unsupported)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(verb.unsupported) });
    else expect({ code, stderr }).toMatchObject({ code: verb.code ?? 0 });
    await expectStored(scenario, verb, attempt);
  });

  test.each(fitting)('%s: the forbidden write is refused with its rule and remedy', async (__, verb) => {
    const attempt = await prepare(controlPlane, state, scenario.forbidden);
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
