/**
 * The state of the registrar's model: the members with what they have stored, the hub, the calls under way, and what
 * may still go wrong. Versions and uids are tokens (`~r3`, `~u0`), of which only equality matters.
 */
import { renamed } from '../lock/system-state.ts';

export interface StoredClaim {
  readonly uid: string;
  readonly version: string;
  readonly value: string;
}

/** The id, and the membership. */
export type Name = 'id' | 'set';

/** A reservation as the hub stores it. Times are seconds since the start. */
export interface HubLease {
  /** Of the Lease, as the code makes it. */
  readonly name: string;
  /** CLUSTERSET/ID. */
  readonly what: string;
  readonly holder: string;
  /** Without the label of its holder. */
  readonly unlabeled?: 1;
  readonly renewed: number;
  readonly confirmed?: 1;
  readonly uid: string;
  readonly version: string;
}

export interface Call {
  readonly key: string;
  readonly kind:
    | 'get-lock'
    | 'put-lock'
    | 'get-id'
    | 'get-set'
    | 'hub-list'
    | 'hub-get'
    | 'hub-create'
    | 'hub-update'
    | 'hub-delete';
  /** Of the Lease of a hub. */
  readonly name?: string;
  /** Whose reservations are listed, by their label. */
  readonly holder?: string;
  /** What is written. */
  readonly lease?: HubLease;
  /** Without a precondition. */
  readonly bare?: 1;
  /** The lock that is written, under the version of the one that was read. */
  readonly lock?: LockRecord;
}

/** The Lease of the lock, but for its name: as the code writes it. */
export interface LockRecord {
  readonly version: string;
  readonly text: string;
}

export type Content =
  | { readonly lock: LockRecord; readonly date: number }
  | { readonly claim: StoredClaim | null }
  | { readonly leases: readonly HubLease[] }
  | { readonly lease: HubLease | null }
  | { readonly written: HubLease | LockRecord }
  | { readonly done: 1 }
  | { readonly conflict: 1 }
  | { readonly lost: 1 };

export interface Answer {
  readonly key: string;
  readonly content: Content;
}

export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly name: Name;
  readonly value: string;
}

/** A review with the request that it belongs to, or a round of the loop, in one replica of a member. */
export interface Process {
  readonly kind: 'review' | 'round';
  /** Of which the clock of the second is ahead. */
  readonly replica: 0 | 1;
  /** Of the request, in seconds. */
  readonly born: number;
  readonly write?: Write;
  readonly uid?: string;
  readonly seen?: StoredClaim;
  /** Allowed, and about to be stored. */
  readonly allowed?: 1;
  /** The API server waits no longer. */
  readonly orphan?: 1;
  readonly answers: readonly Answer[];
  readonly pending: readonly Call[];
}

export interface Member {
  readonly id: StoredClaim | null;
  readonly set: StoredClaim | null;
  readonly lock: LockRecord;
  readonly processes: readonly Process[];
  /** What its users may still write; each once. */
  readonly todo: readonly Write[];
  /** How many rounds may still begin. */
  readonly rounds: number;
}

/** A write of the hub whose sender waits no longer, and that may still arrive. */
export type Straggler = Pick<Call, 'kind' | 'name' | 'lease' | 'bare'>;

export interface SystemState {
  /** Seconds since the start. */
  readonly now: number;
  readonly members: readonly Member[];
  readonly hub: readonly HubLease[];
  readonly stragglers: readonly Straggler[];
  /** How many may still happen. */
  readonly crash: number;
  readonly lost: number;
  /** Names given so far. */
  readonly names: { readonly [kind: string]: number };
}

/** Returns the uid under which a member reserves ids. */
export function holderOf(at: number): string {
  return `m${at}`;
}

/** Returns a fresh token: a version or a uid. */
export function fresh(system: SystemState, kind: 'r' | 'u'): readonly [string, SystemState] {
  const count = system.names[kind] ?? 0;
  return [`~${kind}${count}`, { ...system, names: { ...system.names, [kind]: count + 1 } }];
}

/** Returns a text that is equal for states that differ in names alone. Parsed, it is such a state. */
export function keyOf(system: SystemState): string {
  const { names: _, ...rest } = system;
  const sorted = {
    ...rest,
    hub: rest.hub.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    members: rest.members.map((member) => ({ ...member, processes: member.processes.toSorted(byText) })),
    stragglers: rest.stragglers.toSorted(byText),
  };
  const { text, names } = renamed(JSON.stringify(sorted));
  const counts: Record<string, number> = {};
  for (const name of names.values()) counts[name.charAt(1)] = (counts[name.charAt(1)] ?? 0) + 1;
  return `${text.slice(0, -1)},"names":${JSON.stringify(counts)}}`;
}

function byText(a: object, b: object): number {
  return bare(a) < bare(b) ? -1 : 1;
}

function bare(value: object): string {
  return JSON.stringify(value).replace(/~([ru])\d+/g, '~$1');
}
