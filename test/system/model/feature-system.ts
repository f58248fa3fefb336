/**
 * Small systems of one Feature: who may write what, and when. Two states that differ only in the names of tasks, or in
 * which of two versions is which, are one state: machine.property.test.ts shows that verdicts do not depend on them.
 */
import { feature as dialect } from '../../../src/api/dialects.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { createEngine, freeze } from '../../../src/engine/index.ts';
import { evaluateStatusUpdate } from '../../../src/rules/feature/state-machine.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Rule } from '../../../src/rules/rule.ts';
import { viewOf } from '../../support/rule-tester.ts';
import type { Answer, TransitionSystem } from './explore.ts';
import {
  brokenBy,
  brokenIn,
  type Enablement,
  type State,
  type Status,
  type Surroundings,
  unheededBy,
  WAIT,
} from './feature-norm.ts';

interface Moment extends Surroundings {
  readonly status: Status;
}

/**
 * What a system holds. Times are hours; the clock goes from the first of `clock` to the next, and stays at the last.
 */
export interface Bounds {
  readonly names: readonly string[];
  readonly mostTasks: number;
  readonly uses: readonly Status['uses'][];
  readonly times: readonly (number | undefined)[];
  readonly clock: readonly number[];
  readonly versions: readonly (string | undefined)[];
  readonly configurations: readonly Pick<Status, 'source' | 'default' | 'stability'>[];
  readonly desired: readonly (Enablement | undefined)[];
}

export type Judge = (from: Moment, to: Moment) => Answer | Promise<Answer>;

const STATES: readonly (State | undefined)[] = [undefined, 'Off', 'TurningOn', 'On', 'TurningOff'];
const EPOCH = Date.parse('2026-06-01T00:00:00Z');
const HOUR = 3_600_000;

/** The system of these bounds, with this evaluation of writes. */
export function systemOf(bounds: Bounds, judge: Judge): TransitionSystem<Moment> {
  const writes = new Map<string, readonly Status[]>();
  return {
    initial: bounds.configurations.map((configuration) => ({
      now: bounds.clock[0] ?? 0,
      desired: undefined,
      status: {
        state: undefined,
        tasks: [],
        uses: [],
        useEvaluationTime: undefined,
        version: bounds.versions[0],
        ...configuration,
      },
    })),
    keyOf: (moment) => JSON.stringify(canonical(moment, bounds)),
    *drift(moment) {
      const later = bounds.clock[bounds.clock.indexOf(moment.now) + 1];
      if (later !== undefined) yield { ...moment, now: later };
      for (const desired of bounds.desired) yield { ...moment, desired };
    },
    *candidates(moment) {
      const known = namesIn(moment.status);
      const key = known.join();
      const statuses = writes.get(key) ?? [...statusesOf(bounds, known)];
      writes.set(key, statuses);
      for (const status of statuses) yield { ...moment, status };
    },
    judge,
    broken: (from, to) => brokenBy(from.status, to.status, from),
    unheeded: (from, to) => unheededBy(from.status, to.status, from),
    brokenState: ({ status }) => brokenIn(status),
  };
}

/** Evaluated by the engine, as in the webhook, with these rules. */
export function byEngine(catalogue: readonly Rule[] = rules): Judge {
  let now = 0;
  const engine = createEngine({ point: 'webhook', clock: () => now, catalogue });
  const view = viewOf('unknown');
  return async (from, to) => {
    now = EPOCH + from.now * HOUR;
    const subject = {
      dialect,
      version: 'v1alpha1',
      operation: 'UPDATE',
      subresource: 'status',
      object: objectOf(to.status, from.desired),
      oldObject: objectOf(from.status, from.desired),
      name: 'fastlane',
      namespace: 'kube-system',
      identity: undefined,
      dryRun: false,
    } as const;
    const { outcome, findings } = await engine.evaluate(subject, view);
    return { allowed: outcome === 'allowed', warnings: findings.filter(({ action }) => action === 'warn').length };
  };
}

/** Judged by the machine alone, which warns of nothing; some ten times as fast. */
export function byMachine(): (from: Moment, to: Moment) => Answer {
  return (from, to) => {
    const clock = { now: EPOCH + from.now * HOUR, skew: 0 };
    const { violation } = evaluateStatusUpdate(objectOf(from.status, undefined), objectOf(to.status, undefined), clock);
    return { allowed: violation === undefined };
  };
}

/** The statuses that can be written over one whose tasks have these names: names beyond them come in their order. */
function* statusesOf(bounds: Bounds, known: readonly string[]): Iterable<Status> {
  const lists = [...listsOf(bounds, known)];
  for (const state of STATES)
    for (const tasks of state === undefined ? lists.filter((list) => list.length < 2 && list[0] !== WAIT) : lists)
      for (const uses of bounds.uses)
        for (const useEvaluationTime of bounds.times)
          for (const version of bounds.versions)
            for (const configuration of bounds.configurations)
              yield { state, tasks, uses, useEvaluationTime, version, ...configuration };
}

function* listsOf(
  { names, mostTasks }: Bounds,
  known: readonly string[],
  list: readonly string[] = [],
): Iterable<string[]> {
  yield [...list];
  if (list.length === mostTasks) return;
  const met = new Set([...known, ...list]);
  const fresh = names.find((name) => !met.has(name));
  for (const name of [WAIT, ...names.filter((one) => met.has(one)), ...(fresh === undefined ? [] : [fresh])])
    yield* listsOf({ names, mostTasks } as Bounds, known, [...list, name]);
}

function namesIn({ tasks }: Status): string[] {
  return [...new Set(tasks)].filter((name) => name !== WAIT);
}

/** The first name that stands in the list is A, and so on; the version that is stored is the first. */
function canonical(moment: Moment, { names, versions }: Bounds): Moment {
  const met = namesIn(moment.status);
  const tasks = moment.status.tasks.map((name) => (name === WAIT ? WAIT : (names[met.indexOf(name)] ?? name)));
  const version = moment.status.version === undefined ? undefined : versions[0];
  return { ...moment, status: { ...moment.status, tasks, version } };
}

const objects = new WeakMap<Status, Map<Enablement | undefined, JsonObject>>();

/** The Feature with this status; made once. */
function objectOf(status: Status, desired: Enablement | undefined): JsonObject {
  const made = objects.get(status) ?? new Map<Enablement | undefined, JsonObject>();
  objects.set(status, made);
  const object = made.get(desired) ?? featureOf(status, desired);
  made.set(desired, object);
  return object;
}

function featureOf(
  { state, tasks, uses, useEvaluationTime, version, ...rest }: Status,
  desired: Enablement | undefined,
): JsonObject {
  const status = {
    ...rest,
    class: 'kube-system',
    name: 'fastlane',
    transitionTasks: [...tasks],
    uses: uses.map((use) => ({ ...use, reportTime: new Date(EPOCH).toISOString() })),
    ...(state === undefined ? {} : { state }),
    ...(version === undefined ? {} : { version }),
    ...(useEvaluationTime === undefined
      ? {}
      : { useEvaluationTime: new Date(EPOCH + useEvaluationTime * HOUR).toISOString() }),
  };
  return freeze({
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: { name: 'fastlane', namespace: 'kube-system' },
    spec: desired === undefined ? {} : { desired },
    status,
  });
}
