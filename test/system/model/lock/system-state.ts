/**
 * The state of the model: what is stored, the requests under way, and what may still go wrong. Object versions, uids,
 * users and locks are
 * tokens (`~r3`, `~u0`, `~j1`, `~a2`), of which only equality matters. States that differ in their names alone are
 * one state.
 */

/** The newer name of the id, the older one, the membership. A dialect whose id has one name has no older one. */
export type Name = 0 | 1 | 2;
export const MEMBERSHIP: Name = 2;

export interface StoredObject {
  readonly uid: string;
  readonly version: string;
  readonly value: string;
  /** It has a finalizer. */
  readonly finalizer?: 1;
  /** It is being deleted, and waits for the finalizer. */
  readonly going?: 1;
}

/**
 * A lock as the Lease holds it; `holder` stands for the digest of its writer, `renewed` for seconds by the API
 * server's clock.
 */
export interface LockRecord {
  readonly holder: string;
  readonly renewed: number;
  readonly operation: string;
  readonly object: string;
  readonly uid?: string;
  readonly version?: string;
  readonly ambiguous?: 1;
  readonly attempt: string;
}

export interface LeaseRecord {
  readonly version: string;
  readonly lock: LockRecord | null;
}

/**
 * A call of the code under test that waits for its answer, or the answer to it. `key` names it: what is called, and
 * the how manieth time.
 */
export interface Call {
  readonly key: string;
  readonly what: 'get-lease' | 'put-lease' | Name;
  /** On `put-lease`. `~a!` stands for an attempt without a name yet. */
  readonly lease?: LeaseRecord;
  /** It ends when its request does. */
  readonly bound?: 1;
}

export type Content =
  | { readonly lease: LeaseRecord; readonly date: number; readonly expired?: boolean }
  | { readonly object: StoredObject | null }
  /** Of a `put-lease`; the attempt also where the answer is lost. */
  | { readonly put: 'stored' | 'conflict' | 'lost'; readonly version?: string; readonly attempt?: string }
  | { readonly lost: 1 };

export interface Answer {
  readonly key: string;
  readonly content: Content;
  /** The request had ended by then. */
  readonly late?: 1;
}

export interface Write {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly name: Name;
  readonly value: string;
}

/** One request of a writer in one API server, and its review in one replica of muster. */
export interface Request extends Write {
  /** Its place in the trace; in the key of a state its place in the list. */
  readonly id: number;
  readonly user: string;
  /** On CREATE the uid that the API server has made. */
  readonly uid?: string;
  /** On UPDATE and DELETE what the API server has read. */
  readonly seen?: StoredObject;
  /** Index into the clock's moments. */
  readonly born: number;
  /** In muster, or allowed and about to be stored. */
  readonly phase: 'review' | 'store';
  /** The API server has ended the request; muster still works on the review. */
  readonly orphan?: 1;
  /** muster knows that the request has ended. */
  readonly late?: 1;
  /** The last attempt under the lock. */
  readonly last?: 1;
  /** A client has repeated it. */
  readonly repeated?: 1;
  /** Of this attempt. */
  readonly answers: readonly Answer[];
  readonly pending: readonly Call[];
}

/** A review with the answers that its present attempt has got. */
export type Review = Pick<Request, 'operation' | 'name' | 'value' | 'user' | 'uid' | 'seen' | 'last' | 'answers'>;

/** A write of a Lease whose sender is gone or waits no longer, and that may still arrive. */
type Straggler = LeaseRecord;

/** How many of each may still happen. */
export interface Budget {
  readonly start: number;
  readonly crash: number;
  readonly lost: number;
  readonly stale: number;
  readonly retry: number;
  readonly touch: number;
  /** Leaves that an API server stores without the answer of muster: their webhook fails open. */
  readonly open: number;
}

export interface SystemState {
  /** Index into the clock's moments. */
  readonly moment: number;
  readonly objects: readonly (StoredObject | null)[];
  readonly lease: LeaseRecord;
  readonly requests: readonly Request[];
  readonly stragglers: readonly Straggler[];
  /** The version before, which an API server's cache may still hold. Empty once no stale read is left. */
  readonly former: readonly (StoredObject | null)[];
  readonly left: Budget;
  /** A request or a review ended before its end: a lock may be left that no write completes. */
  readonly disturbed?: 1;
  /** Names given so far. */
  readonly names: { readonly [kind: string]: number };
  readonly made: number;
}

/** Returns a fresh token of a kind: version, uid, attempt or user. */
export function fresh(system: SystemState, kind: 'r' | 'u' | 'a' | 'j'): readonly [string, SystemState] {
  const count = system.names[kind] ?? 0;
  return [`~${kind}${count}`, { ...system, names: { ...system.names, [kind]: count + 1 } }];
}

const TOKEN = /~[ruaj]\d+/g;
const NUMBER = /~([ruaj])\d+/g;

/** Renames tokens in the order in which they occur. Returns the text and the new names. */
export function renamed(text: string): { readonly text: string; readonly names: Map<string, string> } {
  const names = new Map<string, string>();
  const counts: Record<string, number> = {};
  const result = text.replace(TOKEN, (token) => {
    let name = names.get(token);
    if (name === undefined) {
      const kind = token.charAt(1);
      const count = counts[kind] ?? 0;
      counts[kind] = count + 1;
      name = `~${kind}${count}`;
      names.set(token, name);
    }
    return name;
  });
  return { text: result, names };
}

/**
 * Returns a text that is equal for states that differ in names only: of versions, uids, users, locks and requests. It
 * need not be equal for all of them: then a state is explored twice. Parsed, it is such a state.
 */
export function keyOf(system: SystemState): string {
  return canonical(system).key;
}

/** Returns that text, the new names in it, and its requests by their numbers before. */
export function canonical(system: SystemState) {
  const { moment, objects, lease, stragglers, former, left, disturbed } = system;
  const order = system.requests.map(shapeOf).sort((a, b) => (a.bare < b.bare ? -1 : 1));
  const requests = order.map(({ text }, id) => `{"id":${id},${text}`);
  const rest = JSON.stringify({ moment, left, disturbed, objects, lease, stragglers, former });
  const { text, names } = renamed(`${rest.slice(0, -1)},"requests":[${requests.join()}]`);
  const counts: Record<string, number> = {};
  for (const name of names.values()) counts[name.charAt(1)] = (counts[name.charAt(1)] ?? 0) + 1;
  const key = `${text},"names":${JSON.stringify(counts)},"made":${requests.length}}`;
  return { key, names, requests: order.map(({ request }) => request.id) };
}

interface Shape {
  readonly request: Request;
  /** All but its number. */
  readonly text: string;
  /** The same without names. */
  readonly bare: string;
}

/** Most requests stay as they are in a step. */
const shapes = new WeakMap<Request, Shape>();

function shapeOf(request: Request): Shape {
  const known = shapes.get(request);
  if (known !== undefined) return known;
  const { id: _, ...rest } = request;
  const text = JSON.stringify(rest).slice(1);
  const shape = { request, text, bare: text.replace(NUMBER, '~$1') };
  shapes.set(request, shape);
  return shape;
}
