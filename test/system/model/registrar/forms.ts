/** What is explored: members, what they may write, and what may go wrong. */

import { clusterClaim } from '../../../../src/api/dialects.ts';
import { reservationName } from '../../../../src/cluster/registrar/reservation.ts';
import type { RunnerOptions } from './runner.ts';
import type { Bounds } from './steps.ts';
import { type HubLease, holderOf, type Member, type SystemState, type Write } from './system-state.ts';

export interface Form extends RunnerOptions {
  readonly name: string;
  readonly bounds: Bounds;
  readonly initial: readonly SystemState[];
}

interface MemberOptions {
  /** Default: `a`; null: none. */
  readonly id?: string | null;
  /** The ClusterSet in which it is at first. */
  readonly set?: string;
  readonly todo: readonly Write[];
  /** Default: one. */
  readonly rounds?: number;
}

interface FormOptions extends Partial<Bounds> {
  readonly name: string;
  readonly members: readonly MemberOptions[];
  readonly crash?: number;
  readonly lost?: number;
  readonly actions?: Form['actions'];
  /** Whether the hub has at first a reservation of S/a by the first member that lacks the label. Default: false. */
  readonly unlabeled?: boolean;
  /** Default: false. */
  readonly listsAll?: boolean;
}

const write = (operation: Write['operation'], name: Write['name'], value: string): Write => ({
  operation,
  name,
  value,
});
export const join = write('CREATE', 'set', 'S');
export const joinOther = write('CREATE', 'set', 'T');
export const leave = write('DELETE', 'set', '');
const create = write('CREATE', 'id', 'a');
const change = write('UPDATE', 'id', 'b');
const back = write('UPDATE', 'id', 'a');
const move = write('UPDATE', 'set', 'T');

/** A store may be 59 s late; 95 s is over 120 for a clock that is 30 s ahead; what is 125 s old is for every clock. */
const CLOCK = [0, 59, 95, 125];
const LONG_CLOCK = [0, 59, 95, 125, 184, 220, 250];

/** Returns a form: one process of each member at a time, no faults, and one replica, but for what the options say. */
export function formOf(options: FormOptions): Form {
  const { name, members, crash = 0, lost = 0, actions = {}, clock = CLOCK, parallel = 1 } = options;
  const { fine = false, skewed = false, open = false, unlabeled = false, listsAll = false } = options;
  let count = 0;
  const claim = (value: string | null | undefined) => {
    if (value === null || value === undefined) return null;
    count += 1;
    return { uid: `~u${count - 1}`, version: `~r${count - 1}`, value };
  };
  const made = members.map(({ id = 'a', set, todo, rounds = 1 }): Member => {
    const ownId = claim(id);
    const ownSet = claim(set);
    return { id: ownId, set: ownSet, lock: { version: '', text: '{"spec":{}}' }, processes: [], todo, rounds };
  });
  const withLocks = made.map((member, index) => ({
    ...member,
    lock: { ...member.lock, version: `~r${count + index}` },
  }));
  const used = { u: count, r: count + made.length };
  const hub: readonly HubLease[] = unlabeled
    ? [{ ...UNLABELED, renewed: clock[0] ?? 0, uid: `~u${used.u}`, version: `~r${used.r}` }]
    : [];
  const names = { u: used.u + hub.length, r: used.r + hub.length };
  const system: SystemState = { now: clock[0] ?? 0, members: withLocks, hub, stragglers: [], crash, lost, names };
  return { name, actions, bounds: { clock, parallel, fine, skewed, open }, initial: [system], listsAll };
}

const UNLABELED = {
  name: reservationName({ apiGroup: clusterClaim.group, clusterSet: 'S', id: 'a' }),
  what: 'S/a',
  holder: holderOf(0),
  unlabeled: 1,
} as const;

/** An id and a membership may change in place. */
const changeable = { 'claim/id-immutable-in-clusterset': 'warn', 'claim/clusterset-immutable': 'warn' } as const;

