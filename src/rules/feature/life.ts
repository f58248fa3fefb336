/** A Feature's status, read leniently: what cannot be read is `feature/shape`'s matter and undefined here. */
import { at, listAt, textAt } from '../json.ts';
import type { Json, JsonObject } from '../rule.ts';
import { parseTime } from '../time.ts';

export type State = 'Off' | 'TurningOn' | 'On' | 'TurningOff';
export const STATES: readonly string[] = ['Off', 'TurningOn', 'On', 'TurningOff'] satisfies State[];
/** The last task of every transition, done by the system itself. */
export const WAIT_FOR_USES = 'WaitForUses';

export interface Use {
  readonly version: string | undefined;
  readonly enabled: string | undefined;
}

export interface Life {
  readonly state: State | undefined;
  /** There is a state, but none of the four. */
  readonly oddState: boolean;
  /** Undefined where there is something else than a list of strings. */
  readonly tasks: readonly string[] | undefined;
  readonly uses: readonly Use[];
  readonly version: string | undefined;
  /** `useEvaluationTime` in milliseconds since the epoch. */
  readonly time: number | undefined;
  readonly timeText: Json | undefined;
  /** There is a time, but none that can be read. */
  readonly oddTime: boolean;
}

/** The status of a Feature, or of none. */
export function lifeOf(object: JsonObject | undefined): Life {
  const state = at(object, ['status', 'state']);
  const timeText = at(object, ['status', 'useEvaluationTime']);
  const time = typeof timeText === 'string' ? parseTime(timeText) : undefined;
  const known = (STATES as readonly unknown[]).includes(state);
  return {
    state: known ? (state as State) : undefined,
    oddState: !known && state !== undefined,
    tasks: tasksOf(at(object, ['status', 'transitionTasks'])),
    uses: listAt(object, ['status', 'uses']).map((use) => ({
      version: textAt(use, ['version']),
      enabled: textAt(use, ['enabled']),
    })),
    version: textAt(object, ['status', 'version']),
    time,
    timeText,
    oddTime: timeText !== undefined && time === undefined,
  };
}

function tasksOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return [];
  return Array.isArray(value) && value.every((task) => typeof task === 'string') ? value : undefined;
}
