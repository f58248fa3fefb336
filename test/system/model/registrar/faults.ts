/** Faults planted in the registrar's code, each of which the model has to find. */
import type { Edit } from '../lock/code.ts';
import {
  creating,
  type Form,
  follow,
  formOf,
  join,
  joinOther,
  leave,
  lossy,
  moving,
  unlabeledOne,
  unread,
} from './forms.ts';
import type { Invariant } from './norm.ts';

export interface Fault {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** What it leads to first. */
  readonly breaks: Invariant;
  readonly form: Form;
}

const HUB = 'cluster/registrar/hub.ts';
const RESERVE = 'cluster/registrar/reserve.ts';
const ROUND = 'cluster/registrar/round.ts';
const RESERVATION = 'cluster/registrar/reservation.ts';
const STATE = 'cluster/live-cluster-state.ts';
const edit = (file: string, find: string, replace: string): readonly Edit[] => [{ file, find, replace }];

const rivals = formOf({
  name: '2 members join and leave',
  members: [{ todo: [join, leave] }, { todo: [join] }],
});

// Where the short form would take long to come to a fault, a smaller form has only what the fault needs.
const withinAMinute = {
  members: [{ todo: [join] }, { todo: [join], rounds: 0 }],
  parallel: 2,
  clock: [0, 59],
};
const lateStore = formOf({ ...withinAMinute, name: '2 members: one joins beside a round within a minute' });
const lateBySkew = formOf({
  ...withinAMinute,
  name: '2 members: one joins beside a round within a minute, by two clocks',
  skewed: true,
});
const later = formOf({
  name: '2 members join, the second when the reservation of the first is old',
  members: [
    { todo: [join], rounds: 0 },
    { todo: [join], rounds: 0 },
  ],
  clock: [0, 125],
});

