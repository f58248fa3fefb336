/**
 * Evaluates the objects and deletions of each cluster in order, against its previous state. Then it compares the final
 * objects of all clusters. `check` and suites share it.
 */
import { type Dialect, placementDecision, serviceExport } from '../api/dialects.ts';
import { textAt } from '../base/json.ts';
import { mayBeFixedLater, verdictAtEnd } from '../engine/end-of-run.ts';
import { createEngine, type Policy } from '../engine/index.ts';
import { dialectsWithChangeRules, reportsOn } from '../engine/plan.ts';
import { type ReadObjects, readCompared } from '../input/clusters/compared-objects.ts';
import type { Live } from '../input/live.ts';
import {
  dialectOfObject,
  type InputObject,
  isReview,
  keyOf,
  placeIn,
  referenceOf,
  withCluster,
} from '../input/objects.ts';
import { invalidInput, noteAt, type Place, type PlacedMessage } from '../input/place.ts';
import type { Skipped } from '../input/sources.ts';
import { createRunView, type RunView, type RunViewOptions, type StoredObject } from '../input/view.ts';
import { rules } from '../rules/index.ts';
import type { EnforcementPoint, Reference, Rule } from '../rules/rule.ts';
import { commitServices, exportedNames, findServices, type ServiceSources } from './exported-services.ts';
import { createSession, type EvaluatedOperation, type SessionOptions } from './operations.ts';
import { createResultStore, type Entry, type KnownObject, knownInCluster, type ResultStore } from './results.ts';
import { type Compared, createRunComparison, type RunComparison } from './run-comparison.ts';

interface EvaluationOptions extends Pick<SessionOptions, 'identity' | 'subresource' | 'clock'> {
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  readonly point: EnforcementPoint;
  /** Whether rules that list objects are left to `scan`, as the webhook does. Default: no. */
  readonly leavesToScan?: boolean;
  /** Objects that are read from the clusters of `--live` to compare them, unless the run has them. Default: none. */
  readonly comparedWith?: readonly Reference[];
  readonly keepsVerdicts?: boolean;
  /** Whether the services are asked for: then exports are compared also in one cluster, whatever the policy. */
  readonly explains?: boolean;
}

/** The writes of a cluster, and what is known of the state before them. */
export interface ClusterWrites {
  /** Undefined for the only cluster of a run. */
  readonly name: string | undefined;
  readonly objects: readonly InputObject[];
  readonly deletions: readonly InputObject[];
  /** The state before the run. The kinds of `objects` are known in addition. */
  readonly view: RunViewOptions;
  /** The locations of the objects of a state in files, by their keys. */
  readonly places?: ReadonlyMap<string, Place>;
  /** The documents with the Services of exports. */
  readonly services: ServiceSources;
  /** The API server with the state, for `--live`. */
  readonly live?: Live | undefined;
}

export interface ClusterResults {
  readonly entries: readonly Entry[];
  /** Whether an object was applied to which rules on changes apply. */
  readonly hasChangeRules: boolean;
  readonly errors: readonly PlacedMessage[];
  /** Notes for the user on what was changed before the evaluation. */
  readonly notes: readonly string[];
  /** The objects of which nothing was evaluated, with the reason. */
  readonly skipped: readonly Skipped[];
}

export interface RunEvaluation {
  /** Evaluates the writes of one cluster. */
  evaluate(cluster: ClusterWrites): Promise<ClusterResults>;
  /** Compares all clusters, adds the findings to the results, and returns what was added. */
  finish(): Compared;
}

/** Starts the evaluation of a run. */
export function createRunEvaluation(options: EvaluationOptions): RunEvaluation {
  const { policy, point, clock, leavesToScan = false, explains = false } = options;
  const engineFor = (catalogue: readonly Rule[]) =>
    createEngine({ point, clock, catalogue, live: leavesToScan, policy });
  // The webhook sees one write alone, so no rule is deferred to the end of the run.
  const seesFollowing = point !== 'webhook';
  const engine = engineFor(rules.filter((rule: Rule) => !(seesFollowing && rule.atEndOfRun)));
  const finalEngine = engineFor(rules.filter((rule: Rule) => seesFollowing && rule.atEndOfRun));
  const changeable = dialectsWithChangeRules(engine.policy, point);
  const ofRun = { ...options, engine, finalEngine, changeable, seesFollowing };
  const { identity, subresource } = options;
  const catalogue = rules.filter((rule) => isAskedFor(rule, subresource));
  const comparisonOptions = point === 'webhook' ? undefined : { point, catalogue, policy, clock, identity, explains };
  let comparison: RunComparison | undefined;
  // Clusters with names are compared with each other.
  let isAcross = explains;
  return {
    async evaluate(cluster) {
      const evaluated = await evaluateAll(ofRun, cluster);
      const { store, view, last, ...results } = evaluated;
      const read = cluster.live && (await readCompared(view, options.comparedWith ?? [], last.keys()));
      isAcross ||= cluster.name !== undefined;
      const isCompared = isAcross || view.all().some(({ reference }) => comparesWithin(reference.dialect, point));
      if (comparisonOptions && isCompared) {
        comparison ??= createRunComparison(comparisonOptions);
        await addCluster(comparison, cluster, evaluated, read ?? (await comparedInView(view)));
      }
      // A copy, since `finish` may open further results, which it returns.
      return { ...results, entries: [...store.entries], errors: store.errors };
    },
    finish() {
      const { notes, ...compared } = comparison?.finish() ?? NOT_COMPARED;
      return { ...compared, notes: isAcross ? notes : [] };
    },
  };
}

