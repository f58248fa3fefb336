/**
 * What a rule is and all that it may see. A rule imports `api`, `base` and this folder only: no I/O, no clock, no npm
 * package.
 */
import type { Concept, Dialect, Resource } from '../api/dialects.ts';
import type { SupportingKind } from '../api/supporting-kinds.ts';
import type { JsonObject, Path } from '../base/json.ts';

/** What a write does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';
/** The main resource, or its status. No rule applies to any other subresource. */
export type Subresource = '' | 'status';
/** Where a rule is evaluated: by the server, by `muster check`, or by `muster scan`. */
export type EnforcementPoint = 'webhook' | 'check' | 'scan';
/** How strong the norm is; `MUST†`: a must that one request alone cannot prove broken. */
export type Level = 'MUST' | 'MUST†' | 'SHOULD' | 'ADVICE';
/** What happens on a finding, strongest first. */
export type Action = 'deny' | 'warn' | 'audit' | 'ignore';
export type Basis = 'kep' | 'upstream' | 'muster';
type Need = 'object' | 'oldObject' | 'cluster' | 'identity' | 'clock';

/** Who makes the request. `undefined` where that is not known: rules on identity then report `unknown`. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}

/** A caller that the configuration names. */
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
    /** `'*'`: every feature. In an entry `'*'` means any name or any namespace. */
    readonly dynamic?: '*' | readonly { readonly namespace: string; readonly name: string }[];
    readonly serverFlow?: readonly { readonly namespace: string; readonly principals: readonly Principal[] }[];
    readonly clockSkewSeconds: number;
  };
  readonly placements: { readonly schedulers?: ReadonlyMap<string, readonly Principal[]> };
  readonly services: { readonly closedNamespaces?: readonly string[]; readonly importManagers?: readonly Principal[] };
  /** Where ids are reserved for all members of a ClusterSet. */
  readonly registrar?: RegistrarSettings;
}

/** The API server with the namespace that all members of a ClusterSet share, and what holds while it is away. */
export interface RegistrarSettings {
  /** The path of the kubeconfig for the hub, as written: relative to the folder of the configuration. */
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly whenUnreachable: 'deny' | 'warn';
}

/** The result of a read of other objects. An object that was not found differs from one that could not be read. */
export type Answer<T> =
  | { readonly known: true; readonly value: T }
  | { readonly known: false; readonly reason: string };

/** What a member is known by in its ClusterSet. */
export interface ClusterIdentity {
  /** Of the claims: the ids of each API are apart. */
  readonly apiGroup: string;
  readonly clusterSet: string;
  readonly id: string;
}

/** What the hub says of an id in a ClusterSet. */
export type ReservationAnswer =
  /** This cluster has it; for a dry run, or may have it. */
  | { readonly kind: 'ours' }
  | {
      readonly kind: 'held';
      /** The uid of the holder's `kube-system` namespace; undefined where the Lease names nobody. */
      readonly holder: string | undefined;
      readonly since: string | undefined;
      /** Its membership is known to be stored. */
      readonly confirmed: boolean;
      /** The name of the Lease. */
      readonly lease: string;
    }
  | { readonly kind: 'unreachable'; readonly reason: string }
  /** The same, where it only leads to a warning. */
  | { readonly kind: 'unreserved'; readonly reason: string };