export const FAULTS: readonly Fault[] = [
  {
    name: 'no reservation: a join is allowed by what is stored in its own cluster',
    edits: edit(
      STATE,
      "return action === 'deny' || action === 'warn' ? registrar",
      "return action === 'audit' ? registrar",
    ),
    breaks: 'unique',
    form: rivals,
  },
  {
    name: 'a read in place of a creation: what nobody holds now counts as reserved',
    edits: edit(STATE, 'subject.dryRun ? registrar.lookUp : registrar.reserve', 'registrar.lookUp'),
    breaks: 'unique',
    form: rivals,
  },
  {
    name: 'a deletion without preconditions',
    edits: edit(HUB, "kind: 'DeleteOptions', preconditions }", "kind: 'DeleteOptions' }"),
    breaks: 'unique',
    form: follow,
  },
  {
    name: 'released after 30 s in place of 120',
    edits: edit(ROUND, 'RELEASE_SECONDS = 120', 'RELEASE_SECONDS = 30'),
    breaks: 'unique',
    form: lateStore,
  },
  {
    name: 'released after 80 s, which are 50 s by a clock that is 30 s ahead',
    edits: edit(ROUND, 'RELEASE_SECONDS = 120', 'RELEASE_SECONDS = 80'),
    breaks: 'unique',
    form: lateBySkew,
  },
  {
    name: 'released in the review of the leave, before it is stored',
    edits: edit(
      STATE,
      "if (verdict.outcome === 'allowed') await",
      'const given = options.registrar?.();\n        if (given) await (given as unknown as { giveBack(): Promise<void> }).giveBack();\n' +
        "        if (verdict.outcome === 'allowed') await",
    ).concat(
      edit(
        'cluster/registrar/registrar.ts',
        '    joined: onJoin,',
        '    joined: onJoin,\n    ...({ giveBack: async () => {\n      const until = { at: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };\n' +
          '      const own = await holder(until);\n      const listed = await hub.list(until);\n' +
          "      if (listed.kind === 'listed') for (const one of listed.reservations) if (one.holder === own) await hub.delete(one, until);\n    } }),",
      ),
    ),
    breaks: 'unique',
    form: rivals,
  },
  {
    name: 'an own reservation is not renewed',
    edits: edit(
      RESERVE,
      'const renewed = await hub.update(renewedLease(found.reservation, now()), deadline);',
      "const renewed = { kind: 'written' } as Awaited<ReturnType<Hub['update']>>;",
    ),
    breaks: 'unique',
    form: follow,
  },
  {
    name: 'a conflict on the renewal counts as renewed',
    edits: edit(RESERVE, "if (renewed.kind === 'written') return", "if (renewed.kind !== 'absent') return"),
    breaks: 'unique',
    form: follow,
  },
  {
    name: 'an old reservation of another is taken, as the locks of leaders are',
    edits: edit(
      RESERVE,
      "if (found.reservation.holder !== holder) return { kind: 'held', reservation: found.reservation };",
      "const isOld = now() - (found.reservation.renewed ?? 0) > 120_000;\n    if (found.reservation.holder !== holder && !isOld) return { kind: 'held', reservation: found.reservation };\n" +
        '    if (isOld) return release(hub, identity, found.reservation.holder ?? "", deadline).then(() => reserve(hub, identity, { holder, now }, deadline));',
    ),
    breaks: 'unique',
    form: later,
  },
  {
    name: 'creating an id takes no lock',
    edits: edit(STATE, 'findIdentityWrite(subject, registrar !== undefined)', 'findIdentityWrite(subject)'),
    breaks: 'unique',
    form: creating,
  },
  {
    name: 'creating an id while a member reserves nothing',
    edits: edit(
      'rules/claim/identities.ts',
      "return operation === 'CREATE' || !same",
      "return (operation === 'CREATE' && isMembership(write)) || (operation !== 'CREATE' && !same",
    ).concat(
      edit(
        'rules/claim/identities.ts',
        'claimValue(object), claimValue(oldObject));',
        'claimValue(object), claimValue(oldObject)));',
      ),
    ),
    breaks: 'unique',
    form: creating,
  },
  {
    name: 'the name without the ClusterSet',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the code under test
    edits: edit(RESERVATION, '`${apiGroup}/${clusterSet}/${id}`', '`${apiGroup}/${clusterSet.slice(0, 0)}/${id}`'),
    breaks: 'free',
    form: formOf({
      name: '2 members of two ClusterSets',
      members: [
        { todo: [join], rounds: 0 },
        { todo: [joinOther], rounds: 0 },
      ],
    }),
  },
  {
    name: 'changing the ClusterSet in place reserves nothing',
    edits: edit(
      'rules/claim/identities.ts',
      '(!isId(write) && !isMembership(write))',
      "!(isId(write) || (isMembership(write) && operation === 'CREATE'))",
    ),
    breaks: 'unique',
    form: moving,
  },
  {
    name: 'the own membership is read before the list of the hub',
    edits: edit(
      ROUND,
      'const listed = await hub.listOf(member.holder, !listsAll, deadline);',
      'const early = newView();\n  const before = await Promise.all(claimDialects.map((dialect) => identitiesOf(dialect, early)));\n  const listed = await hub.listOf(member.holder, true, deadline);',
    ).concat(
      edit(
        ROUND,
        'const answers = await Promise.all(claimDialects.map((dialect) => identitiesOf(dialect, view)));',
        'const answers = view ? before : [];',
      ),
    ),
    breaks: 'unique',
    form: follow,
  },
  {
    name: 'what can not be read counts as not there',
    edits: edit(ROUND, 'if (unread.length > 0) return { ...round };', ''),
    breaks: 'unique',
    form: unread,
  },
  {
    name: 'a lost answer counts as reserved',
    edits: edit(
      RESERVE,
      "if (created.kind === 'unreachable') return created;",
      "if (created.kind === 'unreachable') return { kind: 'made' };",
    ),
    breaks: 'unique',
    form: lossy,
  },
  {
    name: 'the loop releases nothing',
    edits: edit(ROUND, 'now - renewed > RELEASE_SECONDS * 1000', 'false'),
    breaks: 'free',
    form: rivals,
  },
  {
    name: 'a reservation has no label, so its holder does not find it',
    edits: edit(RESERVATION, '      labels: { [HOLDER_LABEL]: holder },\n', ''),
    breaks: 'free',
    form: rivals,
  },
  {
    name: 'a reservation without the label is not looked for',
    edits: edit(ROUND, 'hub.listOf(member.holder, !listsAll, deadline)', 'hub.listOf(member.holder, true, deadline)'),
    breaks: 'free',
    form: unlabeledOne,
  },
  {
    name: 'the loop confirms and makes nothing',
    edits: edit(
      ROUND,
      'for (const identity of known) await round.confirm(',
      'for (const identity of known.slice(0, 0)) await round.confirm(',
    ),
    breaks: 'kept',
    form: formOf({
      name: 'a member from before the registrar',
      members: [
        { set: 'S', todo: [] },
        { id: 'b', todo: [join] },
      ],
    }),
  },
];
