/**
 * The life of a Feature (KEP-3920, Server flow): Off → TurningOn → On → TurningOff → Off, task by task.
 * One module holds what a write of the status may do; the rules read its verdict, so that one bad write gives one
 * finding: the first of transition, tasks, uses and time that is broken.
 */
import type { Json, JsonObject, Path } from '../../base/json.ts';
import type { Problem } from '../rule.ts';
import { type Life, lifeOf, type State, WAIT_FOR_USES } from './life.ts';
import { enabledOf, removedReport, versionOf } from './uses.ts';

export type MachineRule =
  | 'feature/transition'
  | 'feature/tasks-on-entry'
  | 'feature/tasks-in-order'
  | 'feature/completion'
  | 'feature/uses-agree'
  | 'feature/evaluation-time';

export type Broken = Problem & { readonly rule: MachineRule };

/** What a write does to the life of a feature. */
export type Step = 'appears' | 'stays' | 'enters' | 'reverses' | 'completes' | 'vanishes' | 'leaps';

/** A write of a feature's status, as the rules read it. */
export interface Course {
  readonly before: Life;
  readonly after: Life;
  readonly step: Step | undefined;
  /** The first thing that the write breaks. */
  readonly broken: Broken | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far two clocks may be apart, in milliseconds. */
  readonly skew: number;
}

type From = State | 'none';
/** The table of legal transitions. What is not in it is a leap. */
export const STEPS: Readonly<Record<From, Readonly<Partial<Record<State, Step>>>>> = {
  none: { Off: 'appears', On: 'appears', TurningOn: 'enters', TurningOff: 'enters' },
  Off: { Off: 'stays', TurningOn: 'enters' },
  TurningOn: { TurningOn: 'stays', On: 'completes', TurningOff: 'reverses' },
  On: { On: 'stays', TurningOff: 'enters' },
  TurningOff: { TurningOff: 'stays', Off: 'completes', TurningOn: 'reverses' },
};

/** Where a transition ends. */
const FINAL = { TurningOn: 'On', TurningOff: 'Off' } as const;

const STATE: Path = ['status', 'state'];
const TASKS: Path = ['status', 'transitionTasks'];
const USES: Path = ['status', 'uses'];
const TIME: Path = ['status', 'useEvaluationTime'];

/**
 * What the write does; undefined where the new state is none of the four (`feature/shape` reports it) or there never
 * was one.
 */
export function stepOf(before: Life, after: Life): Step | undefined {
  if (after.state === undefined) return before.state === undefined || after.oddState ? undefined : 'vanishes';
  return STEPS[before.state ?? 'none'][after.state] ?? 'leaps';
}

/** Where a write of the status leads the feature. */
export function courseOf(oldObject: JsonObject | undefined, object: JsonObject, clock: Clock): Course {
  const before = lifeOf(oldObject);
  const after = lifeOf(object);
  const step = stepOf(before, after);
  const broken =
    badTransition(before, after, step) ??
    badTasks(before, after, step) ??
    badUses(before, after, step) ??
    badTime(before, after, step, clock);
  return { before, after, step, broken };
}

function badTransition(before: Life, after: Life, step: Step | undefined): Broken | undefined {
  if (step === 'vanishes')
    return { rule: 'feature/transition', path: STATE, messageId: 'vanishes', data: { from: before.state } };
  if (step !== 'leaps') return undefined;
  // Only a state is leapt from: from none every state may appear.
  const next = Object.keys(STEPS[before.state as State]).filter((state) => state !== before.state);
  const data = { from: before.state, to: after.state, next: next.join(' or ') };
  return { rule: 'feature/transition', path: STATE, messageId: 'leaps', data };
}

function badTasks(before: Life, after: Life, step: Step | undefined): Broken | undefined {
  const { state, tasks } = after;
  if (state === undefined || tasks === undefined) return undefined;
  if (!isTransitional(state)) return badCompletion(before, state, tasks, step);
  if (step === 'stays') return badOrder(before, after, tasks);
  if (endsInWait(tasks)) return undefined;
  return { rule: 'feature/tasks-on-entry', path: TASKS, messageId: 'list', data: { state } };
}

function badCompletion(
  before: Life,
  state: State,
  tasks: readonly string[],
  step: Step | undefined,
): Broken | undefined {
  // An older object that stays as it is may keep its leftover tasks; nothing else in the write hides behind them.
  if (tasks.length > 0 && !(step === 'stays' && before.tasks !== undefined && equal(tasks, before.tasks)))
    return { rule: 'feature/completion', path: TASKS, messageId: 'tasks', data: { state, first: tasks[0] } };
  const left = before.tasks?.length ?? 0;
  if (step !== 'completes' || left <= 1) return undefined;
  const data = { state, left, first: before.tasks?.[0] };
  return { rule: 'feature/completion', path: STATE, messageId: 'left', data };
}

