/**
 * What KEP-3920 says of one write of a Feature's status, sentence by sentence, written from its text (and the rules'
 * norm, where it reads between the lines) and not from the machine under test. The moments of a system lie hours apart,
 * so that no sentence needs to speak of clock skew.
 */

export type State = 'Off' | 'TurningOn' | 'On' | 'TurningOff';
export type Enablement = 'Enabled' | 'Disabled';

/** A status, with moments as hours. */
export interface Status {
  readonly state: State | undefined;
  readonly tasks: readonly string[];
  /** What clients report, one entry for each version and value. */
  readonly uses: readonly { readonly version: string; readonly enabled: Enablement }[];
  readonly useEvaluationTime: number | undefined;
  /** Undefined where none is reported: another version than that is no upgrade. */
  readonly version: string | undefined;
  readonly source: 'Default' | 'CommandLine' | 'Dynamic';
  readonly default: Enablement;
  readonly stability?: 'Alpha' | 'Unavailable';
}

/** What surrounds a write. */
export interface Surroundings {
  readonly now: number;
  readonly desired: Enablement | undefined;
}

export const WAIT = 'WaitForUses';
/** The ring of states: a feature goes round it, one step at a time. */
const RING: readonly (State | undefined)[] = ['Off', 'TurningOn', 'On', 'TurningOff'];

type Sentence = (before: Status, after: Status, around: Surroundings) => boolean;

/** Whether the sentence is broken. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  'a feature that has a state keeps one': (before, after) => before.state !== undefined && after.state === undefined,
  'a feature goes round one state at a time, or turns around within a transition': (before, after) => {
    if (before.state === undefined || after.state === undefined || after.state === before.state) return false;
    if (inTransition(before) && inTransition(after)) return false;
    return RING.indexOf(after.state) !== (RING.indexOf(before.state) + 1) % RING.length;
  },
  'On and Off have no tasks': (_, after) => isSettled(after) && after.tasks.length > 0,
  'the server assembles the list when a transition is entered, and its last task is WaitForUses': (before, after) =>
    enters(before, after) && !endsInWait(after),
  'the first task comes off when it is done, and nothing else': (before, after) =>
    staysInTransition(before, after) &&
    !upgrades(before, after) &&
    !isSame(after.tasks, before.tasks) &&
    !isRest(after.tasks, before.tasks),
  'the last task comes off in the write that completes the transition, and in no other': (before, after) =>
    staysInTransition(before, after) && before.tasks.length > 0 && after.tasks.length === 0,
  'an upgrade within a transition brings a list of its own, which ends in WaitForUses too': (before, after) =>
    staysInTransition(before, after) &&
    upgrades(before, after) &&
    !isSame(after.tasks, before.tasks) &&
    !isRest(after.tasks, before.tasks) &&
    !endsInWait(after),
  'the last task coming off completes the transition, so no more than one was left': (before, after) =>
    completes(before, after) && before.tasks.length > 1,
  'WaitForUses is complete once no client reports the old value, before the write and in it': (before, after) =>
    endsTheWait(before, after) && [...before.uses, ...after.uses].some((use) => use.enabled === oldValue(before)),
  'clients have until useEvaluationTime to report': (before, after, { now }) =>
    endsTheWait(before, after) && before.useEvaluationTime !== undefined && now < before.useEvaluationTime,
  'a time that clients count on is not taken away, unless the transition turns around': (before, after, { now }) =>
    !turnsAround(before, after) &&
    before.useEvaluationTime !== undefined &&
    now < before.useEvaluationTime &&
    after.useEvaluationTime === undefined,
  'a time that clients were given is not moved earlier, unless the transition turns around': (before, after) =>
    !turnsAround(before, after) &&
    before.useEvaluationTime !== undefined &&
    after.useEvaluationTime !== undefined &&
    after.useEvaluationTime < before.useEvaluationTime,
  'a time is set to one in the future, unless a backup is restored that brings its own': (before, after, { now }) =>
    before.state !== undefined &&
    after.useEvaluationTime !== undefined &&
    after.useEvaluationTime !== before.useEvaluationTime &&
    after.useEvaluationTime <= now,
  'where uses are cleared in a transition, a new time is set: in the future, and later than the one before': (
    before,
    after,
    { now },
  ) => {
    if (!inTransition(after) || !clears(before, after)) return false;
    const { useEvaluationTime: time } = after;
    return time === undefined || time <= now || time <= (before.useEvaluationTime ?? Number.NEGATIVE_INFINITY);
  },
  'a transition heads where the configured value points': (before, after, { desired }) => {
    // The first state may be restored from a backup: then its transition began earlier.
    if (before.state === undefined || !enters(before, after) || after.source === 'CommandLine') return false;
    const configured = after.source === 'Dynamic' && desired !== undefined ? desired : after.default;
    return (after.state === 'TurningOn') !== (configured === 'Enabled');
  },
};

/** What the norm recommends. Whether a write that breaks no sentence leaves it unheeded. */
const RECOMMENDATIONS: Readonly<Record<string, Sentence>> = {
  'a transition is not completed before the clients had a time to report in': (before, after) =>
    completes(before, after) && before.useEvaluationTime === undefined,
  'a time that is left over from the transition before is not taken along into the next': (before, after, { now }) =>
    enters(before, after) && after.useEvaluationTime !== undefined && after.useEvaluationTime <= now,
  'a feature that does not exist at the current version is not turned on': (before, after) =>
    enters(before, after) && after.state === 'TurningOn' && after.stability === 'Unavailable',
};