/** The name of one object, with its kind and namespace. */
export interface Reference<Kind extends Resource = Dialect> {
  readonly dialect: Kind;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export type MaybePromise<T> = T | Promise<T>;

/**
 * Reads other objects as they are stored. Several rules may ask for the same object, and have to see the same: a view
 * of what may change meanwhile remembers its answers, and serves one write. `cluster` implements it.
 */
export interface ClusterView {
  /** One object by name; a known `undefined` means that it does not exist. */
  get(reference: Reference): MaybePromise<Answer<JsonObject | undefined>>;
  /**
   * All objects of a dialect, in one namespace or in all. Of a label: at least those that carry it, as many as are
   * needed. A live cluster is asked for no others; a view that has all of them at hand may return all.
   */
  list(dialect: Dialect, namespace?: string, label?: Label): MaybePromise<Answer<readonly JsonObject[]>>;
  /** Reserves an id for this cluster, or only asks for it. Absent where there is no hub to ask. */
  reserve?(identity: ClusterIdentity): MaybePromise<ReservationAnswer>;
}

/** A label by which objects are listed. */
export interface Label {
  readonly key: string;
  readonly value: string;
  /** The most objects that are needed. */
  readonly limit: number;
}

/** One write of one object, decoded once and never changed. */
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
  /** The object's own name: `request.name` is empty on deletecollection. */
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

/** Something wrong: a message of the rule's own table and the data for its `{{placeholders}}`. Never text. */
export interface Problem {
  readonly path: Path;
  readonly messageId: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The rule can't decide, and why; the engine decides what that means. */
export interface Unknown {
  readonly path: Path;
  readonly unknown: string;
}

export type RuleResult = Problem | Unknown;

/**
 * A JSON Schema for one part of the object, if that is there. The engine runs it, compiled ahead, before the rule's
 * `check`.
 */
export interface Shape {
  readonly subresource: Subresource;
  readonly at: Path;
  readonly dialects?: readonly Dialect['name'][];
  readonly schema: Readonly<Record<string, unknown>>;
  /** The schema is that of each element of a list (which may be absent); no two elements may agree in all of `keys`. */
  readonly each?: { readonly keys: readonly string[] };
}

/** A part with a name, read as `variables.NAME`, and only where it is needed. */
export interface CelVariable {
  readonly name: string;
  readonly expression: string;
  /** The expression where there is a configuration. */
  readonly configured?: (settings: RuleSettings) => string;
}

export interface CelValidation {
  /** True of every write that passes. It never fails to evaluate, whatever the object: a failure refuses. */
  readonly expression: string;
  /** As a message names it. */
  readonly field: string;
  /** One of the rule's own. */
  readonly messageId: string;
  /** For the message's placeholders: texts. */
  readonly data?: Readonly<Record<string, string>>;
  /** For the message's placeholders: CEL that yields any value. What is long, or no plain text, is not shown. */
  readonly dataExpressions?: Readonly<Record<string, string>>;
}

export interface CelExpressions {
  /** All that the validations may use; a policy carries those that they do use. */
  readonly variables?: readonly CelVariable[];
  /** Which writes these are about; all must hold. Variables can't be used here. */
  readonly matchConditions?: readonly string[];
  readonly validations: readonly CelValidation[];
  /** The name of an object of the same dialect: the policy applies only while it exists. */
  readonly parameter?: string;
}

/** The part of a rule that CEL can express. */
export interface CelRule {
  /** The part of the rule that is missing here, in words for the documentation. */
  readonly omits?: string | undefined;
  readonly byDialect: Readonly<Partial<Record<Dialect['name'], CelExpressions>>>;
}

/** Why CEL can't express a rule. */
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
  /** What the CRD's own schema and CEL can't say, or that the CRD isn't ours. */
  readonly why: string;
  /**
   * `status.code` of a denial: 422 malformed content, 403 immutability, state, reservation, identity. An UPDATE of the
   * main resource is always 403.
   */
  readonly code: 403 | 422;
  /** Which setting enables the rule; absent for rules that need none. */
  readonly inertUntil?: string;
  readonly messages: Readonly<Record<string, string>>;
  /** Templates of parts of messages, for lists in them; see `Phrases`. */
  readonly phrases?: Readonly<Record<string, string>>;
  /** What two clusters must not say together, by the reason that a finding begins with: members of `spec`, as YAML. */
  readonly pairs?: Readonly<Record<string, readonly [one: string, other: string]>>;
  /**
   * Messages for a part of the norm that is stronger or weaker than the rest. A configured action holds for all parts.
   */
  readonly messageLevels?: Readonly<Record<string, Level>>;
  /** Where the norm is stronger or weaker at one enforcement point. */
  readonly pointLevels?: Readonly<Partial<Record<EnforcementPoint, Level>>>;
}

/** A stored object that is compared with others. */
export interface ComparedObject<Kind extends Resource = Dialect> {
  /** The name of its cluster; empty in a run of one cluster. The same object in two clusters is two objects. */
  readonly cluster: string;
  readonly dialect: Kind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** The fact extracted from an object, with the object's identity. */
export interface ObjectFact<Fact, Kind extends Resource = Dialect> {
  readonly object: ComparedObject<Kind>;
  readonly fact: Fact;
}

/** The most others that a conflict lists. */
export const MOST_RELATED = 8;

/** A problem of an object that others share. */
export interface Conflict {
  readonly object: ComparedObject;
  /** Or why it can't be known. */
  readonly problem: RuleResult;
  /** The object that the path of the problem is in, where it is another one: the Service of an export. */
  readonly in?: ComparedObject<Resource> | undefined;
  /** The others, each with the place in it and a message of the rule that says what is there. */
  readonly related: readonly (Problem & { readonly object: ComparedObject<Resource> })[];
}

/** What is known of the clusters of a run at one time, besides the facts. */
export interface ComparedClusters {
  /** The names of all clusters, of those without objects too. One, the empty name, in a run of one cluster. */
  readonly clusters: readonly string[];
  /** Returns why not all objects of a kind are known in a cluster; undefined: what was not kept does not exist. */
  readonly unread: (cluster: string, kind: Resource) => string | undefined;
  /** Whether anything of a cluster stands in the namespace, or its Namespace was read. */
  readonly hasNamespace: (cluster: string, namespace: string) => boolean;
}

/** All that a comparison may see besides the facts of the present. */
export interface ComparisonRun<Fact = unknown, Kind extends Resource = Dialect> extends ComparedClusters {
  readonly point: EnforcementPoint;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the run has every cluster of its ClusterSets. */
  readonly isComplete: boolean;
  /** What there was before the run; undefined where that is not known. */
  readonly before?: (ComparedClusters & { readonly kept: readonly ObjectFact<Fact, Kind>[] }) | undefined;
}

/**
 * How a rule compares many stored objects, of one cluster or of several. `check` and `scan` do it when all objects are
 * known. Rules with the same `factOf` share what it keeps.
 */
export interface ObjectComparison<Fact = unknown, Kind extends Resource = Dialect> {
  /** The kinds that it reads. */
  readonly concepts: readonly Concept[];
  /** Whether it also reads the dialects of its concepts that the rule is not about. */
  readonly readsAllDialects?: boolean;
  /** The kinds that it reads besides, and that no rule evaluates. */
  readonly supporting?: readonly SupportingKind['name'][];
  /** Only clusters are compared: in a run of one cluster nothing is kept. */
  readonly acrossOnly: boolean;
  /** Where objects are compared; default: at `check` and `scan`. */
  readonly points?: readonly EnforcementPoint[];
  /**
   * False: the comparison leaves out what was there before the run by itself. Otherwise the engine drops a conflict
   * with others that all had it.
   */
  readonly ratchets?: false;
  /** What is kept of an object, which itself is not; undefined: nothing. */
  factOf(object: JsonObject, compared: ComparedObject<Kind>): Fact | undefined;
  /**
   * The conflicts among all that was kept, which is ordered by cluster. A rule whose `check` compares each write within
   * its cluster leaves those out at `run.point` `check`.
   */
  conflicts(kept: readonly ObjectFact<Fact, Kind>[], run: ComparisonRun<Fact, Kind>): readonly Conflict[];
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

/** One rule: when it applies, how it evaluates a write, and where its norm is from. */
export interface Rule {
  readonly id: string;
  readonly concept: Concept;
  readonly on: readonly Operation[];
  /**
   * Default: the main resource only. A write of /status can't change the spec, and what the stored object had already
   * is dropped: so a rule on the spec would find nothing there, unless it has `ratchets: false`.
   */
  readonly subresources?: readonly Subresource[];
  /** Only these dialects; default: all of the concept. */
  readonly dialects?: readonly Dialect['name'][];
  /** Another default action in some dialects. Configuration overrides it. */
  readonly dialectActions?: Readonly<Partial<Record<Dialect['name'], Action>>>;
  /**
   * Compares objects. It takes all objects of a kind, so in a live cluster only `scan` does. A rule that does nothing
   * else has an empty `on`.
   */
  readonly comparison?: ObjectComparison;
  /** Its check reads lists, for which no live cluster is asked: there only `scan` applies the rule. */
  readonly readsLists?: boolean;
  /**
   * `check` evaluates the rule at the end of a run, when all objects are known, whatever the order of the documents.
   */
  readonly atEndOfRun?: boolean;
  /**
   * False: the check compares the object with the stored one by itself. Otherwise the engine drops the problems that
   * the stored object has already; see `check`.
   */
  readonly ratchets?: false;
  /** A concurrent write could make the check's answer wrong: an identity write needs a lock where the rule may deny. */
  readonly locks?: true;
  /** How `muster scan` applies the rule to stored objects, where it is not the default (rules/scan-variant.ts). */
  readonly scan?: ScanVariant;
  /**
   * A later write of the same run may fix a warning of this rule: `check` drops it if it is gone at the end of the run.
   */
  readonly laterWriteMayFix?: boolean;
  /** Also checks who adds an ownerReference, which is a way to delete the object; see ownership.ts. */
  readonly checksOwnerReferences?: boolean;
  /** Applies to the garbage collector and the namespace controller, too; see `isCollecting` in engine/verdict.ts. */
  readonly appliesToGarbageCollector?: boolean;
  readonly meta: RuleMeta;
  readonly shapes?: readonly Shape[];
  /** The rule in CEL for the fallback policies, or why CEL can't say it. Every rule of the catalogue has it. */
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
   * The strongest action that this rule may take on this request, whatever is configured. `messageId` names the
   * problem; undefined where the rule can't decide.
   */
  capAction?(context: Context, messageId?: string): Action;
  /** False while the configuration that the rule needs is missing. */
  enabled?(settings: RuleSettings): boolean;
}

/** The `scan` of a rule on who writes. */
export const NO_CALLER_STORED = { skip: 'it is about the user, who is not stored with the object' } as const;

/** The writes that a rule on the status alone is about. */
export const STATUS_WRITES = { on: ['UPDATE'], subresources: ['status'] } as const;

type Usual = 'basis' | 'needs' | 'code';

/** Defaults of a rule's metadata. */
const USUAL: Pick<RuleMeta, Usual> = { basis: 'kep', needs: ['object'], code: 403 };

/** The concept of a rule by what its id begins with: services across clusters are exported and imported. */
const CONCEPTS = {
  claim: 'claim',
  inventory: 'inventory',
  feature: 'feature',
  placement: 'placement',
  export: 'service',
  import: 'service',
} as const satisfies Readonly<Record<string, Concept>>;

type RulePrefix = keyof typeof CONCEPTS;

/** What the ids of rules begin with. The rules of each are in a folder of that name. */
export const rulePrefixes = Object.keys(CONCEPTS) as readonly RulePrefix[];

type Definition = Omit<Rule, 'concept' | 'meta'> & {
  readonly id: `${RulePrefix}/${string}`;
  readonly meta: Omit<RuleMeta, Usual> & Partial<Pick<RuleMeta, Usual>>;
};

/**
 * Returns the rule with its literal types (its id above all), the concept that its id stands for, and the usual
 * metadata: basis `kep`, needs `object` alone, code 403.
 */
export function defineRule<const R extends Definition>(rule: R) {
  return { ...rule, concept: CONCEPTS[rule.id.split('/')[0] as RulePrefix], meta: { ...USUAL, ...rule.meta } };
}
