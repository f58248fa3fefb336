/**
 * Checks manifests: reads the input of each cluster, evaluates it against the previous state, and collects the report.
 */

import { setFlagsFromString } from 'node:v8';
import { errorAbout, isFolder, isThere } from '../../documents/files.ts';
import type { Policy } from '../../engine/index.ts';
import type { ServiceSources } from '../../evaluation/exported-services.ts';
import { createRunEvaluation, type RunEvaluation } from '../../evaluation/run-evaluation.ts';
import { comparedReferences, exportsIn } from '../../input/clusters/compared-objects.ts';
import { refuseUnmatched } from '../../input/clusters/find.ts';
import {
  type ClusterInput,
  type ClusterInputs,
  clusterInputs,
  type InputRequest,
  missingClusters,
  type ReadCluster,
  readCluster,
  refuseUnknownNames,
} from '../../input/clusters/inputs.ts';
import { sameObjectErrors } from '../../input/clusters/same-object.ts';
import type { Revision, RevisionState } from '../../input/git/revision.ts';
import { leftOutByKustomize, unknownVersion, unquotedTexts, withCluster } from '../../input/objects.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { type SourcesOptions, STDIN } from '../../input/sources.ts';
import type { Baseline } from '../../report/baseline.ts';
import { type CheckReport, type RunPart, reportOf, resultsIn } from '../../report/report.ts';
import type { Identity } from '../../rules/rule.ts';
import { createSkipLog, limitNotes, NO_MATCH, noteLines, outsideNotes, type SkipLog } from '../notes.ts';
import { type ExplainedService, explainService, noClusterSetNotes, type ServiceName } from './explain-service.ts';
import { readPreviousState, unreadNotes } from './previous-state.ts';

