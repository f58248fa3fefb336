/** What is explored: the forms of the model, and the states they begin with. */
import type { Bounds } from './steps.ts';
import { type Budget, MEMBERSHIP, type StoredObject, type SystemState, type Write } from './system-state.ts';
import type { Setting } from './translator.ts';

export interface Form {
  readonly name: string;
  readonly setting: Setting;
  readonly bounds: Bounds;
  readonly initial: readonly SystemState[];
}

/** The values of the id's newer and older name, whether the cluster is a member, and what has a finalizer. */
interface Stored {
  readonly newer?: string;
  readonly older?: string;
  readonly member?: boolean;
  readonly finalizer?: 'id' | 'membership';
}

interface FormOptions extends Partial<Budget>, Partial<Omit<Bounds, 'clock'>>, Partial<Setting> {
  readonly name: string;
  /** Requests in all. */
  readonly start: number;
  readonly clock?: readonly number[];
  /** What is stored at first. */
  readonly begin?: readonly Stored[];
}

/** Seconds by the API server's clock, and a last moment after which no lock may block a write. */
const STILL = [0.75, 123.5];
export const EXPIRY = [0.75, 61.75, 123.5];
/**
 * The same, and a moment between: the API server's clock has whole seconds, by which a minute is over after 59.5 s. A
 * request survives that.
 */
export const FINE_EXPIRY = [0.75, 60.25, 61.75, 123.5];

const write = (operation: Write['operation'], name: Write['name'], value = ''): Write => ({ operation, name, value });
const ofId = (name: Write['name']) => [write('CREATE', name, 'a'), write('UPDATE', name, 'b'), write('DELETE', name)];
/** Join, leave; create, change and delete the id. */
const ONE_NAME: readonly Write[] = [write('CREATE', MEMBERSHIP, 'fleet'), write('DELETE', MEMBERSHIP), ...ofId(0)];
/** The same for an id that has two names. */
const TWO_NAMES: readonly Write[] = [...ONE_NAME, ...ofId(1), write('CREATE', 1, 'b')];

const BEGIN_ONE: readonly Stored[] = [
  { newer: 'a' },
  { newer: 'a', member: true },
  { newer: 'a', finalizer: 'id' },
  { newer: 'a', member: true, finalizer: 'membership' },
];
const BEGIN_TWO: readonly Stored[] = [
  { newer: 'a' },
  { older: 'a', member: true },
  { newer: 'a', older: 'a', member: true },
  { newer: 'a', older: 'b' },
];

/** Returns a form: no faults and no time, but for what the options say. */
export function formOf(options: FormOptions): Form {
  const { name, start, clock = STILL, twoNames = false, strict = true, writers = start } = options;
  const { writes = twoNames ? TWO_NAMES : ONE_NAME, sharedUsers = false, servers = 'one' } = options;
  const { begin = twoNames ? BEGIN_TWO : BEGIN_ONE } = options;
  const { crash = 0, lost = 0, stale = 0, retry = 0, touch = 0, open = 0 } = options;
  const left = { start, crash, lost, stale, retry, touch, open };
  const initial = begin.map((stored) => systemWith(stored, left));
  return {
    name,
    setting: { twoNames, strict },
    bounds: { writers, writes, clock, sharedUsers, servers },
    initial,
  };
}

function systemWith({ newer, older, member, finalizer }: Stored, left: Budget): SystemState {
  let count = 0;
  const object = (value: string | undefined, isFinal: boolean): StoredObject | null => {
    if (value === undefined) return null;
    count += 1;
    const stored = { uid: `~u${count - 1}`, version: `~r${count - 1}`, value };
    return isFinal ? { ...stored, finalizer: 1 } : stored;
  };
  const objects = [
    object(newer, finalizer === 'id'),
    object(older, false),
    object(member ? 'fleet' : undefined, finalizer === 'membership'),
  ];
  return {
    moment: 0,
    objects,
    lease: { version: `~r${count}`, lock: null },
    requests: [],
    stragglers: [],
    former: left.stale > 0 ? [null, null, null] : [],
    left,
    names: { r: count + 1, u: count },
    made: 0,
  };
}

/** What continuous integration explores: minutes on two busy cores. */
export const SHORT: readonly Form[] = [
  formOf({ name: '3 writers', start: 3 }),
  formOf({
    name: '2 writers, 1 crash, 1 lost answer, 1 expiry',
    start: 2,
    crash: 1,
    lost: 1,
    clock: EXPIRY,
  }),
  formOf({ name: '2 writers, all of one user or not', start: 2, sharedUsers: true }),
  formOf({ name: '2 writers, time in two parts', start: 2, clock: FINE_EXPIRY }),
  formOf({ name: '2 writers, 1 of them repeats its request', start: 2, writers: 3, retry: 1 }),
  formOf({ name: '2 writers, 1 old snapshot, 1 other change of an object', start: 2, stale: 1, touch: 1 }),
  formOf({ name: '2 writers, joining without an id only warns', start: 2, strict: false }),
  formOf({ name: '3 writers, 1 leave without muster, 1 expiry', start: 3, writers: 4, open: 1, clock: EXPIRY }),
  formOf({ name: '2 writers, an id with two names', start: 2, twoNames: true }),
];

/** The long form: an hour at most. */
export const FULL: readonly Form[] = [
  ...SHORT,
  formOf({ name: '3 writers, an id with two names', start: 3, twoNames: true }),
  formOf({
    name: '2 writers, several API servers, 1 crash, 1 lost answer, 1 expiry',
    servers: 'several',
    start: 2,
    crash: 1,
    lost: 1,
    clock: EXPIRY,
  }),
  formOf({ name: '2 writers, an id with two names, 1 lost answer', start: 2, twoNames: true, lost: 1 }),
  formOf({
    name: '3 writers, 1 crash, 1 lost answer, 1 expiry',
    start: 3,
    crash: 1,
    lost: 1,
    clock: EXPIRY,
    // Join, leave and change. The forms above have the others with fewer faults, and finalizers.
    begin: BEGIN_ONE.slice(0, 1),
    writes: ONE_NAME.filter(({ operation, name }) => name === MEMBERSHIP || operation === 'UPDATE'),
  }),
];
