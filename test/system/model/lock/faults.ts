/**
 * Faults planted in the code under test, each of which the model has to find. An edit is a change of one file below
 * src.
 */
import type { Edit } from './code.ts';
import { FINE_EXPIRY, type Form, formOf } from './forms.ts';
import type { Invariant } from './norm.ts';
import { MEMBERSHIP, type Write } from './system-state.ts';

export interface Fault {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** What it leads to first. */
  readonly breaks: Invariant;
  readonly form: Form;
  /** Takes minutes: only `--full` and `--only` look for it. */
  readonly isLong?: true;
  /** Why a real API server can't go through its trace. */
  readonly notReplayed?: string;
}

const WRITE = 'cluster/locks/identity-write.ts';
const STATE = 'cluster/locks/lock-state.ts';
const LEASES = 'cluster/locks/leases.ts';
const LOCK = 'cluster/locks/lock.ts';
const LEAVE = 'cluster/locks/release-on-delete.ts';
const WRITES = 'cluster/locks/find-identity-write.ts';
const edit = (file: string, find: string, replace: string): readonly Edit[] => [{ file, find, replace }];

const two = formOf({ name: '2 writers', start: 2 });
const lossy = formOf({ name: '2 writers, 1 lost answer', start: 2, lost: 1 });
const names = formOf({ name: '2 writers, two names', twoNames: true, start: 2 });
const shared = formOf({ name: '2 writers, one user', start: 2, sharedUsers: true });
/** A cluster with an id that is no member yet. */
const begin = [{ newer: 'a' }];
const join: Write = { operation: 'CREATE', name: MEMBERSHIP, value: 'fleet' };
const leave: Write = { operation: 'DELETE', name: MEMBERSHIP, value: '' };
const create: Write = { operation: 'CREATE', name: 0, value: 'a' };
const change: Write = { operation: 'UPDATE', name: 0, value: 'b' };
const remove: Write = { operation: 'DELETE', name: 0, value: '' };
const sameUser = { sharedUsers: true, begin } as const;
// Where the short form would take long to come to a fault, a smaller form has only what the fault needs.
const joinsAndLeaves = formOf({ begin, name: '3 writers, joins and leaves', start: 3, writes: [join, leave] });
const unseenLeave = formOf({
  begin,
  name: 'a join and a leave without muster',
  start: 2,
  open: 1,
  writes: [join, leave],
});
const slowChange = formOf({
  begin,
  name: 'a join and a change, time in two parts',
  start: 2,
  clock: FINE_EXPIRY,
  writes: [join, change],
});
const lossyChanges = formOf({
  begin,
  name: 'a join and changes, 2 at a time, 1 lost answer',
  start: 3,
  writers: 2,
  lost: 1,
  writes: [join, change],
});
const rivalAndTwice = formOf({
  ...sameUser,
  name: 'a join and changes, one user, 1 lost answer',
  start: 3,
  lost: 1,
  writes: [join, change],
});
const oldSnapshot = formOf({
  ...sameUser,
  name: 'a join and deletions, one user, 1 old snapshot, 1 other change of an object',
  start: 3,
  stale: 1,
  touch: 1,
  writes: [join, remove],
});
const twoJoins = formOf({
  ...sameUser,
  name: 'joins, leaves and changes, one user',
  start: 4,
  writes: [join, leave, change],
});
const createdAnew = formOf({
  ...sameUser,
  name: 'a join, deletions and creations, one user, 1 lost answer',
  start: 4,
  writers: 3,
  lost: 1,
  writes: [join, remove, create],
});

