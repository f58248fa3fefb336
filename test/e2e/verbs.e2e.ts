/** Every way of writing that kubectl has, against every concept: an allowed write is stored, a forbidden one is not. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  type ControlPlane,
  grantAccess,
  type Json,
  type Muster,
  type Outcome,
  register,
  say,
  startControlPlane,
  startMuster,
} from './harness/index.ts';
import { configuration, type Scenario, type Side } from './verbs/scenario.ts';
import { scenarios } from './verbs/scenarios.ts';
import { type Attempt, merged, type Verb, verbs } from './verbs/verbs.ts';
import { type World, worldOf } from './verbs/worlds.ts';

jest.setTimeout(30_000);

let controlPlane: ControlPlane;
let muster: Muster;
let world: World;
const tried = { allowed: 0, forbidden: 0, bypasses: 0 };

beforeAll(async () => {
  // Loose: a schema of its own would refuse some of this before muster is asked.
  controlPlane = await startControlPlane({ crds: 'loose' });
  await grantAccess(controlPlane);
  muster = await startMuster({ controlPlane, config: configuration });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  world = worldOf(controlPlane);
}, 120_000);
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

test('every verb is tried on every concept', () => {
  const covered = new Set(scenarios.map(({ on, rule }) => `${on} ${rule.split('/')[0]}`));
  const wanted = ['CREATE', 'UPDATE', 'DELETE'].flatMap((on) =>
    ['claim', 'inventory', 'feature'].map((of) => `${on} ${of}`),
  );
  expect([...covered].sort()).toEqual([...wanted, 'STATUS feature', 'STATUS inventory'].sort());
});

for (const scenario of scenarios) {
  describe(`${scenario.on} ${scenario.rule} (${kindOf(scenario)})`, () => {
    for (const verb of verbs.filter((verb) => fits(verb, scenario))) {
      test(`${verb.title}: allowed`, async () => {
        tried.allowed += 1;
        const attempt = await attemptOf(scenario.allowed);
        const { code, stderr } = await verb.run(attempt);
        if (verb.unknown) expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(verb.unknown) });
        else expect({ code, stderr }).toMatchObject({ code: verb.code ?? 0 });
        await expectStored(scenario, verb, attempt);
      });

      test(`${verb.title}: forbidden`, async () => {
        tried.forbidden += 1;
        tried.bypasses += 1;
        const attempt = await attemptOf(scenario.forbidden);
        const outcome = await verb.run(attempt);
        const renewed = verb.renews && scenario.renews;
        if (!verb.unknown && !renewed) expectRefused(scenario, verb, outcome);
        if (!renewed) await expectUntouched(verb, attempt);
        tried.bypasses -= 1;
      });
    }
  });
}

test('bypasses: 0', () => {
  say(
    `verbs: bypasses: ${tried.bypasses} of ${tried.forbidden} forbidden writes; ${tried.allowed} allowed ones tried beside`,
  );
  expect(tried.bypasses).toBe(0);
});

/** A generated name is never one of those that a rule knows. */
function fits({ on, generates }: Verb, scenario: Scenario): boolean {
  return on.includes(scenario.on) && !(generates && scenario.byName);
}

function kindOf({ allowed }: Scenario): string {
  return (allowed.write?.kind ?? allowed.world.at(-1)?.kind) as string;
}

async function attemptOf({ user, world: objects, write }: Side): Promise<Attempt> {
  await world.reset(objects);
  const last = objects.at(-1);
  const before = last === undefined ? undefined : await world.read(last);
  const after = before === undefined ? write : merged(fileOf(before), write ?? {});
  const { kind, apiVersion, metadata } = after;
  const target = [`${kind}.${apiVersion.split('/').reverse().join('.')}`, metadata.name, ...inNamespace(metadata)];
  return { controlPlane, user, target, before, after, change: write };
}

function inNamespace({ namespace }: Json): string[] {
  return namespace === undefined ? [] : ['-n', namespace];
}

/** As a person has it: without what the API server adds. */
function fileOf({ metadata, ...rest }: Json): Json {
  const { name, namespace, labels, finalizers } = metadata;
  return JSON.parse(JSON.stringify({ ...rest, metadata: { name, namespace, labels, finalizers } }));
}

async function expectStored({ on }: Scenario, verb: Verb, attempt: Attempt): Promise<void> {
  if (verb.generates) return;
  const stored = await world.read(attempt.before ?? attempt.after);
  if (verb.dry || verb.unknown) expect(stored).toEqual(attempt.before);
  // To orphan is the garbage collector's work, and none runs here: the object waits for it.
  else if (on === 'DELETE') expect(stored?.metadata.finalizers ?? ['orphan']).toEqual(['orphan']);
  else expect(stored).toMatchObject(on === 'CREATE' ? attempt.after : attempt.change);
}

/** `replace --force` may fail at its deletion already, under the rule of that. */
function expectRefused({ rule, remedy }: Scenario, verb: Verb, { code, stderr }: Outcome): void {
  expect(stderr).toContain(verb.renews ? `[${rule.split('/')[0]}/` : `[${rule}]`);
  if (!verb.renews) expect(stderr).toMatch(remedy);
  expect(code).toBeGreaterThan(0);
}

async function expectUntouched(verb: Verb, { before, after }: Attempt): Promise<void> {
  const stored = await world.read(before ?? after);
  // `replace --force` deletes first; what may not be created stays away.
  if (verb.renews && stored === undefined) return;
  expect(stored).toEqual(before);
}
