/** What a rule is, and all it may see: `schemas` and this folder only. No I/O, no clock of its own, no npm package. */
import type { ClaimFacts, Concept, Dialect } from '../api/dialects.ts';
import type { Cel } from './cel/cel.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
/** Where a value stands: keys and list indices, from the object's root. */
export type Path = readonly (string | number)[];

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
/** The main resource, or its status. No rule speaks of any other subresource. */
export type Subresource = '' | 'status';
export type EnforcementPoint = 'webhook' | 'check' | 'scan';
export type Level = 'MUST' | 'MUST†' | 'SHOULD' | 'ADVICE';
/** What happens on a finding, strongest first. */
export type Action = 'deny' | 'warn' | 'audit' | 'ignore';
export type Basis = 'kep' | 'upstream' | 'muster';
export type Need = 'object' | 'oldObject' | 'cluster' | 'identity' | 'clock';

/** Who asks. `undefined` stands for "not said": rules on identity then answer unknown. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

export type Principal = { readonly user: string } | { readonly group: string } | { readonly serviceAccount: string };

/** The part of the configuration that rules read. Undefined lists and maps: not configured, the rule is inert. */
export interface RuleSettings {
  readonly claims: {
    readonly allowedReservedNames: readonly string[];
    readonly membershipManagers?: readonly Principal[];
  };
  readonly inventory: {
    readonly managers?: ReadonlyMap<string, readonly Principal[]>;
  };
  readonly features: {
    /** `'*'`: every feature. In an entry `'*'` stands for any name or any namespace. */
    readonly dynamic?: '*' | readonly { readonly namespace: string; readonly name: string }[];
    readonly serverFlow?: readonly { readonly namespace: string; readonly principals: readonly Principal[] }[];
    readonly clockSkewSeconds: number;
  };
}

/** What is known of other objects. Absence is not proof: `unknown` is an answer of its own, never a guess. */
export type Answer<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: string };