export const FAULTS: readonly Fault[] = [
  {
    name: 'no lock: a write is allowed by the objects that were read',
    edits: edit(
      'cluster/live-cluster-state.ts',
      'const write = guard && findIdentityWrite(subject,',
      'const write = guard && findIdentityWrite({ ...subject, subresource: "status" },',
    ),
    breaks: 'stays',
    form: two,
  },
  {
    // A Lease without any resourceVersion is refused by the API server: it allows no unconditional update of Leases.
    name: 'not the resourceVersion of the decision: the Lease is read once more just before it is written',
    edits: edit(
      LEASES,
      "const answer = await client.call(withDeadline({ method: 'PUT', path, body }, deadline));",
      "const newest = await client.call(withDeadline({ method: 'GET', path }, deadline));\n" +
        "    const { resourceVersion } = newest.body['metadata'] as JsonObject;\n" +
        "    const metadata = { ...(body['metadata'] as JsonObject), resourceVersion: resourceVersion ?? '' };\n" +
        "    const again = { method: 'PUT', path, body: { ...body, metadata } } as const;\n" +
        '    const answer = await client.call(withDeadline(again, deadline));',
    ),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'released too early: as soon as the write is allowed, before it is stored',
    edits: edit(
      WRITE,
      'if (!isPast(deadline)) return verdict;',
      'if (!isPast(deadline)) return acquired(deadline).then(() => verdict, () => verdict);',
    ),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'expiry by a clock of its own, which is an hour ahead',
    edits: edit(
      STATE,
      'expiry.hasExpired(dialect.name, lock, now)',
      'expiry.hasExpired(dialect.name, lock, Date.now())',
    ),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'expiry a second early: after 60 of whole seconds, which may be 59.5',
    edits: edit(STATE, 'now - lock.renewed > LOCK_MS', 'now - lock.renewed >= LOCK_MS'),
    breaks: 'stays',
    form: slowChange,
  },
  {
    name: 'a lock that lasts half as long as a request',
    edits: edit(LOCK, 'LOCK_SECONDS = 60', 'LOCK_SECONDS = 30'),
    breaks: 'stays',
    form: slowChange,
  },
  {
    name: 'a read made before the lock was read is used again',
    edits: [
      ...edit(WRITE, 'await engine.evaluate(subject, view);', 'await engine.evaluate(subject, before);'),
      ...edit(
        WRITE,
        'const state = await leases.read(write.dialect, deadline).catch(onlyClusterErrors);',
        'const before = locked.newView(deadline);\n  await engine.evaluate(subject, before);\n' +
          '  const state = await leases.read(write.dialect, deadline).catch(onlyClusterErrors);',
      ),
    ],
    breaks: 'stays',
    form: two,
  },
  {
    name: 'an owner is trusted by name: every write of a user is the same writer',
    edits: edit(
      WRITES,
      'const facts = [identity?.username ?? null, operation, dialect.group, dialect.plural, name, value];',
      'const facts = [identity?.username ?? null, dialect.group, value === undefined];',
    ),
    breaks: 'stays',
    form: shared,
  },
  {
    name: 'a lock held by another is taken over',
    edits: edit(WRITE, "lockState.kind === 'held' || (", "(lockState.kind as string) === 'never' || ("),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'a lock counts as completed while its object is as it was',
    edits: edit(STATE, "return isUnchanged ? 'pending' : 'completed';", "return 'completed';"),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'a creation counts as completed while it is not stored',
    edits: edit(
      STATE,
      "if (operation === 'CREATE') return isSameObject ? 'completed' : 'pending';",
      "if (operation === 'CREATE') return 'completed';",
    ),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'a lost answer counts as acquired',
    edits: edit(
      LEASES,
      'if (!(error instanceof ClusterError) || !mayBeStored(error)) throw error;',
      'if (!(error instanceof ClusterError) || !mayBeStored(error)) throw error;\n        if (attempt !== "") return async () => {};',
    ),
    breaks: 'stays',
    form: lossy,
  },
  {
    name: 'a conflict on the Lease counts as acquired',
    edits: edit(
      WRITE,
      "if (acquired.code === 'conflict') return { verdict, rival: 'another write got ahead of it' };",
      "if (acquired.code === 'conflict') return verdict;",
    ),
    breaks: 'stays',
    form: two,
  },
  {
    name: 'of two creations by one writer, storing one completes the other',
    edits: edit(LOCK, 'ambiguous: held.ambiguous || held.uid !== uid', 'ambiguous: false'),
    breaks: 'alone',
    form: joinsAndLeaves,
  },
  {
    name: 'creating an id under its second name takes no lock',
    edits: edit(WRITES, '(isId && claim.idNames.length > 1)', '(isId && claim.idNames.length > 2)'),
    breaks: 'agree',
    form: names,
  },
  {
    name: 'deleting an id takes no lock',
    edits: edit(
      WRITES,
      "if (operation === 'DELETE') return isId && !isTerminating(oldObject);",
      "if (operation === 'DELETE') return false;",
    ),
    breaks: 'exists',
    form: two,
  },
  {
    name: 'leaving releases no lock',
    edits: edit(
      'cluster/live-cluster-state.ts',
      "if (verdict.outcome === 'allowed') await",
      "if (verdict.outcome !== 'allowed') await",
    ),
    breaks: 'alone',
    form: two,
  },
  {
    name: 'a lock never expires',
    edits: edit(LOCK, 'LOCK_SECONDS = 60', 'LOCK_SECONDS = 600'),
    breaks: 'free',
    form: lossy,
  },
  {
    name: 'a lock never expires, and a leave passes without muster',
    edits: edit(LOCK, 'LOCK_SECONDS = 60', 'LOCK_SECONDS = 600'),
    breaks: 'free',
    form: unseenLeave,
    notReplayed: 'leave.e2e.ts has a leave without muster, with the time of the lock as it is',
  },
  {
    name: 'a membership that is being deleted counts as left',
    edits: edit(
      'rules/claim/claim-fields.ts',
      '(membership) => membership !== undefined',
      '(membership) => membership !== undefined && !isTerminating(membership)',
    ),
    breaks: 'alone',
    form: two,
  },
  {
    name: 'an early release drops the earlier lock of the same writer',
    edits: edit(LEASES, '(held === undefined ? withoutLock(found) : withLock(found, held))', 'withoutLock(found)'),
    breaks: 'stays',
    form: rivalAndTwice,
    notReplayed: 'it writes a value that is stored already, which the registration does not send to muster',
  },
  {
    name: 'an uncertain lock releases whatever lock is there',
    edits: edit(LEASES, 'if (found.lock?.attempt === attempt) await', 'await'),
    breaks: 'stays',
    form: lossyChanges,
  },
  {
    name: 'a re-entrant deletion forgets the version of the first decision',
    edits: edit(LOCK, 'return { ...fresh, uid: held.uid, resourceVersion: held.resourceVersion };', 'return fresh;'),
    breaks: 'exists',
    form: oldSnapshot,
    notReplayed: "a test can't bring about an old snapshot in the API server's cache",
  },
  {
    name: 'an ambiguous lock counts as completed when one of its creations is stored',
    edits: edit(STATE, '|| uid === undefined || ambiguous)', '|| uid === undefined)'),
    breaks: 'stays',
    form: twoJoins,
    isLong: true,
  },
  {
    name: 'leaving releases a lock whose join may still be stored',
    edits: edit(
      LEAVE,
      "if (progress === 'pending') return;",
      "if (progress === 'pending') await leases.release(state, limit);",
    ),
    breaks: 'stays',
    form: twoJoins,
    isLong: true,
  },
  {
    name: 're-entrant although it is not known whether the earlier write is stored',
    edits: edit(STATE, "progress === 'pending' && lock.writer === writer", 'lock.writer === writer'),
    breaks: 'exists',
    form: createdAnew,
    isLong: true,
  },
];
