/**
 * Compares all stored objects of a run, of one cluster or of several, by the rules that take many objects (`comparison`
 * in rules/rule.ts). `check` and `scan` feed it with what each cluster holds in the end and add the verdicts to their
 * results.
 *
 * ```ts
 * const comparison = createComparison<Place>({ point: 'check', isAcross: true, policy });
 * const part = comparison.begin('east');
 * part.add(dialect, object, place); // each object as stored in the end; only what rules compare is kept of it
 * part.commit(); // a part that is not committed does not count
 * for (const { handle, verdict, related } of comparison.finish()) …
 * ```
 */
import type { Dialect } from '../api/dialects.ts';
import { type JsonObject, type Path, textAt } from '../base/json.ts';
import { fill } from '../base/text.ts';
import { rules } from '../rules/index.ts';
import type {
  ClusterView,
  Conflict,
  EnforcementPoint,
  Identity,
  ObjectFact,
  Rule,
  StoredObject,
} from '../rules/rule.ts';
import { isExempt, reportedResults } from './evaluate.ts';
import { plannedAction, planRule, uncapped } from './plan.ts';
import { defaultPolicy, type Policy } from './policy.ts';
import { createContext, subjectOf } from './review.ts';
import { type Finding, makeVerdict, SKIPPED, type Verdict } from './verdict.ts';

export interface ComparisonOptions {
  /** Default: what holds without a configuration. */
  readonly policy?: Policy | undefined;
  /** At `check`, objects of one cluster are not compared: the rules did so on each write. */
  readonly point: Exclude<EnforcementPoint, 'webhook'>;
  /** Whether the run has clusters with names. If not, rules that compare clusters keep nothing. */
  readonly isAcross: boolean;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** The user, who may be exempt. */
  readonly identity?: Identity | undefined;
}

/** The objects of one cluster, or a part of them that may be read anew. */
export interface ComparisonPart<Handle> {
  /**
   * Adds an object as it is stored in the end. The handle is given back with what is found, and tells where the object
   * is.
   */
  add(dialect: Dialect, object: JsonObject, handle: Handle): void;
  /**
   * Adds the part's objects to the comparison. @param unread why not all objects of a dialect are among those of the
   * cluster
   */
  commit(unread?: ReadonlyMap<Dialect, string>): void;
}

export interface Comparison<Handle> {
  /** Begins a part. @param cluster empty in a run of one cluster */
  begin(cluster: string): ComparisonPart<Handle>;
  /**
   * Compares all objects and returns those with findings, by cluster. What they had `before` already is left out, as an
   * update is evaluated on what it changes.
   * @param before a comparison of the previous state of all clusters
   */
  finish(before?: Comparison<unknown>): readonly Compared<Handle>[];
  /** The conflicts by what they are about; see `finish`. */
  readonly known: () => ReadonlyMap<string, ReadonlySet<string>>;
}

/** An object with findings. */
export interface Compared<Handle> {
  readonly handle: Handle;
  /** Holds findings only of the rules that compare. */
  readonly verdict: Verdict;
  /** By finding, the other objects that it is about. */
  readonly related: ReadonlyMap<Finding, readonly RelatedObject<Handle>[]>;
}

/** Another object that a finding is about. */
export interface RelatedObject<Handle> {
  readonly handle: Handle;
  readonly path: Path;
  /** What is there, in a few words. */
  readonly message: string;
}

interface ComparedObject<Handle> extends StoredObject {
  readonly handle: Handle;
}

/** A conflict with the rule that reports it. */
interface RuleConflict<Handle> {
  readonly rule: Rule;
  readonly conflict: Conflict & { readonly of: ComparedObject<Handle> };
}

/** Starts a comparison. */
export function createComparison<Handle>(options: ComparisonOptions): Comparison<Handle> {
  const { policy = defaultPolicy, point, isAcross } = options;
  const comparing = (rules as readonly Rule[]).filter(
    ({ comparison }) => comparison && (isAcross || !comparison.acrossOnly),
  );
  const kept = new Map<string, ObjectFact<unknown>[]>(comparing.map(({ id }) => [id, []]));
  const applying = new Map<Dialect, readonly Rule[]>();
  const rulesFor = (dialect: Dialect): readonly Rule[] => {
    const known = applying.get(dialect) ?? comparing.filter((rule) => compares(rule, dialect, policy, point));
    applying.set(dialect, known);
    return known;
  };
  const clusters = new Set<string>();
  const reasons = new Map<string, Map<Dialect, string>>();
  const unread: Unread = (cluster, dialect) => reasons.get(cluster)?.get(dialect);
  // A rule that compares clusters has nothing to compare in one.
  const isComparing = ({ comparison }: Rule) => clusters.size > 1 || comparison?.acrossOnly === false;
  const conflicts = () =>
    comparing.filter(isComparing).flatMap((rule) => conflictsOf<Handle>(rule, kept.get(rule.id) ?? [], point, unread));
  return {
    begin(cluster) {
      clusters.add(cluster);
      const known = reasons.get(cluster) ?? new Map<Dialect, string>();
      reasons.set(cluster, known);
      return createPart(cluster, kept, rulesFor, known);
    },
    known: () => {
      const known = new Map<string, ReadonlySet<string>>();
      for (const { rule, conflict } of conflicts()) known.set(conflictKey(rule, conflict), othersOf(conflict));
      return known;
    },
    finish(before) {
      const known = before?.known();
      const isNew = ({ rule, conflict }: RuleConflict<Handle>) => {
        const others = known?.get(conflictKey(rule, conflict));
        return others === undefined || [...othersOf(conflict)].some((other) => !others.has(other));
      };
      const byObject = Map.groupBy(conflicts().filter(isNew), ({ conflict }) => conflict.of);
      return [...byObject].map(([of, found]) => evaluate(of, found, options));
    },
  };
}

