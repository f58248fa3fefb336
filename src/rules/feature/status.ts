/** Reads the status of a Feature. What can't be read is undefined; `feature/shape` reports it. */
import { type FeatureState, featureState } from '../../api/feature.ts';
import { type Json, type JsonObject, listOf, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';

export interface FeatureStatus {
  readonly state: FeatureState | undefined;
  /** Whether there is a state, but not one of the four. */
  readonly hasInvalidState: boolean;
  /** Undefined if there is something other than a list of strings. */
  readonly tasks: readonly string[] | undefined;
  readonly uses: readonly Json[];
  /** Whether there is something other than a list. */
  readonly hasInvalidUses: boolean;
  readonly version: string | undefined;
  /** `useEvaluationTime` in milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly timeText: Json | undefined;
  /** Whether there is a time that can't be read. */
  readonly hasInvalidTime: boolean;
}

/** Returns the status of an object; without an object, an empty status. */
export function readStatus(object: JsonObject | undefined): FeatureStatus {
  const status = statusOf(object);
  const state = status?.['state'] ?? undefined;
  const uses = status?.['uses'] ?? undefined;
  const timeText = status?.['useEvaluationTime'] ?? undefined;
  const time = typeof timeText === 'string' ? parseTime(timeText) : undefined;
  const known = (featureState as readonly unknown[]).includes(state);
  return {
    state: known ? (state as FeatureState) : undefined,
    hasInvalidState: !known && state !== undefined,
    tasks: tasksOf(status?.['transitionTasks'] ?? undefined),
    uses: listOf(uses),
    hasInvalidUses: uses !== undefined && !Array.isArray(uses),
    version: textOf(status?.['version']),
    time,
    timeText,
    hasInvalidTime: timeText !== undefined && time === undefined,
  };
}

const NONE: readonly string[] = [];

function tasksOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return NONE;
  return Array.isArray(value) && value.every((task) => typeof task === 'string') ? value : undefined;
}
