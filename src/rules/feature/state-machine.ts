/**
 * The state machine of a Feature (KEP-3920, Server flow): Off → TurningOn → On → TurningOff → Off.
 * This module evaluates a write of the status once for all rules, in the order transition, tasks, uses, time. The first
 * violation is the result, so that one bad write gives one finding.
 */
import {
  type FeatureState,
  featureTransitions,
  type LegalTransition,
  nextStates,
  WAIT_FOR_USES,
} from '../../api/feature.ts';
import type { Json, JsonObject, Path } from '../../base/json.ts';
import type { Problem } from '../rule.ts';
import { type FeatureStatus, readStatus } from './status.ts';
import { enabledOf, removedReport, versionOf } from './uses.ts';

export type MachineRule =
  | 'feature/transition'
  | 'feature/tasks-on-entry'
  | 'feature/tasks-in-order'
  | 'feature/completion'
  | 'feature/uses-agree'
  | 'feature/evaluation-time';

export type Violation = Problem & { readonly rule: MachineRule };

/** What a write of the status does to the state of a feature. */
type Transition = LegalTransition | 'vanishes' | 'illegal';

/** A write of a feature's status, and what it does to the state. */
interface StatusChange {
  readonly before: FeatureStatus;
  readonly after: FeatureStatus;
  readonly transition: Transition | undefined;
}

/** A write of a feature's status, with its first violation. */
export interface StatusUpdate extends StatusChange {
  readonly violation: Violation | undefined;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far two clocks may be apart, in milliseconds. */
  readonly skew: number;
}

/** Where a transition ends. */
const FINAL = { TurningOn: 'On', TurningOff: 'Off' } as const;

const STATE: Path = ['status', 'state'];
const TASKS: Path = ['status', 'transitionTasks'];
const USES: Path = ['status', 'uses'];
const TIME: Path = ['status', 'useEvaluationTime'];

/**
 * Returns what the write does to the state. Undefined if neither object has a state, or the new one is not one of the
 * four (`feature/shape` reports it).
 */
export function transitionOf(before: FeatureStatus, after: FeatureStatus): Transition | undefined {
  if (after.state === undefined) return before.state === undefined || after.hasInvalidState ? undefined : 'vanishes';
  return featureTransitions[before.state ?? 'none'][after.state] ?? 'illegal';
}

/** Evaluates a write of the status. */
export function evaluateStatusUpdate(
  oldObject: JsonObject | undefined,
  object: JsonObject,
  clock: Clock,
): StatusUpdate {
  const before = readStatus(oldObject);
  const after = readStatus(object);
  const change = { before, after, transition: transitionOf(before, after) };
  const violation = badTransition(change) ?? badTasks(change) ?? badUses(change) ?? badTime(change, clock);
  return { ...change, violation };
}

function badTransition({ before, after, transition }: StatusChange): Violation | undefined {
  if (transition === 'vanishes')
    return { rule: 'feature/transition', path: STATE, messageId: 'vanishes', data: { from: before.state } };
  if (transition !== 'illegal') return undefined;
  // Only a transition from a stored state can be illegal: without one, any state may appear.
  const next = nextStates(before.state as FeatureState).join(' or ');
  const data = { from: before.state, to: after.state, next };
  return { rule: 'feature/transition', path: STATE, messageId: 'illegal', data };
}

function badTasks(change: StatusChange): Violation | undefined {
  const { state, tasks } = change.after;
  if (state === undefined || tasks === undefined) return undefined;
  if (!isTransitional(state)) return badCompletion(change, state, tasks);
  if (change.transition === 'stays') return badOrder(change, tasks);
  if (endsInWait(tasks)) return undefined;
  return { rule: 'feature/tasks-on-entry', path: TASKS, messageId: 'list', data: { state } };
}

function badCompletion(
  { before, transition }: StatusChange,
  state: FeatureState,
  tasks: readonly string[],
): Violation | undefined {
  // An object older than the webhook may keep leftover tasks, as long as they do not change.
  if (tasks.length > 0 && !(transition === 'stays' && before.tasks !== undefined && equal(tasks, before.tasks)))
    return { rule: 'feature/completion', path: TASKS, messageId: 'tasks', data: { state, first: tasks[0] } };
  const left = before.tasks?.length ?? 0;
  if (transition !== 'completes' || left <= 1) return undefined;
  const data = { state, left, first: before.tasks?.[0] };
  return { rule: 'feature/completion', path: STATE, messageId: 'left', data };
}

