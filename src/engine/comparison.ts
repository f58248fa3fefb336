/**
 * Compares all stored objects of a run, of one cluster or of several, by the rules with a `comparison` (rules/rule.ts).
 * `check` and `scan` add the objects that each cluster stores at the end, and add the verdicts to their results.
 *
 * ```ts
 * const comparison = createComparison<Place>({ point: 'check', isAcross: true, policy });
 * const part = comparison.begin('east');
 * part.add(dialect, object, place); // keeps only the facts that rules compare
 * part.commit(); // without it, the objects of the part are ignored
 * for (const { handle, verdict, related } of comparison.finish()) …
 * ```
 */
import type { Dialect, Resource } from '../api/dialects.ts';
import { type SupportingKind, supportingKinds } from '../api/supporting-kinds.ts';
import { getOrInsert } from '../base/collections.ts';
import type { JsonObject, Path } from '../base/json.ts';
import { fill } from '../base/text.ts';
import { rules } from '../rules/index.ts';
import type {
  ComparedClusters,
  ComparedObject,
  Conflict,
  EnforcementPoint,
  Identity,
  ObjectFact,
  Rule,
} from '../rules/rule.ts';
import { isExempt, MOST_REPORTED, nothingKnown } from './evaluate.ts';
import { plannedAction, planRule, uncapped } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { referenceOfObject, subjectOf } from './review.ts';
import { type Finding, makeVerdict, SKIPPED, type Verdict } from './verdict.ts';

export interface ComparisonOptions {
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  /** At `check`, some rules leave out conflicts within one cluster, which they found on each write. */
  readonly point: Exclude<EnforcementPoint, 'webhook'>;
  /**
   * Whether the clusters of the run have names. If not, there is only one, and rules on several clusters are left out.
   */
  readonly isAcross: boolean;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** The user, who may be exempt. */
  readonly identity?: Identity | undefined;
  /** Whether the run includes every cluster of its ClusterSets. Default: that is not known. */
  readonly isComplete?: boolean | undefined;
  /** Default: all rules. */
  readonly catalogue?: readonly Rule[];
}

/** The objects of one cluster, or a part of them. A part that has to be read again is not committed. */
export interface ComparisonPart<Handle> {
  /** Adds an object as it is stored at the end. Its findings are returned with the handle. */
  add(kind: Dialect | SupportingKind, object: JsonObject, handle: Handle): void;
  /**
   * Adds the part's objects to the comparison.
   * @param unread for each kind, why not all objects of the cluster were added; undefined if all were. A kind without
   *   an entry counts as complete; a supporting kind only if at least one object was added
   */
  commit(unread?: ReadonlyMap<Resource, Unread>): void;
}

/** Why not all objects of a kind were added: of the cluster, or of some namespaces. Undefined if all were. */
export type Unread = string | ReadonlyMap<string, string> | undefined;

export interface Comparison<Handle> {
  /** Begins a part of a cluster. @param cluster empty in a run of one cluster */
  begin(cluster: string): ComparisonPart<Handle>;
  /**
   * Compares all objects and returns those with findings, ordered by cluster. Conflicts that existed `before` are left
   * out: only changes are evaluated.
   * @param before a comparison of the previous state of all clusters; its objects may have findings too
   */
  finish(before?: Comparison<Handle>): readonly ComparedVerdict<Handle>[];
  /** Returns the facts of the objects that were added. */
  facts(): ComparedFacts;
  /** Returns the other objects of each conflict, by a key that identifies the conflict in another comparison. */
  conflicts(): ReadonlyMap<string, ReadonlySet<string>>;
}

/** The facts of the objects of all clusters. */
interface ComparedFacts {
  readonly clusters: ComparedClusters;
  readonly keptFor: (rule: Rule) => readonly ObjectFact<unknown>[];
}

/** An object with findings. */
export interface ComparedVerdict<Handle> {
  readonly handle: Handle;
  /** Has findings only of rules with a comparison. */
  readonly verdict: Verdict;
  /** The other objects of each finding. */
  readonly related: ReadonlyMap<Finding, readonly RelatedObject<Handle>[]>;
  /** The object that the path of a finding belongs to, if it is another one. */
  readonly places: ReadonlyMap<Finding, Handle>;
}

/** Another object that a finding is about. */
interface RelatedObject<Handle> {
  readonly handle: Handle;
  readonly path: Path;
  /** What is there, in a few words. */
  readonly message: string;
}

type ObjectWithHandle<Handle, Kind extends Resource = Dialect> = ComparedObject<Kind> & { readonly handle: Handle };

/** A conflict with the rule that reports it. */
interface RuleConflict<Handle> extends Conflict {
  readonly rule: Rule;
  readonly object: ObjectWithHandle<Handle>;
}

type ObjectFacts = readonly ObjectFact<unknown>[];
/** Rules with the same function share its facts. */
type FactOf = NonNullable<Rule['comparison']>['factOf'];