export interface CheckRun extends InputRequest {
  /** Default: the policy without a configuration. */
  readonly policy?: Policy | undefined;
  readonly identity: Identity | undefined;
  readonly subresource: 'none' | 'status' | undefined;
  readonly failOnNoMatch: boolean;
  /** Leaves out notes on what the run could not find. */
  readonly quiet?: boolean | undefined;
  /** The service to explain, in place of a report on objects. */
  readonly serviceToExplain?: ServiceName | undefined;
  /** An earlier report, whose findings are left out. */
  readonly baseline?: Baseline | undefined;
  /** Called with a line for each file, document and object that is skipped. */
  readonly listSkipped?: ((line: string) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface Checked {
  readonly report: CheckReport;
  /** The explanation of the service, if one was asked for and all input could be read. */
  readonly services?: readonly ExplainedService[] | undefined;
  /** Notes for people, one line each. */
  readonly notes: readonly string[];
}

/**
 * Runs the check. What can't be read is among the errors of the report, and the rest is evaluated.
 * @throws UsageError for clusters that can't be as named
 */
export async function runCheck(run: CheckRun): Promise<Checked> {
  const inputs = clusterInputs(run);
  const skipLog = createSkipLog(run.listSkipped);
  for (const file of inputs.outside) skipLog.onNotWalked(errorAbout(file, 'it is in no cluster'));
  for (const path of inputs.links) skipLog.onNotWalked(errorAbout(path, FOLDER_LINK));
  const read = await readClusters(run, inputs.clusters, skipLog);
  const atBase = run.baseRef === undefined ? undefined : await readBaseRef(run, read, inputs, skipLog);
  // Without the previous state, each finding would only say that it is missing.
  if (atBase && 'problem' in atBase) return { report: reportOf([{ errors: [atBase.problem] }]), notes: [] };
  const { revision, clusters } = atBase ?? { revision: undefined, clusters: read };
  const evaluation = createRunEvaluation({
    ...run,
    point: 'check',
    explains: run.serviceToExplain !== undefined,
    comparedWith: run.clusters ? comparedReferences(read.flatMap(({ objects }) => objects)) : [],
  });
  const checked: CheckedCluster[] = [];
  for (const cluster of clusters) {
    checked.push(await checkCluster(evaluation, cluster, revision?.stateOf(cluster.name), run, skipLog));
  }
  const { notes: assumptions, services: fleetServices, ...compared } = evaluation.finish();
  const fleet = run.serviceToExplain && fleetServices();
  const placedNotes = skipLog.placedNotes();
  const found: readonly RunPart[] = [
    { notes: outsideNotes(inputs.outside) },
    { placedNotes, notes: noteLines(placedNotes, run.listSkipped !== undefined) },
    ...read.map(({ warnings }) => ({ warnings })),
    revision ?? {},
    ...checked,
    compared,
  ];
  const results = resultsIn(found);
  const isEmpty = results.length === 0;
  // Input that can't be read may export the service, too.
  const isWhole = found.every(({ errors = [] }) => errors.length === 0);
  const services =
    run.serviceToExplain && isWhole ? explainService(run.serviceToExplain, fleet, placedNotes) : undefined;
  const filtered = run.baseline?.newIn(results);
  const parts = [...found, { errors: run.failOnNoMatch && isEmpty ? [noMatch(inputs)] : [] }];
  const report = reportOf(parts, filtered?.results);
  const withoutState = checked.flatMap(({ cluster = '', lacksState }) => (lacksState ? cluster : []));
  const isByBase = revision !== undefined && clusters.every(({ live, state }) => !live && !state);
  return {
    services,
    report,
    notes: [
      ...found.flatMap(({ notes = [] }) => notes),
      ...(run.serviceToExplain && services ? noClusterSetNotes(run.serviceToExplain, services, fleet) : []),
      ...(filtered ? [filtered.note] : []),
      ...(run.quiet || run.serviceToExplain
        ? []
        : [
            ...assumptions,
            ...limitNotes({ ...report.summary, clusters: clusters.length, withoutState }),
            ...(isByBase ? unreadNotes(run.paths) : []),
          ]),
    ],
  };
}

/** Returns the error of a run that found nothing, at the first path that it was to check. */
function noMatch({ clusters }: ClusterInputs): PlacedMessage {
  const checked = ({ named, charts, deleted }: ClusterInput) => [
    ...named,
    ...charts.map(({ path }) => path),
    ...deleted,
  ];
  const file = clusters.flatMap(checked)[0];
  return file === undefined ? { message: NO_MATCH } : errorAbout(file === '-' ? STDIN : file, NO_MATCH);
}

/** What was found in one cluster, before it is compared with others. */
interface CheckedCluster extends RunPart {
  /** Whether it has objects with rules on changes, and no previous state. */
  readonly lacksState: boolean;
}

/** Evaluates one cluster against its previous state. */
async function checkCluster(
  evaluation: RunEvaluation,
  cluster: ReadCluster,
  base: RevisionState | undefined,
  options: SourcesOptions,
  skipLog: SkipLog,
): Promise<CheckedCluster> {
  const { name, named, objects, deletions, live, state } = cluster;
  const services = servicesIn(cluster);
  const unknown = { objects, deletions, view: {}, services, errors: [], notes: [] };
  const hasState = (live ?? state ?? base) !== undefined;
  const known = hasState ? await readPreviousState(cluster, services, base, { ...options, ...skipLog }) : {};
  const previous = { ...unknown, ...known };
  const folders = name === undefined ? named.filter((path) => path !== '-' && isFolder(path)) : [];
  const unclear = folders.length > 0 ? sameObjectErrors(previous.objects, folders) : [];
  // If the folders are two clusters, the objects of one would count as updates of the other's.
  const writes = unclear.length > 0 ? { ...previous, objects: [], deletions: [] } : previous;
  const { entries, skipped, hasChangeRules, ...results } = await evaluation.evaluate({ ...writes, name, live });
  for (const one of skipped) skipLog.onSkipped(one);
  const ofInput = [...previous.errors, ...cluster.errors, ...cluster.deletedErrors];
  const errors = [...ofInput, ...(live?.errors() ?? []), ...unclear, ...results.errors];
  const inCluster = (message: PlacedMessage) => withCluster(name, message);
  return {
    cluster: name,
    entries,
    errors: errors.map(inCluster),
    warnings: skipLog.takeWarnings().map(inCluster),
    notes: [...(live?.notes() ?? []), ...previous.notes, ...results.notes],
    skipped: cluster.skipped + skipped.length,
    lacksState: hasChangeRules && !hasState,
  };
}

/** Returns the Services of a cluster without a previous state. */
function servicesIn(cluster: ReadCluster): ServiceSources {
  const { supporting, deletedSupporting, isPartial, errors } = cluster;
  const unrendered = isPartial ? 'a chart or a kustomization was not rendered' : undefined;
  const unread = errors.length > 0 ? 'part of the input could not be read' : unrendered;
  return { documents: supporting, deletions: deletedSupporting, before: [], unread };
}

async function readClusters(
  run: CheckRun,
  clusters: readonly ClusterInput[],
  skipLog: SkipLog,
): Promise<readonly ReadCluster[]> {
  // The objects of many clusters stay in memory to the end: a large space for young objects would only add to that.
  if (clusters.length > 1) setFlagsFromString('--semi-space-growth-factor=1');
  // With a base, a path may be gone. `readBaseRef` reports paths that did not exist there either.
  const isHere = run.baseRef === undefined ? undefined : isThere;
  const read: ReadCluster[] = [];
  for (const cluster of clusters) {
    const one = await readCluster(cluster, { ...run, ...skipLog }, isHere);
    const noticed = one.objects.flatMap((input) => [
      unknownVersion(input) ?? [],
      leftOutByKustomize(input) ?? [],
      unquotedTexts(input),
    ]);
    const warnings = [...skipLog.takeWarnings(), ...noticed.flat()];
    read.push({ ...one, warnings: warnings.map((warning) => withCluster(cluster.name, warning)) });
  }
  return read;
}

const FOLDER_LINK = 'links to folders are not followed, and another cluster has this one';
const ABSENT_MODULE = 'a submodule that is not checked out (git submodule update --init)';
const IN_NEITHER = ', neither here nor at --base-ref';

/** Reads all clusters at `--base-ref`. Returns those of the working tree and those that are gone from it. */
async function readBaseRef(
  run: CheckRun,
  read: readonly ReadCluster[],
  { unmatched }: ClusterInputs,
  skipLog: SkipLog,
): Promise<{ revision: Revision; clusters: readonly ReadCluster[] } | { problem: PlacedMessage }> {
  const { baseRef: ref = '', clusters: several, render } = run;
  // Only a run with --base-ref loads the code that calls git.
  const { readRevision } = await import('../../input/git/revision.ts');
  const isExporting = exportsIn(read.flatMap(({ objects }) => objects)).length > 0;
  const revision = await readRevision({ ref, clusters: read, several, isExporting, render });
  if ('problem' in revision) return { problem: { about: `--base-ref ${ref}`, message: revision.problem } };
  for (const { path, cluster } of revision.absent)
    skipLog.onUnevaluated(withCluster(cluster, errorAbout(path, ABSENT_MODULE)));
  if (several === undefined) return { revision, clusters: read };
  refuseUnmatched(
    unmatched.filter((glob) => revision.unmatched.includes(glob)),
    IN_NEITHER,
  );
  const here = read.filter(({ named }) => named.length > 0).flatMap(({ name }) => name ?? []);
  refuseUnknownNames(several, [...here, ...revision.clusterNames], IN_NEITHER);
  // Charts for clusters that the working tree lacks are left out.
  const gone = missingClusters(run, read, revision.clusterNames).map((cluster) => ({ ...cluster, charts: [] }));
  return { revision, clusters: [...read, ...(await readClusters(run, gone, skipLog))] };
}
