/**
 * The type of a rule, and the types of all that a rule reads and returns. A rule imports `api`, `base` and this folder
 * only: no I/O, no clock, no npm package.
 */
import type { Concept, Dialect, Resource } from '../api/dialects.ts';
import type { JsonObject, Path } from '../base/json.ts';
import type { MaybePromise } from '../base/promise.ts';

/** What a write does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
export const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE'] as const satisfies readonly Operation[];
/** The main resource, or its status. No rule applies to any other subresource. */
export type Subresource = '' | 'status';
/** Where a rule is evaluated: by the server, by `muster check`, or by `muster scan`. */
export type EnforcementPoint = 'webhook' | 'check' | 'scan';
export const ENFORCEMENT_POINTS = ['webhook', 'check', 'scan'] as const satisfies readonly EnforcementPoint[];
/** How strong the norm is. `MUST†`: a MUST whose violation can't be proven by one request alone. */
export type Level = 'MUST' | 'MUST†' | 'SHOULD' | 'ADVICE';
/** What happens on a finding, strongest first. */
export type Action = 'deny' | 'warn' | 'audit' | 'ignore';
export type Basis = 'kep' | 'upstream' | 'muster';
type Need = 'object' | 'oldObject' | 'cluster' | 'identity' | 'clock';

/** The user who makes a request. Where it is not known, rules on the user report `unknown`. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

/** A user, group or service account that the configuration names. */
export type Principal = { readonly user: string } | { readonly group: string } | { readonly serviceAccount: string };

/**
 * The part of the configuration that rules read. An undefined list or map is not configured: the rule that reads it is
 * disabled.
 */
export interface RuleSettings {
  readonly claims: {
    readonly allowedReservedNames: readonly string[];
    readonly membershipManagers?: readonly Principal[];
  };
  readonly inventory: { readonly managers?: ReadonlyMap<string, readonly Principal[]> };
  readonly features: {
    /** `'*'`: every feature. In an entry, `'*'` means any name or any namespace. */
    readonly dynamic?: '*' | readonly { readonly namespace: string; readonly name: string }[];
    readonly serverFlow?: readonly { readonly namespace: string; readonly principals: readonly Principal[] }[];
    readonly clockSkewSeconds: number;
  };
  readonly placements: { readonly schedulers?: ReadonlyMap<string, readonly Principal[]> };
  readonly services: { readonly closedNamespaces?: readonly string[]; readonly importManagers?: readonly Principal[] };
  /** Where all members of a ClusterSet reserve their ids. */
  readonly registrar?: RegistrarSettings;
}

/** The hub: a namespace of an API server that all members of a ClusterSet share. */
export interface RegistrarSettings {
  /** The path of the kubeconfig for the hub, as written: relative to the folder of the configuration. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** What a join leads to if the hub can't be reached. */
  readonly whenUnreachable: 'deny' | 'warn';
}

/** The result of reading other objects. An object that does not exist is known; one that could not be read is not. */
export type Answer<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: string };

/** The id of a member of a ClusterSet. */
export interface ClusterIdentity {
  /** The API group of the claims. Ids of different groups are independent. */
  readonly apiGroup: string;
  readonly clusterSet: string;
  readonly id: string;
}

/** The hub's answer on the reservation of an id in a ClusterSet. */
export type ReservationAnswer =
  /** This cluster has the reservation, or, for a dry run, would get it. */
  | { readonly kind: 'ours' }
  | {
      readonly kind: 'held';
      /** The uid of the holder's `kube-system` namespace; undefined where the Lease names nobody. */
      readonly holder: string | undefined;
      readonly since: string | undefined;
      /** Whether the holder's membership is known to be stored. */
      readonly confirmed: boolean;
      /** The name of the Lease. */
      readonly lease: string;
    }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The hub is unreachable, and the configuration says to warn. */
  | { readonly kind: 'unreserved'; readonly reason: string };

