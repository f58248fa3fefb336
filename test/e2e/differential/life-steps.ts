/** Writes of a feature's status that a server might make: a step of a transition, done well or nearly so. */
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import type { Random } from '../../fuzz/random.ts';
import { use } from './entries.ts';
import { timeFor } from './values.ts';

const NEXT: Readonly<Record<string, readonly string[]>> = {
  Off: ['TurningOn'],
  TurningOn: ['On', 'TurningOff'],
  On: ['TurningOff'],
  TurningOff: ['Off', 'TurningOn'],
};

/** The status after the step. */
export function lifeStep(old: JsonObject, random: Random, now: number): Json {
  const status = (old['status'] ?? {}) as JsonObject;
  if (typeof status !== 'object' || Array.isArray(status)) return { state: 'Off' };
  const tasks = Array.isArray(status['transitionTasks']) ? (status['transitionTasks'] as Json[]) : [];
  const uses = Array.isArray(status['uses']) ? (status['uses'] as Json[]) : [];
  const steps: readonly (() => JsonObject)[] = [
    () => move(status, random, now),
    () => move(status, random, now),
    () => ({ ...status, transitionTasks: tasks.slice(1) }),
    () => ({ ...status, transitionTasks: [...tasks.slice(1)].reverse() }),
    () => ({ ...status, uses: uses.slice(random.below(2)), useEvaluationTime: timeFor(random, now) }),
    () => ({ ...status, uses: [] }),
    () => ({ ...status, uses: [...uses, use(random, now)] }),
    () => ({ ...status, useEvaluationTime: timeFor(random, now) }),
    () => ({ ...status, version: '1.41.0', transitionTasks: ['Convert', 'WaitForUses'] }),
  ];
  return random.of(steps)();
}

function move(status: JsonObject, random: Random, now: number): JsonObject {
  const state = random.of(NEXT[String(status['state'])] ?? ['Off', 'On', 'TurningOn']);
  const isMoving = state.startsWith('Turning');
  const time = random.of<JsonObject>([{}, { useEvaluationTime: null }, { useEvaluationTime: timeFor(random, now) }]);
  const uses = random.oneIn(3) ? { uses: [] } : {};
  return { ...status, state, transitionTasks: isMoving ? ['Migrate', 'WaitForUses'] : [], ...uses, ...time };
}
