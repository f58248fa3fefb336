/** Every way of writing that kubectl has, on every concept, while the webhook is away under Fail: none comes through. */
import type { ControlPlane, Json, Outcome } from '../../e2e/harness/index.ts';
import type { Scenario, Side } from '../../e2e/verbs/scenario.ts';
import { type Attempt, merged, type Verb, verbs } from '../../e2e/verbs/verbs.ts';
import type { World } from '../../e2e/verbs/worlds.ts';

export interface Tried {
  readonly what: string;
  readonly outcome: Outcome;
}

export interface Round {
  readonly tried: readonly Tried[];
  /** Whether what is stored is what was stored. */
  readonly untouched: boolean;
}

/** Each verb that fits, one after the other on the same state: since each is to be refused, it stays. */
export async function tryVerbs(
  controlPlane: ControlPlane,
  world: World,
  scenario: Scenario,
  side: Side,
): Promise<Round> {
  await world.reset(side.world);
  const last = side.world.at(-1);
  const before = last === undefined ? undefined : await world.read(last);
  const attempt = attemptOf(controlPlane, side, before);
  const tried: Tried[] = [];
  for (const verb of verbs.filter((one) => fits(one, scenario))) {
    const outcome = await verb.run(attempt);
    tried.push({ what: `${scenario.on} ${attempt.target[0]}: ${verb.title}`, outcome });
  }
  const after = await world.read(before ?? attempt.after);
  return { tried, untouched: JSON.stringify(after) === JSON.stringify(before) };
}

function fits({ on, generates, unknown, renews }: Verb, scenario: Scenario): boolean {
  // Deleting and creating is two verbs, and each is here.
  return on.includes(scenario.on) && !(generates && scenario.byName) && !unknown && !renews;
}

function attemptOf(controlPlane: ControlPlane, { user, write }: Side, before: Json): Attempt {
  const after = before === undefined ? write : merged(fileOf(before), write ?? {});
  const { kind, apiVersion, metadata } = after;
  const where = metadata.namespace === undefined ? [] : ['-n', metadata.namespace];
  const target = [`${kind}.${apiVersion.split('/').reverse().join('.')}`, metadata.name, ...where];
  return { controlPlane, user, target, before, after, change: write };
}

/** As a person has it: without what the API server adds. */
function fileOf({ metadata, ...rest }: Json): Json {
  const { name, namespace, labels, finalizers } = metadata;
  return JSON.parse(JSON.stringify({ ...rest, metadata: { name, namespace, labels, finalizers } }));
}
