/** A Feature's status, read leniently: what cannot be read is `feature/shape`'s matter and undefined here. */
import { type FeatureState, featureState } from '../../api/feature.ts';
import { type Json, type JsonObject, listOf, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';

export interface FeatureStatus {
  readonly state: FeatureState | undefined;
  /** There is a state, but none of the four. */
  readonly hasInvalidState: boolean;
  /** Undefined where there is something else than a list of strings. */
  readonly tasks: readonly string[] | undefined;
  readonly uses: readonly Json[];
  /** There is something else than a list. */
  readonly hasInvalidUses: boolean;
  readonly version: string | undefined;
  /** `useEvaluationTime` in milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly timeText: Json | undefined;
  /** There is a time, but none that can be read. */
  readonly hasInvalidTime: boolean;
}

/** The status of a Feature, or of none. */
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