/** Starts a comparison. */
export function createComparison<Handle>(options: ComparisonOptions): Comparison<Handle> {
  const { policy = defaultPolicy, point, isAcross, isComplete = false, clock = Date.now } = options;
  const { catalogue = rules } = options;
  const comparing = catalogue.filter(({ comparison }: Rule) => comparison && (isAcross || !comparison.acrossOnly));
  const applying = new Map<Resource, readonly Rule[]>();
  const rulesFor = (kind: Resource): readonly Rule[] =>
    getOrInsert(applying, kind, () => comparing.filter((rule) => compares(rule, kind, policy, point)));
  const factsOf = new Map<Resource, readonly FactOf[]>();
  const factsFor = (kind: Resource): readonly FactOf[] =>
    getOrInsert(factsOf, kind, () => [
      ...new Set(rulesFor(kind).flatMap(({ comparison }) => comparison?.factOf ?? [])),
    ]);
  const contents = new Map<string, ClusterContent>();
  const contentOf = (cluster: string): ClusterContent =>
    getOrInsert(contents, cluster, () => ({
      kept: new Map(),
      namespaces: new Set(),
      unread: new Map(),
      supporting: new Set(),
    }));
  // Clusters may be read in any order: sorted by name, the result is always the same.
  const inOrder = () => [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
  const compared = (): ComparedClusters => ({
    clusters: inOrder().map(([cluster]) => cluster),
    unread: (cluster, kind, namespace) => whyUnread(contents.get(cluster), kind, namespace),
    hasNamespace: (cluster, namespace) => contents.get(cluster)?.namespaces.has(namespace) === true,
  });
  const createKeptFor = () => {
    const lists = new Map<FactOf, ObjectFacts>();
    return (rule: Rule): ObjectFacts => {
      const { factOf } = rule.comparison as NonNullable<Rule['comparison']>;
      const all = getOrInsert(lists, factOf, () => inOrder().flatMap(([, { kept }]) => kept.get(factOf) ?? []));
      const isOwn = ({ object }: ObjectFact<unknown>) => rulesFor(object.dialect).includes(rule);
      return all.every(isOwn) ? all : all.filter(isOwn);
    };
  };
  const conflictsSince = (previous?: ComparedFacts): readonly RuleConflict<Handle>[] => {
    const keptFor = createKeptFor();
    const run = { ...compared(), now: clock(), isComplete };
    // A rule that compares clusters has nothing to compare in one.
    const isComparing = ({ comparison }: Rule) => contents.size > 1 || comparison?.acrossOnly === false;
    return comparing.filter(isComparing).flatMap((rule) => {
      const before = previous && { ...previous.clusters, kept: previous.keptFor(rule) };
      const conflicts = rule.comparison?.conflicts(keptFor(rule), { ...run, before }) ?? [];
      return conflicts.map((conflict) => ({ ...conflict, rule }) as RuleConflict<Handle>);
    });
  };
  return {
    begin: (cluster) => createPart(cluster, contentOf(cluster), factsFor),
    facts: () => ({ clusters: compared(), keptFor: createKeptFor() }),
    conflicts: () => new Map(conflictsSince().map((conflict) => [conflictKey(conflict), othersOf(conflict)])),
    finish(before) {
      const known = before?.conflicts();
      const isNew = (conflict: RuleConflict<Handle>) => {
        const others = conflict.rule.comparison?.ratchets === false ? undefined : known?.get(conflictKey(conflict));
        return others === undefined || [...othersOf(conflict)].some((other) => !others.has(other));
      };
      const found = conflictsSince(before?.facts()).filter(isNew);
      const byObject = Map.groupBy(found, ({ object }) => object);
      return [...byObject].map(([compared, conflicts]) => evaluate(compared, conflicts, options));
    },
  };
}

/** What is known of one cluster. */
interface ClusterContent {
  readonly kept: Map<FactOf, ObjectFact<unknown>[]>;
  readonly namespaces: Set<string>;
  readonly unread: Map<Resource, Unread>;
  /** The supporting kinds of which there are objects. */
  readonly supporting: Set<Resource>;
}

/** @param namespace undefined: any */
function whyUnread(content: ClusterContent | undefined, kind: Resource, namespace?: string): string | undefined {
  if (content === undefined || content.unread.has(kind)) return unreadIn(content?.unread.get(kind), namespace);
  const isSupporting = supportingKinds.some((one) => one === kind);
  return isSupporting && !content.supporting.has(kind) ? `the run has no ${kind.kind} of the cluster` : undefined;
}

/** Returns why not all objects of a namespace were added. @param namespace undefined: of any */
export function unreadIn(unread: Unread, namespace: string | undefined): string | undefined {
  if (typeof unread !== 'object') return unread;
  return namespace === undefined ? [...unread.values()][0] : unread.get(namespace);
}

function createPart<Handle>(
  cluster: string,
  content: ClusterContent,
  factsFor: (kind: Resource) => readonly FactOf[],
): ComparisonPart<Handle> {
  const kept = new Map<FactOf, ObjectFact<unknown>[]>();
  const namespaces = new Set<string>();
  const supporting = new Set<Resource>();
  return {
    add(kind, object, handle) {
      const { namespace = '', name } = referenceOfObject(kind, object);
      if (namespace !== '') namespaces.add(namespace);
      if (kind.name === 'namespace') namespaces.add(name);
      if (!('concept' in kind)) supporting.add(kind);
      const compared = { cluster, dialect: kind as Dialect, namespace, name, handle };
      for (const factOf of factsFor(kind)) {
        const fact = factOf(object, compared);
        if (fact === undefined) continue;
        getOrInsert(kept, factOf, () => []).push({ object: compared, fact });
      }
    },
    commit(unread = new Map()) {
      for (const [kind, reason] of unread) content.unread.set(kind, reason);
      for (const namespace of namespaces) content.namespaces.add(namespace);
      for (const kind of supporting) content.supporting.add(kind);
      for (const [factOf, list] of kept) {
        const all = getOrInsert(content.kept, factOf, () => []);
        for (const one of list) all.push(one);
      }
      kept.clear();
    },
  };
}

/** Whether a rule compares objects of a kind under a policy. */
function compares(rule: Rule, kind: Resource, policy: Policy, point: EnforcementPoint): boolean {
  if (rule.comparison === undefined || rule.comparison.points?.includes(point) === false) return false;
  if (!rule.comparison.kinds.some(({ name }) => name === kind.name)) return false;
  const dialect = 'concept' in kind ? (kind as Dialect) : undefined;
  return plannedAction(rule, dialect, policy, point) !== 'ignore';
}

function conflictKey({ rule, object, problem }: RuleConflict<unknown>): string {
  const { path } = problem;
  const { messageId, data = {} } = 'messageId' in problem ? problem : { messageId: problem.unknown };
  // Without list indices: an entry is the same one at any position.
  const entry = path.filter((step) => typeof step === 'string');
  return JSON.stringify([rule.id, nameOf(object), entry, messageId, data['name'], data['value']]);
}

function othersOf({ related }: Conflict): ReadonlySet<string> {
  return new Set(related.map(({ object }) => nameOf(object)));
}

function nameOf({ cluster, dialect, namespace, name }: ComparedObject<Resource>): string {
  return JSON.stringify([cluster, dialect.name, namespace, name]);
}

/** Returns the verdict on an object with these conflicts. It applies actions, exceptions and exemptions. */
function evaluate<Handle>(
  compared: ObjectWithHandle<Handle>,
  conflicts: readonly RuleConflict<Handle>[],
  { policy = defaultPolicy, point, clock = Date.now, identity }: ComparisonOptions,
): ComparedVerdict<Handle> {
  const { dialect, name, handle } = compared;
  const namespace = compared.namespace === '' ? undefined : compared.namespace;
  const object = { metadata: { name, ...(namespace && { namespace }) } };
  const subject = subjectOf({ dialect, namespace, name }, { version: '', operation: 'CREATE', object, identity });
  if (isExempt(subject, policy)) return { handle, verdict: SKIPPED.exempt, related: new Map(), places: new Map() };
  const conflictAt = new Map<Path, RuleConflict<Handle>>();
  const evaluations = [...Map.groupBy(conflicts, ({ rule }) => rule)].flatMap(([rule, ofRule]) => {
    const results = reported(ofRule).map((conflict) => {
      // A copy of the path identifies the finding: several findings may have equal paths.
      const problem = { ...conflict.problem, path: [...conflict.problem.path] };
      conflictAt.set(problem.path, conflict);
      return problem;
    });
    return planRule(uncapped(rule), dialect, '', policy, point).map((planned) => ({ planned, results }));
  });
  const context = { ...subject, point, now: clock(), settings: policy.settings, view: nothingKnown };
  const verdict = makeVerdict(evaluations, context, policy);
  const related = new Map<Finding, readonly RelatedObject<Handle>[]>();
  const places = new Map<Finding, Handle>();
  for (const finding of verdict.findings) {
    const conflict = conflictAt.get(finding.path);
    if (conflict === undefined) continue;
    related.set(finding, relatedTo(conflict));
    const place = conflict.in as ObjectWithHandle<Handle, Resource> | undefined;
    if (place !== undefined) places.set(finding, place.handle);
  }
  return { handle, verdict, related, places };
}

/**
 * Returns the conflicts to report: at most MOST_REPORTED, and one for each path and set of other objects. A cluster of
 * two ClusterSets may have the same conflict in both.
 */
function reported<Handle>(conflicts: readonly RuleConflict<Handle>[]): readonly RuleConflict<Handle>[] {
  const causeOf = (conflict: RuleConflict<Handle>) =>
    JSON.stringify([conflict.problem.path, [...othersOf(conflict)].sort()]);
  const causes = [...Map.groupBy(conflicts, causeOf).values()];
  return causes.flatMap(([first]) => first ?? []).slice(0, MOST_REPORTED);
}

function relatedTo<Handle>({ rule, related }: RuleConflict<Handle>): readonly RelatedObject<Handle>[] {
  return related.map(({ object, path, messageId, data }) => {
    const message = fill(rule.meta.messages[messageId] ?? '', data, rule.meta.phrases);
    return { handle: (object as ObjectWithHandle<Handle, Resource>).handle, path, message };
  });
}