/** One cluster joins, leaves and joins again, with rounds beside that, while another wants to follow. */
export const follow = formOf({
  name: '2 members: one joins twice beside a round, the other follows',
  members: [{ todo: [join, join] }, { todo: [join], rounds: 0 }],
  parallel: 2,
  clock: [0, 125],
});
/** The store of a join may be late. */
const late = formOf({
  name: '2 members: one joins beside a round, by two clocks, the other follows',
  members: [{ todo: [join] }, { todo: [join], rounds: 0 }],
  parallel: 2,
  skewed: true,
  clock: [0, 59, 95],
});
export const lossy = formOf({
  name: '2 members join side by side, one leaves, 1 crash, 1 lost answer',
  members: [{ todo: [join, leave] }, { todo: [join] }],
  crash: 1,
  lost: 1,
});
export const creating = formOf({
  name: '2 members: one creates its id beside its join, each read a step',
  members: [
    { id: null, todo: [join, create], rounds: 0 },
    { todo: [join], rounds: 0 },
  ],
  parallel: 2,
  fine: true,
  clock: [0, 59],
});
const changing = formOf({
  name: '2 members: one changes its id while a member',
  members: [{ todo: [join, change] }, { todo: [join], rounds: 0 }],
  actions: changeable,
});
export const moving = formOf({
  name: '2 members of two ClusterSets: one moves to the other',
  members: [
    { todo: [join, move], rounds: 1 },
    { todo: [join, joinOther], rounds: 0 },
  ],
  actions: changeable,
});
export const unread = formOf({
  name: '2 members, each read a step that may fail',
  members: [{ todo: [join] }, { todo: [join], rounds: 0 }],
  fine: true,
  lost: 1,
  clock: [0, 125],
});

/** One cluster has a reservation that lacks the label, and may join with it, while the other wants to follow. */
export const unlabeledOne = formOf({
  name: '2 members: a reservation of the first lacks the label of its holder, and its rounds list all',
  members: [{ todo: [join] }, { todo: [join], rounds: 0 }],
  parallel: 2,
  clock: [0, 125],
  unlabeled: true,
  listsAll: true,
});

export const SHORT: readonly Form[] = [
  follow,
  late,
  lossy,
  creating,
  changing,
  moving,
  unread,
  unlabeledOne,
  formOf({
    name: '3 members join and leave',
    members: [{ todo: [join, leave] }, { todo: [join] }, { todo: [join], rounds: 0 }],
    clock: [0, 59, 125],
  }),
  formOf({
    name: '2 members: one joins, leaves without muster and joins again, the other follows',
    members: [{ todo: [join, leave, join] }, { todo: [join], rounds: 0 }],
    clock: [0, 59, 125],
    open: true,
  }),
];

/** The long form. */
export const FULL: readonly Form[] = [
  ...SHORT,
  formOf({
    name: '2 members: one joins, leaves and joins again by two clocks',
    members: [
      { todo: [join, leave, join], rounds: 2 },
      { todo: [join], rounds: 0 },
    ],
    skewed: true,
  }),
  formOf({
    name: '2 members: one changes its id while a member, and back, the other follows',
    members: [{ todo: [join, change, back] }, { todo: [join, leave] }],
    actions: changeable,
  }),
  formOf({
    name: '2 members: one joins, leaves and joins again beside rounds, the other follows',
    members: [{ todo: [join, leave, join] }, { todo: [join], rounds: 0 }],
    parallel: 2,
  }),
  formOf({
    name: '2 members: one joins twice beside a round, the other follows, 1 crash, 1 lost answer',
    members: [{ todo: [join, join] }, { todo: [join], rounds: 0 }],
    parallel: 2,
    clock: [0, 59, 125],
    crash: 1,
    lost: 1,
  }),
  formOf({
    name: '3 members join and leave, 1 crash, 1 lost answer',
    members: [{ todo: [join, leave] }, { todo: [join] }, { todo: [join], rounds: 0 }],
    crash: 1,
    lost: 1,
    clock: [0, 59, 125],
  }),
  formOf({
    name: '2 members, one with a replica whose clock is ahead, over four minutes, 1 crash',
    members: [
      { todo: [join, leave, join], rounds: 2 },
      { todo: [join], rounds: 0 },
    ],
    skewed: true,
    crash: 1,
    clock: LONG_CLOCK,
  }),
];
