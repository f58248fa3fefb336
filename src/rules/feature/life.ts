/** A Feature's status, read leniently: what cannot be read is `feature/shape`'s matter and undefined here. */
import { type Json, type JsonObject, listOf, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { parseTime } from '../../base/syntax.ts';

export type State = 'Off' | 'TurningOn' | 'On' | 'TurningOff';
export const STATES: readonly string[] = ['Off', 'TurningOn', 'On', 'TurningOff'] satisfies State[];
/** The last task of every transition, done by the system itself. */
export const WAIT_FOR_USES = 'WaitForUses';

export interface Life {
  readonly state: State | undefined;
  /** There is a state, but none of the four. */
  readonly oddState: boolean;
  /** Undefined where there is something else than a list of strings. */
  readonly tasks: readonly string[] | undefined;
  readonly uses: readonly Json[];
  /** There is something else than a list. */
  readonly oddUses: boolean;
  readonly version: string | undefined;
  /** `useEvaluationTime` in milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly timeText: Json | undefined;
  /** There is a time, but none that can be read. */
  readonly oddTime: boolean;
}

/** The status of a Feature, or of none. */
export function lifeOf(object: JsonObject | undefined): Life {
  const status = statusOf(object);
  const state = status?.['state'] ?? undefined;
  const uses = status?.['uses'] ?? undefined;
  const timeText = status?.['useEvaluationTime'] ?? undefined;
  const time = typeof timeText === 'string' ? parseTime(timeText) : undefined;
  const known = (STATES as readonly unknown[]).includes(state);
  return {
    state: known ? (state as State) : undefined,
    oddState: !known && state !== undefined,
    tasks: tasksOf(status?.['transitionTasks'] ?? undefined),
    uses: listOf(uses),
    oddUses: uses !== undefined && !Array.isArray(uses),
    version: textOf(status?.['version']),
    time,
    timeText,
    oddTime: timeText !== undefined && time === undefined,
  };
}

const NONE: readonly string[] = [];

function tasksOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return NONE;
  return Array.isArray(value) && value.every((task) => typeof task === 'string') ? value : undefined;
}