function badOrder(before: Life, after: Life, tasks: readonly string[]): Broken | undefined {
  const stored = before.tasks;
  if (stored === undefined || equal(tasks, stored)) return undefined;
  // The last task comes off only in the write that completes the transition.
  if (losesFirst(stored, tasks) && tasks.length > 0) return undefined;
  const disorder = (messageId: string, data = {}) =>
    ({ rule: 'feature/tasks-in-order', path: TASKS, messageId, data }) as const;
  if (isUpgrade(before, after)) return endsInWait(tasks) ? undefined : disorder('upgrade');
  const [first] = stored;
  if (first === undefined) return disorder('grows');
  return losesFirst(stored, tasks)
    ? disorder('last', { first, state: FINAL[after.state as keyof typeof FINAL] })
    : disorder('order', { first });
}

/** From one version to another; a version that appears or vanishes is no upgrade. */
function isUpgrade(before: Life, after: Life): boolean {
  return Boolean(before.version) && Boolean(after.version) && before.version !== after.version;
}

function badUses(before: Life, after: Life, step: Step | undefined): Broken | undefined {
  if (!needsAgreement(before, after, step)) return undefined;
  const old = before.state === 'TurningOn' ? 'Disabled' : 'Enabled';
  const reported = after.uses.find((use) => enabledOf(use) === old);
  const found = reported ?? before.uses.find((use) => enabledOf(use) === old);
  if (found === undefined) return undefined;
  const messageId = found === reported ? 'reported' : 'stored';
  return { rule: 'feature/uses-agree', path: USES, messageId, data: { old, version: versionOf(found) } };
}

function badTime(before: Life, after: Life, step: Step | undefined, { now, skew }: Clock): Broken | undefined {
  const due = before.time === undefined || now + skew >= before.time;
  if (!due && needsAgreement(before, after, step)) return brokenTime('early', before, after);
  // `feature/shape` reports what cannot be read, unless the stored object has it too.
  if (after.oddTime && !before.oddTime) return undefined;
  const stored = before.time ?? Number.NEGATIVE_INFINITY;
  const isLater = after.time !== undefined && after.time > stored && after.time > now - skew;
  if (!isLater && isUnderWay(step, after) && !after.oddUses) {
    const use = removedReport(before.uses, after.uses);
    if (use !== undefined) return brokenTime('cleared', before, after, use);
  }
  if (after.time === before.time) return undefined;
  // A reversal starts anew: what was promised for the other direction no longer holds.
  const starts = step === 'reverses';
  if (after.time === undefined) return due || starts ? undefined : brokenTime('removed', before, after);
  if (!starts && after.time < stored) return brokenTime('earlier', before, after);
  // A backup that is restored brings its old time.
  if (before.state === undefined && !before.oddState) return undefined;
  return isPast(after.time, { now, skew }) ? brokenTime('past', before, after) : undefined;
}

/** Whether a time has passed by any clock that is within the skew. */
export function isPast(time: number, { now, skew }: Clock): boolean {
  return time <= now - skew;
}

/** Whether a transition goes on after the write: it is entered, reversed, or stays. */
function isUnderWay(step: Step | undefined, after: Life): boolean {
  return isTransitional(after.state) && (step === 'stays' || step === 'enters' || step === 'reverses');
}

function brokenTime(messageId: string, before: Life, after: Life, use?: Json): Broken {
  const data = { stored: before.timeText, value: after.timeText, version: versionOf(use), enabled: enabledOf(use) };
  return { rule: 'feature/evaluation-time', path: TIME, messageId, data };
}

/** Whether this write claims that no client reports the old value any more. */
function needsAgreement(before: Life, after: Life, step: Step | undefined): boolean {
  if (step === 'completes') return true;
  if (step !== 'stays' || !isTransitional(before.state) || before.tasks?.[0] !== WAIT_FOR_USES) return false;
  return after.tasks !== undefined && losesFirst(before.tasks, after.tasks);
}

function isTransitional(state: State | undefined): boolean {
  return state === 'TurningOn' || state === 'TurningOff';
}

/** A transition's list: at least one task, the last being WaitForUses, which is nowhere else. */
function endsInWait(tasks: readonly string[]): boolean {
  return tasks.length > 0 && tasks.indexOf(WAIT_FOR_USES) === tasks.length - 1;
}

function losesFirst(before: readonly string[], after: readonly string[]): boolean {
  return after.length === before.length - 1 && after.every((task, index) => task === before[index + 1]);
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((task, index) => task === b[index]);
}