/** The recommendations a write does not follow. */
export function unheededBy(before: Status, after: Status, around: Surroundings): string[] {
  return Object.keys(RECOMMENDATIONS).filter((sentence) => RECOMMENDATIONS[sentence]?.(before, after, around));
}

/** The sentences a write breaks. */
export function brokenBy(before: Status, after: Status, around: Surroundings): string[] {
  return Object.keys(SENTENCES).filter((sentence) => SENTENCES[sentence]?.(before, after, around));
}

/** What is wrong with a state that a feature came to by allowed writes alone. */
export function brokenIn(status: Status): string[] {
  const wrong: string[] = [];
  if (isSettled(status) && status.tasks.length > 0) wrong.push('On and Off have no tasks');
  if (inTransition(status) && !endsInWait(status))
    wrong.push('something is left to do in a transition, and it ends in WaitForUses, which stands nowhere else');
  return wrong;
}

function inTransition({ state }: Status): boolean {
  return state === 'TurningOn' || state === 'TurningOff';
}

function isSettled({ state }: Status): boolean {
  return state === 'On' || state === 'Off';
}

function staysInTransition(before: Status, after: Status): boolean {
  return inTransition(before) && after.state === before.state;
}

function turnsAround(before: Status, after: Status): boolean {
  return inTransition(before) && inTransition(after) && after.state !== before.state;
}

function enters(before: Status, after: Status): boolean {
  return inTransition(after) && after.state !== before.state;
}

function completes(before: Status, after: Status): boolean {
  return (
    (before.state === 'TurningOn' && after.state === 'On') || (before.state === 'TurningOff' && after.state === 'Off')
  );
}

/** From one version to another. */
function upgrades(before: Status, after: Status): boolean {
  return before.version !== undefined && after.version !== undefined && after.version !== before.version;
}

/** A client's report is no more. */
function clears(before: Status, after: Status): boolean {
  return before.uses.some(
    (use) => !after.uses.some(({ version, enabled }) => version === use.version && enabled === use.enabled),
  );
}

function oldValue(before: Status): Enablement {
  return before.state === 'TurningOn' ? 'Disabled' : 'Enabled';
}

/** The transition completes, or its wait comes off the list. */
function endsTheWait(before: Status, after: Status): boolean {
  if (completes(before, after)) return true;
  return staysInTransition(before, after) && before.tasks[0] === WAIT && isRest(after.tasks, before.tasks);
}

function endsInWait({ tasks }: Status): boolean {
  return tasks.filter((task) => task === WAIT).length === 1 && tasks.at(-1) === WAIT;
}

function isSame(tasks: readonly string[], others: readonly string[]): boolean {
  return tasks.join() === others.join() && tasks.length === others.length;
}

/** All but the first. */
function isRest(tasks: readonly string[], stored: readonly string[]): boolean {
  return stored.length > 0 && isSame(tasks, stored.slice(1));
}