type Unread = Parameters<NonNullable<Rule['comparison']>['conflicts']>[2];

function createPart<Handle>(
  cluster: string,
  kept: ReadonlyMap<string, ObjectFact<unknown>[]>,
  rulesFor: (dialect: Dialect) => readonly Rule[],
  reasons: Map<Dialect, string>,
): ComparisonPart<Handle> {
  const own = new Map<string, ObjectFact<unknown>[]>();
  return {
    add(dialect, object, handle) {
      const namespace = dialect.scope === 'Cluster' ? '' : textAt(object, ['metadata', 'namespace']) || 'default';
      const of: ComparedObject<Handle> = {
        cluster,
        dialect,
        namespace,
        name: textAt(object, ['metadata', 'name']) ?? '',
        handle,
      };
      for (const { id, comparison } of rulesFor(dialect)) {
        const fact = comparison?.factOf(object, of);
        if (fact === undefined) continue;
        const list = own.get(id);
        if (list === undefined) own.set(id, [{ of, fact }]);
        else list.push({ of, fact });
      }
    },
    commit(unread = new Map()) {
      for (const [dialect, reason] of unread) reasons.set(dialect, reason);
      for (const [id, list] of own) for (const one of list) kept.get(id)?.push(one);
      own.clear();
    },
  };
}

/** Whether a rule compares objects of a dialect under a policy. */
function compares(rule: Rule, dialect: Dialect, policy: Policy, point: EnforcementPoint): boolean {
  if (!rule.comparison?.concepts.includes(dialect.concept)) return false;
  if (rule.dialects?.includes(dialect.name) === false) return false;
  if (rule.comparison.points?.includes(point) === false) return false;
  return plannedAction(rule, dialect, policy, point) !== 'ignore';
}

/** Clusters may be read side by side: they are compared by name. */
function conflictsOf<Handle>(
  rule: Rule,
  kept: readonly ObjectFact<unknown>[],
  point: EnforcementPoint,
  unread: Unread,
): RuleConflict<Handle>[] {
  const clusters = Map.groupBy(kept, ({ of }) => of.cluster);
  const inOrder = [...clusters].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, of]) => of);
  const conflicts = rule.comparison?.conflicts(inOrder, point, unread) ?? [];
  return conflicts.map((conflict) => ({ rule, conflict: conflict as RuleConflict<Handle>['conflict'] }));
}

function conflictKey({ id }: Rule, { of, problem }: Conflict): string {
  const { path } = problem;
  const { messageId, data = {} } = 'messageId' in problem ? problem : { messageId: problem.unknown };
  // An entry of a list is the same entry wherever it stands.
  const entry = path.filter((step) => typeof step === 'string');
  return JSON.stringify([id, nameOf(of), entry, messageId, data['name'], data['value']]);
}

function othersOf({ related }: Conflict): ReadonlySet<string> {
  return new Set(related.map(({ of }) => nameOf(of)));
}

function nameOf({ cluster, dialect, namespace, name }: StoredObject): string {
  return JSON.stringify([cluster, dialect.name, namespace, name]);
}

/** A verdict is made of conflicts alone: no rule reads anything. */
const UNREAD: ClusterView = {
  get: () => ({ known: false, reason: 'not read' }),
  list: () => ({ known: false, reason: 'not read' }),
};

/** Returns the verdict on an object with these conflicts: applies actions, exceptions and exemptions. */
function evaluate<Handle>(
  of: ComparedObject<Handle>,
  conflicts: readonly RuleConflict<Handle>[],
  { policy = defaultPolicy, point, clock = Date.now, identity }: ComparisonOptions,
): Compared<Handle> {
  const { dialect, name, handle } = of;
  const namespace = of.namespace === '' ? undefined : of.namespace;
  const object = { metadata: { name, ...(namespace && { namespace }) } };
  const subject = subjectOf({ dialect, namespace, name }, { version: '', operation: 'CREATE', object, identity });
  if (isExempt(subject, policy)) return { handle, verdict: SKIPPED.exempt, related: new Map() };
  const evaluations = [...Map.groupBy(conflicts, ({ rule }) => rule)].flatMap(([rule, ofRule]) => {
    const results = reportedResults(ofRule.map(({ conflict }) => conflict.problem));
    return planRule(uncapped(rule), dialect, '', policy, point).map((planned) => ({ planned, results }));
  });
  const context = createContext(subject, { point, now: clock(), settings: policy.settings, view: UNREAD });
  const verdict = makeVerdict(evaluations, context, policy);
  const related = new Map(verdict.findings.map((finding) => [finding, relatedTo(finding, conflicts)]));
  return { handle, verdict, related };
}

function relatedTo<Handle>(finding: Finding, found: readonly RuleConflict<Handle>[]): readonly RelatedObject<Handle>[] {
  const one = found.find(({ rule, conflict }) => rule.id === finding.ruleId && conflict.problem.path === finding.path);
  return (one?.conflict.related ?? []).map(({ of, path, messageId, data }) => {
    const message = fill(one?.rule.meta.messages[messageId] ?? '', data);
    return { handle: (of as ComparedObject<Handle>).handle, path, message };
  });
}
