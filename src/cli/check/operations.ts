/**
 * One run over a world of files: each object becomes the writes the API server would see, each write is judged, and what is
 * not denied is stored, so that later objects of the run see it.
 */

import { type Dialect, dialectOf } from '../../api/dialects.ts';
import { type FilesView, type GivenObject, referenceTo, settled } from '../../cluster/files/index.ts';
import { type Engine, freeze, type Subject, type Verdict } from '../../engine/index.ts';
import { readAdmissionReview } from '../../engine/review.ts';
import { at, isObject } from '../../rules/json.ts';
import type { Identity, JsonObject, Operation, Path, Reference, Subresource } from '../../rules/rule.ts';
import { lastApplied } from './apply.ts';
import * as writes from './writes.ts';

export interface SessionOptions {
  readonly engine: Engine;
  readonly view: FilesView;
  /** Who asks; undefined: not said. */
  readonly identity: Identity | undefined;
  /** Only the main write, only the status write; undefined: both. */
  readonly subresource: 'none' | 'status' | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The stored objects are a cluster's: what a file does not mention stays, unless it was applied last. */
  readonly live?: boolean;
}

/** One write and what became of it. */
export interface Judged {
  readonly given: GivenObject;
  /** Where the judged object stands within the given one. */
  readonly at: Path;
  readonly subject: Subject;
  readonly verdict: Verdict;
  /** What was changed before judging, in words. */
  readonly note?: string;
}

/** Why an object is not judged: its kind is of no rule, or it can't be written at all. */
export type Unplaced = 'skipped' | { readonly problem: string; readonly at: Path };
export type Told = readonly Judged[] | Unplaced;

export interface Session {
  /** Judges an object as applied (or, of an AdmissionReview, as requested) and stores it unless denied. */
  apply(given: GivenObject): Promise<Told>;
  /** Judges the deletion of an object and takes it out of the world unless denied. */
  remove(given: GivenObject): Promise<Told>;
}

/** Begins a run on a view, which it changes. */
export function createSession(options: SessionOptions): Session {
  let generated = 0;
  return {
    async apply(given) {
      if (isReview(given)) return applyReview(options, given);
      const reference = referenceOf(given, () => generated++);
      return isPlaced(reference) ? applyObject({ options, given, reference }) : reference;
    },
    async remove(given) {
      if (isReview(given)) return { problem: 'an AdmissionReview is no object to delete', at: [] };
      const reference = referenceOf(given);
      return isPlaced(reference) ? removeObject({ options, given, reference }) : reference;
    },
  };
}

/** The dialect of a given object in any version, or undefined: not ours to judge. */
export function dialectOfInput({ apiVersion, kind }: GivenObject): Dialect | undefined {
  const [group, version, ...rest] = apiVersion.split('/');
  return version === undefined || rest.length > 0 ? undefined : dialectOf(group ?? '', kind);
}

interface Write {
  readonly options: SessionOptions;
  readonly given: GivenObject;
  readonly reference: Reference;
}

function isReview({ apiVersion, kind }: GivenObject): boolean {
  return kind === 'AdmissionReview' && apiVersion.startsWith('admission.k8s.io/');
}

/** Where an object stands, or why it can't be judged. With `count`, a name is made where it is to be generated. */
function referenceOf(given: GivenObject, count?: () => number): Reference | Unplaced {
  const { object } = given;
  const dialect = dialectOfInput(given);
  if (dialect === undefined) return 'skipped';
  for (const key of dialect.scope === 'Cluster' ? ['name'] : ['name', 'namespace']) {
    const problem = `metadata.${key} must be a text, got ${typeof at(object, ['metadata', key])}: quote it`;
    if (typeof (at(object, ['metadata', key]) ?? '') !== 'string') return { problem, at: ['metadata', key] };
  }
  const reference = referenceTo(dialect, object);
  const name = reference.name || (count && writes.generatedName(object, count()));
  if (name) return { ...reference, name };
  const problem = `the object has no metadata.name${count ? ', nor generateName' : ''}`;
  return { problem, at: ['metadata'] };
}

function isPlaced(reference: Reference | Unplaced): reference is Reference {
  return typeof reference === 'object' && 'dialect' in reference;
}