const NOT_COMPARED: Compared = { entries: [], errors: [], notes: [], services: () => undefined };

/** Whether a rule applies to the subresource that the run is limited to. */
function isAskedFor({ subresources = [''] }: Rule, subresource: SessionOptions['subresource']): boolean {
  if (subresource === undefined) return true;
  return subresources.includes(subresource === 'status' ? 'status' : '');
}

/**
 * Adds a cluster to the comparison: its final objects, those before the run, and the Services of both.
 */
async function addCluster(
  comparison: RunComparison,
  cluster: ClusterWrites,
  evaluated: ClusterEvaluation,
  { unchanged, unreadSlices }: ReadObjects,
): Promise<void> {
  const { name } = cluster;
  const stored = evaluated.view.all();
  const previous = [...(cluster.view.state ?? []), ...unchanged].flatMap((object) => {
    const reference = referenceOf(object);
    return reference ? { reference, object } : [];
  });
  const exportsOf = (objects: readonly StoredObject[]) => exportedNames(objects.map(({ reference }) => reference));
  const names = exportsOf([...stored, ...previous]);
  const services = await findServices(names, cluster.services, { cluster: name, live: cluster.live });
  const handleOf = (one: StoredObject) =>
    evaluated.last.get(keyOf(one.reference)) ?? knownObject(cluster, one, evaluated);
  const part = comparison.begin(name);
  for (const one of stored) part.add(one.reference.dialect, one.object, handleOf(one));
  // What the run could not read may hold a slice, too.
  part.commit(new Map([[placementDecision, cluster.services.unread ?? unreadSlices]]));
  comparison.addServices(name, exportsOf(stored), services.now);
  const earlier = comparison.beginBefore(name);
  for (const one of previous) earlier.add(one.reference.dialect, one.object, handleOf(one));
  const { state, incomplete } = cluster.view;
  const isBeforeKnown = cluster.live !== undefined || (state !== undefined && incomplete !== true);
  const unread = isBeforeKnown ? [] : [[serviceExport, 'not all that the cluster had before is known'] as const];
  commitServices(earlier, { ...services.before, unread: new Map([...services.before.unread, ...unread]) });
}

/** Returns what there is to compare without an API server: the view has all objects that are known. */
async function comparedInView(view: RunView): Promise<ReadObjects> {
  const slices = await view.list(placementDecision);
  return { unchanged: [], unreadSlices: slices.known ? undefined : slices.reason };
}

/** Whether a rule compares the objects of a dialect within one cluster. */
function comparesWithin(dialect: Dialect, point: EnforcementPoint): boolean {
  return comparingRules(dialect).some(({ comparison }) => {
    return comparison?.acrossOnly === false && comparison.points?.includes(point) !== false;
  });
}

/** Whether a rule compares the status of the objects of a dialect. Its findings belong to the write of the status. */
function comparesStatus(dialect: Dialect): boolean {
  return comparingRules(dialect).some(({ subresources }) => subresources?.includes('status') === true);
}

function comparingRules(dialect: Dialect): readonly Rule[] {
  return rules.filter((rule: Rule) => rule.comparison !== undefined && reportsOn(rule, dialect));
}

/** Returns the location of an object of the previous state: in a file of `--state`, or in the cluster. */
function knownObject(
  { name, places }: ClusterWrites,
  stored: StoredObject,
  { store, last }: Pick<ClusterEvaluation, 'store' | 'last'>,
): KnownObject {
  const { reference } = stored;
  const { dialect } = reference;
  const known = knownInCluster(reference, name);
  const inFile = places?.get(keyOf(reference));
  const place = inFile ? withCluster(name, inFile) : known.place;
  const causedBy = dialect.claim && last.get(keyOf({ dialect, name: dialect.claim.membershipName }));
  const open = dialect.name === serviceExport.name ? () => openStored(store, place, stored) : undefined;
  return { ...known, place, causedBy, open };
}

/** Opens the result of an object of the previous state. */
function openStored(store: ResultStore, place: Place, { reference, object }: StoredObject): Entry {
  const version = (textAt(object, ['apiVersion']) ?? '').split('/').at(-1) ?? '';
  const { line, column } = place;
  const position = { locate: () => ({ line, column }) };
  return store.open({ ...reference, version, operation: 'SCAN', subresource: '', place, position });
}