export interface Reference {
  readonly dialect: Dialect;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** Now, or once something was read. */
export type MaybePromise<T> = T | Promise<T>;

/** Reads of other objects, as they are stored. The rules own this interface; the entry injects an implementation. */
export interface ClusterView {
  /** One object by name; a known `undefined` means that it does not exist. */
  get(reference: Reference): MaybePromise<Answer<JsonObject | undefined>>;
  /** All objects of a dialect, in one namespace or in all. */
  list(dialect: Dialect, namespace?: string): MaybePromise<Answer<readonly JsonObject[]>>;
}

/** One request, as a rule sees it. No rule changes anything in it: where that costs too much it is not frozen. */
export interface Context {
  readonly operation: Operation;
  readonly subresource: Subresource;
  readonly dialect: Dialect;
  readonly point: EnforcementPoint;
  /** The object to judge: the new one, or on DELETE the stored one. */
  readonly object: JsonObject;
  /** The stored object, on UPDATE and DELETE. */
  readonly oldObject: JsonObject | undefined;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly identity: Identity | undefined;
  readonly dryRun: boolean;
  /** Milliseconds since the epoch, once for the whole request. */
  readonly now: number;
  readonly settings: RuleSettings;
  readonly view: ClusterView;
}

export type ClaimContext = Context & { readonly dialect: Dialect & { readonly claim: ClaimFacts } };

/** Something wrong: a message of the rule's own table and the data for its `{{placeholders}}`. Never text. */
export interface Problem {
  readonly path: Path;
  readonly messageId: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The rule can't tell, and why; the engine decides what that means. */
export interface Unknown {
  readonly path: Path;
  readonly unknown: string;
}

export type Yielded = Problem | Unknown;

/** Says nothing of the object: between two that a rule yields it may be interrupted, so that others are served in between. */
export const INTERRUPTIBLE: unique symbol = Symbol('interruptible');
export type Interruptible = typeof INTERRUPTIBLE;

/** All that a rule yields. What is a promise or async makes everybody wait: only for what has to be read. */
export type Said = MaybePromise<Iterable<Yielded | Interruptible>> | AsyncIterable<Yielded>;

/** A JSON Schema over one place of the object. The engine runs it, compiled ahead. */
export interface Shape {
  readonly subresource: Subresource;
  readonly at: Path;
  readonly dialects?: readonly Dialect['name'][];
  readonly schema: Readonly<Record<string, unknown>>;
  /** A missing (or null) value is a problem too; default: nothing there, nothing to judge. */
  readonly required?: boolean;
  /** The schema is that of each element of a list (the place may be absent); no two may agree in all of `keys`. */
  readonly each?: { readonly keys: readonly string[] };
}

export interface RuleMeta {
  readonly level: Level;
  readonly basis: Basis;
  /** Document and heading. */
  readonly source: string;
  /** The norm verbatim, for basis kep and upstream. */
  readonly quote?: string;
  readonly needs: readonly Need[];
  /** What the CRD's own schema and CEL can't say, or that the CRD isn't ours. */
  readonly why: string;
  /** `status.code` of a denial: 422 malformed content, 403 immutability, state, reservation, identity. */
  readonly code: 403 | 422;
  /** Which setting wakes the rule; absent for rules that are always awake. */
  readonly inertUntil?: string;
  readonly messages: Readonly<Record<string, string>>;
  /** Messages for a part of the norm that is stronger or weaker than the rest. A configured action holds for all parts. */
  readonly messageLevels?: Readonly<Record<string, Level>>;
  /** Where the norm is stronger or weaker at one enforcement point. */
  readonly pointLevels?: Readonly<Partial<Record<EnforcementPoint, Level>>>;
}

/** Names and ids that identify an object. */
export interface Uniqueness {
  /** Which objects are compared: those of one namespace, or all. */
  readonly within: 'namespace' | 'cluster';
  /** The keys of an object. Two objects that have equal parts in one of them share it. */
  keysOf(object: JsonObject): readonly UniqueKey[];
}

export interface UniqueKey {
  /** The last is the value at the path; those before it say what it belongs to. */
  readonly parts: readonly string[];
  readonly path: Path;
}

/** A rule as it reads for a stored object: `object` as it is, `skip` not at all and why, or with another check. */
export type ScanVariant =
  | 'object'
  | { readonly skip: string }
  | {
      /** What differs, for the reference. */
      readonly how: string;
      readonly level?: Level;
      readonly messages: RuleMeta['messages'];
      readonly check: NonNullable<Rule['check']>;
    };

export interface Rule {
  readonly id: string;
  readonly concept: Concept;
  readonly on: readonly Operation[];
  /** Default: the main resource only. */
  readonly subresources?: readonly Subresource[];
  /** Only these dialects; default: all of the concept. */
  readonly dialects?: readonly Dialect['name'][];
  /** Another default action in some dialects. Configuration still beats it. */
  readonly dialectActions?: Readonly<Partial<Record<Dialect['name'], Action>>>;
  /** What no two objects may share. It takes all objects of a kind, so in a live cluster only `scan` compares them. */
  readonly unique?: Uniqueness;
  /** How `muster scan` applies the rule to stored objects, where that does not follow from `needs` (rules/scan.ts). */
  readonly scan?: ScanVariant;
  /** Guards ownerReferences as it guards a DELETE: an owner can have the object deleted. */
  readonly guardsOwners?: boolean;
  /** Binds even the garbage collector and the namespace controller. */
  readonly bindsCollectors?: boolean;
  readonly meta: RuleMeta;
  readonly shapes?: readonly Shape[];
  /** What CEL can say of the rule, or why it can't. Every rule of the catalogue has it. */
  readonly cel?: Cel;
  check?(context: Context): Said;
  /**
   * The strongest action that this rule may take on this request, whatever is configured. `messageId` names the problem;
   * undefined where the rule can't tell.
   */
  atMost?(context: Context, messageId?: string): Action;
  /** False while the configuration that wakes the rule is missing. */
  awake?(settings: RuleSettings): boolean;
}

/** Goes on with a value: at once where it is there. */
export function after<T, U>(value: MaybePromise<T>, then: (value: T) => U): MaybePromise<U> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** What a rule says that has nothing to say. */
export const NOTHING: readonly Yielded[] = [];

/** Keeps the literal types of a rule (its id above all) while checking its shape. */
export function defineRule<const R extends Rule>(rule: R): R {
  return rule;
}