async function applyObject(write: Write): Promise<readonly Judged[]> {
  const { options, given, reference } = write;
  const { subresource, view } = options;
  const stored = view.stored(reference);
  const object = stored ? updatedObject(write, stored) : writes.created(reference, given.object);
  const completed = writes.labelled(reference.dialect, object, stored);
  const main = freeze(completed ?? object);
  const judged: Judged[] = [];
  if (subresource !== 'status') {
    const made = await judge(write, stored ? 'UPDATE' : 'CREATE', '', main, stored);
    judged.push(completed === undefined ? made : { ...made, note: stored ? LABEL_KEPT : LABELLED });
    if (made.verdict.outcome !== 'denied') keep(view, reference, main);
  } else if (stored === undefined) keep(view, reference, main);
  const status = at(given.object, ['status']);
  if (subresource === 'none' || status === undefined || !writes.hasStatus(reference.dialect)) return judged;
  // A denied CREATE leaves nothing stored; its status is judged all the same, so that all findings come back at once.
  const before = view.stored(reference) ?? main;
  const after = writes.withStatus(writes.converted(before, given.apiVersion), status);
  const made = await judge(write, 'UPDATE', 'status', after, before);
  if (made.verdict.outcome !== 'denied' && view.stored(reference)) view.store(reference, after);
  return [...judged, made];
}

function updatedObject({ options, given, reference }: Write, stored: JsonObject): JsonObject {
  const last = lastApplied(stored) ?? (options.live ? {} : undefined);
  return writes.updated(reference, given.object, stored, last);
}

const LABELLED =
  'label x-k8s.io/cluster-manager added from spec.clusterManager.name, as the mutating webhook does on CREATE';

const LABEL_KEPT =
  'label x-k8s.io/cluster-manager put back as stored, as the mutating webhook does on UPDATE; add it to the file';

async function removeObject(write: Write): Promise<Told> {
  const { options, given, reference } = write;
  const known = options.view.stored(reference);
  // Nobody is asked about the deletion of what a cluster does not have.
  if (options.live && known === undefined && (await options.view.get(reference)).known) return 'skipped';
  const stored = freeze(known ?? settled(reference, given.object));
  const made = await judge(write, 'DELETE', '', stored, stored);
  if (made.verdict.outcome !== 'denied') forget(options, reference, stored);
  return [made];
}

async function judge(
  { options, given, reference }: Write,
  operation: Operation,
  subresource: Subresource,
  object: JsonObject,
  stored: JsonObject | undefined,
): Promise<Judged> {
  const subject: Subject = {
    dialect: reference.dialect,
    version: given.apiVersion.split('/')[1] ?? '',
    operation,
    subresource,
    object: freeze(object),
    oldObject: stored && freeze(writes.converted(stored, given.apiVersion)),
    name: reference.name,
    namespace: reference.namespace,
    identity: options.identity,
    dryRun: false,
  };
  return { given, at: [], subject, verdict: await options.engine.evaluate(subject, options.view) };
}

async function applyReview(options: SessionOptions, given: GivenObject): Promise<Told> {
  const request = at(given.object, ['request']);
  if (request === undefined && at(given.object, ['response']) !== undefined) {
    return { problem: 'this AdmissionReview has a response and no request: there is nothing to judge', at: [] };
  }
  // A uid serves to pair an answer with its question; a review kept in a file may lack one.
  const review = isObject(request) ? { ...given.object, request: { uid: 'none', ...request } } : given.object;
  const reading = readAdmissionReview(review);
  if (reading.kind === 'skip') return 'skipped';
  if (reading.kind === 'refuse') return { problem: reading.problem, at: ['request'] };
  const subject = { ...reading.subject, identity: reading.subject.identity ?? options.identity };
  const verdict = await options.engine.evaluate(subject, options.view);
  if (verdict.outcome !== 'denied' && !subject.dryRun) storeReview(options, subject);
  return [{ given, at: ['request', subject.operation === 'DELETE' ? 'oldObject' : 'object'], subject, verdict }];
}

function storeReview(options: SessionOptions, { dialect, namespace, name, operation, object }: Subject): void {
  const reference: Reference = namespace === undefined ? { dialect, name } : { dialect, namespace, name };
  if (operation === 'DELETE') forget(options, reference, object);
  else keep(options.view, reference, object);
}

function keep(view: FilesView, reference: Reference, object: JsonObject): void {
  const left = writes.afterWrite(object);
  if (left === undefined) view.remove(reference);
  else view.store(reference, left);
}

function forget({ view, clock }: SessionOptions, reference: Reference, object: JsonObject): void {
  const left = writes.afterDelete(object, clock());
  if (left === undefined) view.remove(reference);
  else view.store(reference, left);
}