interface Run extends EvaluationOptions, Pick<SessionOptions, 'engine'> {
  /** Evaluates the rules with `atEndOfRun`, when all objects are known. */
  readonly finalEngine: SessionOptions['engine'];
  /** The names of the dialects to which rules on changes apply. */
  readonly changeable: ReadonlySet<string>;
  /** Whether later writes are known, so that they can fix warnings, and rules can be deferred to the end of the run. */
  readonly seesFollowing: boolean;
}

interface ClusterEvaluation {
  readonly store: ResultStore;
  hasChangeRules: boolean;
  readonly notes: string[];
  readonly skipped: Skipped[];
  /** The last result of each object, by its key: findings of the comparison are added to it. */
  readonly last: Map<string, Entry>;
  /** The final objects. */
  readonly view: RunView;
}

/**
 * Evaluates with the deletions first and, if a write is denied, also with the deletions last. The order with fewer
 * denials counts, since deploy tools may prune before or after they apply: leaving a ClusterSet to change the id needs
 * the first order, replacing an id by its newer name the second.
 */
async function evaluateAll(run: Run, cluster: ClusterWrites): Promise<ClusterEvaluation> {
  const { objects, deletions } = cluster;
  const deletionsFirst = await evaluateInOrder(run, cluster, ['remove', deletions], ['apply', objects]);
  const denied = deniedIn(deletionsFirst);
  if (denied === 0 || deletions.length === 0 || objects.length === 0) return deletionsFirst;
  const deletionsLast = await evaluateInOrder(run, cluster, ['apply', objects], ['remove', deletions]);
  return deniedIn(deletionsLast) < denied ? deletionsLast : deletionsFirst;
}

function deniedIn({ store }: ClusterEvaluation): number {
  return store.entries.filter(({ result }) => result.outcome === 'denied').length;
}

/** An operation whose evaluation is completed at the end of the run. */
interface Waiting {
  readonly evaluated: EvaluatedOperation;
  readonly entry: Entry;
}

type EvaluationStep = readonly ['apply' | 'remove', readonly InputObject[]];

async function evaluateInOrder(
  run: Run,
  cluster: ClusterWrites,
  ...steps: readonly EvaluationStep[]
): Promise<ClusterEvaluation> {
  const applied = cluster.objects.flatMap(({ object }) => dialectOfObject(object) ?? []);
  const view = createRunView({ ...cluster.view, known: [...(cluster.view.known ?? []), ...applied] });
  const session = createSession({ ...run, view, isClusterState: cluster.live !== undefined });
  const store = createResultStore(run);
  const collected: ClusterEvaluation = { store, hasChangeRules: false, notes: [], skipped: [], last: new Map(), view };
  const deferred: Waiting[] = [];
  const maybeFixed: Waiting[] = [];
  for (const [step, objects] of steps) {
    for (const input of objects) {
      const evaluation = await session(step, input);
      if ('problem' in evaluation) {
        store.errors.push(invalidInput(input, evaluation));
        continue;
      }
      if (evaluation.length === 0)
        collected.skipped.push({ file: input.file, ...input.start, message: whySkipped(step, input) });
      for (const evaluated of evaluation) {
        const entry = openEntry(evaluated, input, cluster.name, collected);
        if (run.finalEngine.applies(evaluated.subject)) deferred.push({ evaluated, entry });
        if (!isReview(input)) collected.hasChangeRules ||= run.changeable.has(evaluated.subject.dialect.name);
        const { verdict } = evaluated;
        // All warnings on an AdmissionReview are kept, since it is evaluated as it is, without later writes.
        const waits = run.seesFollowing && !isReview(input) && verdict.findings.length > 0 && mayBeFixedLater(verdict);
        if (waits) maybeFixed.push({ evaluated, entry });
        else store.add(entry, [verdict]);
      }
    }
  }
  for (const { evaluated, entry } of maybeFixed) store.add(entry, [await verdictAtEnd(run.engine, evaluated, view)]);
  for (const { evaluated, entry } of deferred)
    store.add(entry, [await run.finalEngine.evaluate(evaluated.subject, view)]);
  return collected;
}

/** Returns why nothing of an object was evaluated. */
function whySkipped(step: EvaluationStep[0], input: InputObject): string {
  if (isReview(input)) return 'no rule applies to its request';
  return step === 'remove'
    ? 'the cluster does not have it'
    : 'no write of /status follows from it, and only those are evaluated';
}

/** Opens the result of one operation. */
function openEntry(
  { at, subject, note }: EvaluatedOperation,
  input: InputObject,
  cluster: string | undefined,
  { store, notes, last }: ClusterEvaluation,
): Entry {
  const place = withCluster(cluster, placeIn(input));
  const position = at.length === 0 ? input : { ...input, locate: (path: typeof at) => input.locate([...at, ...path]) };
  const entry = store.open({ ...subject, place, position });
  // The object of an AdmissionReview is not stored, so it is no object of the comparison.
  const key = keyOf(subject);
  const getsFindings = subject.subresource === '' || comparesStatus(subject.dialect) || !last.has(key);
  if (at.length === 0 && getsFindings) last.set(key, entry);
  if (note) notes.push(noteAt(input, note));
  return entry;
}