/** The name of one object, with its kind and namespace. */
export interface Reference<Kind extends Resource = Dialect> {
  readonly dialect: Kind;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * Reads other objects as they are stored. All rules have to see the same state, so a view of a live cluster remembers
 * its answers and serves one write only.
 */
export interface ClusterView {
  /** Reads one object by name. A known `undefined` means that it does not exist. */
  get(reference: Reference): MaybePromise<Answer<JsonObject | undefined>>;
  /**
   * Lists the objects of a dialect, in one namespace or in all. With a label, the answer contains at least `limit` of
   * the objects that have it (all, if there are fewer), and may contain others.
   */
  list(dialect: Dialect, namespace?: string, label?: Label): MaybePromise<Answer<readonly JsonObject[]>>;
  /**
   * Returns, for each key, the first two objects that have it, in the order of `list`, in which others may be between
   * them. Absent if the view has no index; then use `list`.
   * @param keysOf returns the keys of an object; the view may keep an index for each function
   */
  listByKeys?(
    dialect: Dialect,
    namespace: string | undefined,
    keysOf: KeysOf,
    keys: readonly string[],
  ): MaybePromise<Answer<readonly JsonObject[]>>;
  /** Reserves an id for this cluster; for a dry run, only asks whether it is free. Absent if there is no hub. */
  reserve?(identity: ClusterIdentity): MaybePromise<ReservationAnswer>;
}

/** Returns the different keys of an object, by which objects are found that have one in common. */
export type KeysOf = (object: JsonObject) => readonly string[];

/** A label by which objects are listed. */
export interface Label {
  readonly key: string;
  readonly value: string;
  /** The most objects that are needed. */
  readonly limit: number;
}

/** One write of one object. It is decoded once, and never changed. */
export interface Subject {
  readonly dialect: Dialect;
  /** The version in the request. Versions newer than those in `dialect` are evaluated, too. */
  readonly version: string;
  readonly operation: Operation;
  readonly subresource: Subresource;
  /** The object to evaluate: the new one; on DELETE the stored one. */
  readonly object: JsonObject;
  /** The stored object, on UPDATE and DELETE. */
  readonly oldObject: JsonObject | undefined;
  /** The name in the object's metadata: `request.name` is empty on deletecollection. */
  readonly name: string;
  readonly namespace: string | undefined;
  /** Undefined where it is not known (a file in CI). */
  readonly identity: Identity | undefined;
  readonly dryRun: boolean;
}

/** One write, as a rule sees it. A rule never changes anything in it. */
export interface Context extends Subject {
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch, the same for all rules of a request. */
  readonly now: number;
  readonly settings: RuleSettings;
  readonly view: ClusterView;
}

/** A problem that a rule reports: not a text, but the id of one of its messages and the data for the placeholders. */
export interface Problem {
  readonly path: Path;
  readonly messageId: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Reports that the rule can't decide, and why. The engine decides what that leads to. */
export interface Unknown {
  readonly path: Path;
  readonly unknown: string;
}

export type RuleResult = Problem | Unknown;

/**
 * A JSON Schema for one part of the object, which the engine validates where the part is present. Its problems come
 * before those of the rule's `check`, which is called all the same, also on a part that the schema refuses. The schema
 * is compiled ahead (`npm run generate`).
 */
export interface Shape {
  readonly subresource: Subresource;
  readonly at: Path;
  readonly dialects?: readonly Dialect['name'][];
  readonly schema: Readonly<Record<string, unknown>>;
  /** Set for a list: the schema is that of each element, and no two elements may agree in all of `keys`. */
  readonly each?: { readonly keys: readonly string[] };
}

/** A CEL expression with a name, read as `variables.NAME`. The API server evaluates it only when it is used. */
export interface CelVariable {
  readonly name: string;
  readonly expression: string;
  /** Returns the expression for a configuration. */
  readonly configured?: (settings: RuleSettings) => string;
}

export interface CelValidation {
  /** True if the write passes. It must not fail for any object, since a failure refuses the write. */
  readonly expression: string;
  /** The field as the message names it. */
  readonly field: string;
  /** The id of one of the rule's messages. */
  readonly messageId: string;
  /** Texts for the placeholders of the message. */
  readonly data?: Readonly<Record<string, string>>;
  /** CEL for placeholders of the message. A value is shown only if it is a short text of printable ASCII. */
  readonly dataExpressions?: Readonly<Record<string, string>>;
}

export interface CelExpressions {
  /** The variables that the validations may use. A policy contains only those that are used. */
  readonly variables?: readonly CelVariable[];
  /** Which writes the validations apply to: all conditions must hold. They can't use the variables. */
  readonly matchConditions?: readonly string[];
  readonly validations: readonly CelValidation[];
  /** The name of an object of the same dialect, the parameter of the policy. It applies only while that exists. */
  readonly parameter?: string;
}

/** The part of a rule that CEL can express. */
export interface CelRule {
  /** The part of the rule that is left out here, in words for the documentation. */
  readonly omits?: string | undefined;
  readonly byDialect: Readonly<Partial<Record<Dialect['name'], CelExpressions>>>;
}

/** The reason why CEL can't express a rule. */
export type NotInCel = { readonly reason: string };

/** The norm of a rule, its messages and its default actions. */
export interface RuleMeta {
  /** What the rule demands: one sentence in plain English, at most 100 characters. */
  readonly summary: string;
  /** How a user fixes a finding: one to three sentences. */
  readonly fix: string;
  readonly level: Level;
  readonly basis: Basis;
  /** Document and heading. */
  readonly source: string;
  /** The norm verbatim, for basis kep and upstream. */
  readonly quote?: string;
  /** What the rule reads; for the documentation. */
  readonly needs: readonly Need[];
  /** Why the rule is not left to the schema and the CEL of the CRD. */
  readonly why: string;
  /**
   * `status.code` of a denial: 422 malformed content, 403 immutability, state, reservation, identity. An UPDATE of the
   * main resource is always 403.
   */
  readonly code: 403 | 422;
  /** The setting that enables the rule; absent if it needs none. */
  readonly inertUntil?: string;
  readonly messages: Readonly<Record<string, string>>;
  /** Templates for the items of lists in messages; see `Phrases`. */
  readonly phrases?: Readonly<Record<string, string>>;
  /**
   * Examples of two objects that conflict, by the reason that the finding begins with. Each is a part of `spec`, as
   * YAML.
   */
  readonly pairs?: Readonly<Record<string, readonly [one: string, other: string]>>;
  /** Levels of single messages, where a part of the norm is stronger or weaker. A configured action holds for all. */
  readonly messageLevels?: Readonly<Record<string, Level>>;
  /** Where the norm is stronger or weaker at one enforcement point. */
  readonly pointLevels?: Readonly<Partial<Record<EnforcementPoint, Level>>>;
}

/** The identity of a stored object that is compared with others. */
export interface ComparedObject<Kind extends Resource = Dialect> {
  /** The name of its cluster; empty in a run of one cluster. Objects of one name in two clusters are two objects. */
  readonly cluster: string;
  readonly dialect: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** What a comparison keeps of an object. */
export interface ObjectFact<Fact, Kind extends Resource = Dialect> {
  readonly object: ComparedObject<Kind>;
  readonly fact: Fact;
}

/** The most other objects that a conflict lists. */
export const MOST_RELATED = 8;

/** A problem of one object in relation to others. */
export interface Conflict {
  readonly object: ComparedObject;
  /** The problem, or why the rule can't decide. */
  readonly problem: RuleResult;
  /** The object that the path of the problem belongs to, if it is not `object`: the Service of an export. */
  readonly in?: ComparedObject<Resource> | undefined;
  /** The other objects, each with a path in it and a message of the rule on what is there. */
  readonly related: readonly (Problem & { readonly object: ComparedObject<Resource> })[];
}

/** What a comparison knows of the clusters of a run besides the facts. */
export interface ComparedClusters {
  /** The names of all clusters, also of those without objects. In a run of one cluster, only the empty name. */
  readonly clusters: readonly string[];
  /** Returns why not all objects of a kind were read in a cluster, or in one namespace; undefined if all were. */
  readonly unread: (cluster: string, kind: Resource, namespace?: string) => string | undefined;
  /** Whether a cluster is known to have a namespace: an object in it was read, or the Namespace itself. */
  readonly hasNamespace: (cluster: string, namespace: string) => boolean;
}

/** What a comparison reads besides the current facts. */
export interface ComparisonRun<Fact = unknown, Kind extends Resource = Dialect> extends ComparedClusters {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the run includes every cluster of its ClusterSets. */
  readonly isComplete: boolean;
  /** The state before the run; undefined if it is not known. */
  readonly before?: (ComparedClusters & { readonly kept: readonly ObjectFact<Fact, Kind>[] }) | undefined;
}

/**
 * How a rule compares many stored objects, of one cluster or of several. `check` and `scan` compare once all objects
 * are known. Rules with the same `factOf` function share its facts.
 */
export interface ObjectComparison<Fact = unknown, Kind extends Resource = Dialect> {
  /** The kinds that are read: those that the rule reports on, and those that it needs for that. */
  readonly kinds: readonly Resource[];
  /** Whether it compares clusters with each other only. Then a run of one cluster has nothing to compare. */
  readonly acrossOnly: boolean;
  /**
   * Where objects are compared; default: at `check` and `scan`. A rule whose `check` compares each write with the
   * stored objects needs no comparison at `check`.
   */
  readonly points?: readonly EnforcementPoint[];
  /**
   * False: `conflicts` itself leaves out what was there before the run. Otherwise the engine drops a conflict that
   * existed before with the same other objects.
   */
  readonly ratchets?: false;
  /** Returns what to keep of an object; undefined: nothing. The object itself is not kept. */
  factOf(object: JsonObject, compared: ComparedObject<Kind>): Fact | undefined;
  /** Returns the conflicts among all facts, which are ordered by cluster. */
  conflicts(kept: readonly ObjectFact<Fact, Kind>[], run: ComparisonRun<Fact, Kind>): readonly Conflict[];
}

/** How a rule applies to stored objects: `object` unchanged, `skip` not at all (and why), or with another check. */
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

/** One rule: to which writes it applies, how it evaluates them, and which norm it enforces. */
export interface Rule {
  readonly id: string;
  readonly concept: Concept;
  readonly on: readonly Operation[];
  /**
   * Default: the main resource only. A rule on the spec need not list `status`: a write of /status can't change the
   * spec, and problems that the stored object has already are dropped. (CONTRIBUTING.md: to deny on /status too.)
   */
  readonly subresources?: readonly Subresource[];
  /** The rule reports on these dialects only; default: on those that it compares, or all of the concept. */
  readonly dialects?: readonly Dialect['name'][];
  /** Another default action in some dialects. Configuration overrides it. */
  readonly dialectActions?: Readonly<Partial<Record<Dialect['name'], Action>>>;
  /**
   * Compares all objects of a kind; for a live cluster, only `scan` does that. A rule that does nothing else has an
   * empty `on`.
   */
  readonly comparison?: ObjectComparison;
  /** The check lists all objects of a kind. In a live cluster, only `scan` does that, and applies the rule. */
  readonly readsLists?: boolean;
  /**
   * `check` evaluates the rule at the end of a run, when all objects are known, whatever the order of the documents.
   */
  readonly atEndOfRun?: boolean;
  /**
   * False: the check itself compares the object with the stored one. Otherwise the engine drops the problems that the
   * stored object has already; see `check`.
   */
  readonly ratchets?: false;
  /** A concurrent write could make the check's answer wrong. If the rule may deny, identity writes need a lock. */
  readonly locks?: true;
  /** How `muster scan` applies the rule to stored objects, if not by the default of rules/scan-variant.ts. */
  readonly scan?: ScanVariant;
  /**
   * A later write of the same run may fix a warning of this rule: `check` drops it if it is gone at the end of the run.
   */
  readonly laterWriteMayFix?: boolean;
  /** Also checks who adds an ownerReference, which is a way to delete the object; see ownership.ts. */
  readonly checksOwnerReferences?: boolean;
  /**
   * Findings of this rule may deny the garbage collector and the namespace controller; those of other rules are only
   * recorded there. See `isCollecting` in engine/verdict.ts.
   */
  readonly appliesToGarbageCollector?: boolean;
  readonly meta: RuleMeta;
  readonly shapes?: readonly Shape[];
  /** The rule in CEL, for the fallback policies, or why CEL can't express it. Every rule of the catalogue has it. */
  readonly cel?: CelRule | NotInCel;
  /**
   * Reports what is wrong with `context.object`: a list, or a promise of one where other objects are read. Whatever the
   * JSON, it must not throw; if it does, the verdict has a crash.
   *
   * Ratcheting (engine/new-problems.ts): on UPDATE the engine evaluates the stored object too and drops the problems
   * that it has already, so that an object older than the webhook stays editable. A rule with `ratchets: false` is
   * exempt: it compares the two itself.
   */
  check?(context: Context): MaybePromise<readonly RuleResult[]>;
  /**
   * Returns the strongest action that the rule may take on this request, whatever is configured. Must not throw.
   * @param messageId the problem; undefined if the rule can't decide
   */
  capAction?(context: Context, messageId?: string): Action;
  /** False while the configuration that the rule needs is missing. */
  enabled?(settings: RuleSettings): boolean;
}

/** The path of an object's name. */
export const NAME: Path = ['metadata', 'name'];

/** The `scan` of a rule on the user who writes. */
export const NO_CALLER_STORED = { skip: 'it is about the user, who is not stored with the object' } as const;

/** The writes to which a rule on the status alone applies. */
export const STATUS_WRITES = { on: ['UPDATE'], subresources: ['status'] } as const;

type Usual = 'basis' | 'needs' | 'code';

/** Defaults of a rule's metadata. */
const USUAL: Pick<RuleMeta, Usual> = { basis: 'kep', needs: ['object'], code: 403 };

/** The concept of a rule, by the first part of its id. */
const CONCEPTS = {
  claim: 'claim',
  inventory: 'inventory',
  feature: 'feature',
  placement: 'placement',
  export: 'service',
  import: 'service',
} as const satisfies Readonly<Record<string, Concept>>;

type RulePrefix = keyof typeof CONCEPTS;

/** The first parts of rule ids. The rules of each are in a folder of that name. */
export const rulePrefixes = Object.keys(CONCEPTS) as readonly RulePrefix[];

type Definition = Omit<Rule, 'concept' | 'meta'> & {
  readonly id: `${RulePrefix}/${string}`;
  readonly meta: Omit<RuleMeta, Usual> & Partial<Pick<RuleMeta, Usual>>;
};

/** Makes the members of these names an error: TypeScript would let a misspelled one pass, without effect. */
type Without<Name extends PropertyKey> = { readonly [each in Name]: never };

/**
 * Returns the rule with its literal types (its id above all), the concept that its id stands for, and the usual
 * metadata: basis `kep`, needs `object` alone, code 403.
 */
export function defineRule<const R extends Definition>(rule: R & Without<Exclude<keyof R, keyof Definition>>) {
  return { ...rule, concept: CONCEPTS[rule.id.split('/')[0] as RulePrefix], meta: { ...USUAL, ...rule.meta } };
}