function badOrder({ before, after }: StatusChange, tasks: readonly string[]): Violation | undefined {
  const stored = before.tasks;
  if (stored === undefined || equal(tasks, stored)) return undefined;
  // The last task may be removed only in the write that completes the transition.
  if (removesFirstTask(stored, tasks) && tasks.length > 0) return undefined;
  const disorder = (messageId: string, data = {}) =>
    ({ rule: 'feature/tasks-in-order', path: TASKS, messageId, data }) as const;
  if (isUpgrade(before, after)) return endsInWait(tasks) ? undefined : disorder('upgrade');
  const [first] = stored;
  if (first === undefined) return disorder('grows');
  return removesFirstTask(stored, tasks)
    ? disorder('last', { first, state: FINAL[after.state as keyof typeof FINAL] })
    : disorder('order', { first });
}

/** Whether the version changes. Setting or removing it is not an upgrade. */
function isUpgrade(before: FeatureStatus, after: FeatureStatus): boolean {
  return Boolean(before.version) && Boolean(after.version) && before.version !== after.version;
}

function badUses(change: StatusChange): Violation | undefined {
  if (!needsAgreement(change)) return undefined;
  const { before, after } = change;
  const old = before.state === 'TurningOn' ? 'Disabled' : 'Enabled';
  const reported = after.uses.find((use) => enabledOf(use) === old);
  const found = reported ?? before.uses.find((use) => enabledOf(use) === old);
  if (found === undefined) return undefined;
  const messageId = found === reported ? 'reported' : 'stored';
  return { rule: 'feature/uses-agree', path: USES, messageId, data: { old, version: versionOf(found) } };
}

function badTime(change: StatusChange, { now, skew }: Clock): Violation | undefined {
  const { before, after, transition } = change;
  const due = before.time === undefined || now + skew >= before.time;
  if (!due && needsAgreement(change)) return timeViolation('early', change);
  // `feature/shape` reports a time that can't be read, unless the stored object has one too.
  if (after.hasInvalidTime && !before.hasInvalidTime) return undefined;
  const stored = before.time ?? Number.NEGATIVE_INFINITY;
  const isLater = after.time !== undefined && after.time > stored && after.time > now - skew;
  if (!isLater && isUnderWay(change) && !after.hasInvalidUses) {
    const use = removedReport(before.uses, after.uses);
    if (use !== undefined) return timeViolation('cleared', change, use);
  }
  if (after.time === before.time) return undefined;
  // A reversal starts a new transition: the time for the other direction no longer matters.
  const starts = transition === 'reverses';
  if (after.time === undefined) return due || starts ? undefined : timeViolation('removed', change);
  if (!starts && after.time < stored) return timeViolation('earlier', change);
  // When a backup is restored, its time may be in the past.
  if (before.state === undefined && !before.hasInvalidState) return undefined;
  return isPast(after.time, { now, skew }) ? timeViolation('past', change) : undefined;
}

/** Whether a time has passed for certain, also by a clock that is slow by the skew. */
export function isPast(time: number, { now, skew }: Clock): boolean {
  return time <= now - skew;
}

/** Whether a transition goes on after the write: it is entered, reversed, or stays. */
function isUnderWay({ after, transition }: StatusChange): boolean {
  return isTransitional(after.state) && (transition === 'stays' || isStart(transition));
}

/** Whether a transition begins: it is entered, or reverses the one under way. */
export function isStart(transition: Transition | undefined): boolean {
  return transition === 'enters' || transition === 'reverses';
}

function timeViolation(messageId: string, { before, after }: StatusChange, use?: Json): Violation {
  const data = { stored: before.timeText, value: after.timeText, version: versionOf(use), enabled: enabledOf(use) };
  return { rule: 'feature/evaluation-time', path: TIME, messageId, data };
}

/** Whether the write implies that no client reports the old value any more. */
function needsAgreement({ before, after, transition }: StatusChange): boolean {
  if (transition === 'completes') return true;
  if (transition !== 'stays' || !isTransitional(before.state) || before.tasks?.[0] !== WAIT_FOR_USES) return false;
  return after.tasks !== undefined && removesFirstTask(before.tasks, after.tasks);
}

function isTransitional(state: FeatureState | undefined): boolean {
  return state === 'TurningOn' || state === 'TurningOff';
}

/** Whether a list of tasks ends with WaitForUses and has it only there. */
function endsInWait(tasks: readonly string[]): boolean {
  return tasks.length > 0 && tasks.indexOf(WAIT_FOR_USES) === tasks.length - 1;
}

function removesFirstTask(before: readonly string[], after: readonly string[]): boolean {
  return after.length === before.length - 1 && after.every((task, index) => task === before[index + 1]);
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((task, index) => task === b[index]);
}
