import type { JsonObject } from '../base/json.ts';
import type { SkippedDocument, SourceDocument, SourceError } from '../documents/index.ts';
import { type InputObject, inRelease, isEvaluated, type Objects, objectsIn } from './objects.ts';
import { readPaths, type Skipped, type SourcesOptions } from './read-documents.ts';
import { createSupportingCollector, type SupportingDocuments } from './supporting.ts';

export interface Input {
  /** Objects of kinds that muster evaluates, in any version, and AdmissionReviews. */
  readonly objects: readonly InputObject[];
  /** Files or documents that could not be read. All others were read. */
  readonly errors: readonly SourceError[];
  /**
   * The number of skipped objects of other kinds, documents without an object, and parts of charts and kustomizations.
   */
  readonly skipped: number;
  /** Services and Namespaces, which are among the skipped. */
  readonly supporting: SupportingDocuments;
}

interface StateFiles extends Pick<Input, 'errors' | 'supporting'> {
  /** Of any kind, in the order read. None and no error: an empty cluster. */
  readonly objects: readonly JsonObject[];
}

/** Reads the objects to evaluate from files and folders, in order. Never throws on bad input. */
export async function readObjects(paths: readonly string[], options: SourcesOptions = {}): Promise<Input> {
  const objects: InputObject[] = [];
  const supporting = createSupportingCollector();
  let count = 0;
  const onSkipped = (one: Skipped) => {
    count++;
    options.onSkipped?.(one);
  };
  const take = (found: Objects, { source, start }: SourceDocument) => {
    for (const one of found.objects) {
      supporting.take(one);
      if (isEvaluated(one)) objects.push(one);
      else onSkipped({ source, ...one.start, message: NOT_EVALUATED, apiVersion: one.apiVersion, kind: one.kind });
    }
    for (let left = found.foreign; left > 0; left--) onSkipped({ source, ...start, message: FOREIGN });
  };
  const skip = (skipped: SkippedDocument, namespace: string | undefined) => {
    count++;
    supporting.skip(skipped, namespace);
    options.onSkipped?.({ source: skipped.source, ...skipped.start(), message: NOT_OURS });
  };
  const errors = await forEachDocument(paths, { ...options, onSkipped }, take, skip);
  return { objects, errors, skipped: count, supporting };
}

const NOT_EVALUATED = 'muster does not evaluate this kind';
const NOT_OURS = 'it names no kind that muster evaluates';
const FOREIGN = 'it is not a Kubernetes object';

interface StateOptions extends SourcesOptions {
  /** Called with each object that muster evaluates. */
  readonly onStored?: ((input: InputObject) => void) | undefined;
}

/**
 * Reads the existing objects from files and folders: for `serve --state`, `check --state`. Never throws on bad input.
 */
export async function readState(paths: readonly string[], options: StateOptions = {}): Promise<StateFiles> {
  const objects: JsonObject[] = [];
  const supporting = createSupportingCollector();
  let foreign: SourceError | undefined;
  const onSkipped = (one: Skipped) => {
    foreign ??= { ...one, message: NO_STATE };
    options.onSkipped?.(one);
  };
  const take = (found: Objects, { source, start }: SourceDocument) => {
    // Of other kinds it only counts that there are objects; the export of a whole cluster is full of them.
    for (const one of found.objects) {
      supporting.take(one);
      if (isEvaluated(one)) options.onStored?.(one);
      objects.push(isEvaluated(one) ? one.object : OTHER_KIND);
    }
    if (found.foreign > 0) foreign ??= { source, ...start, message: NO_STATE };
  };
  /** Reads a skipped document only if it decides whether the state is empty. Other tools report mistakes in it. */
  const skip = (skipped: SkippedDocument, namespace: string | undefined) => {
    if (objects.length > 0) return supporting.skip(skipped, namespace);
    const { documents, errors } = skipped.read();
    const found = documents.map((document) => ({ document, ...objectsIn(document) }));
    for (const { document, ...one } of found) take(one, document);
    if (errors.length === 0 && found.every((one) => one.errors.length === 0)) return;
    objects.push(OTHER_KIND);
    supporting.skip(skipped, namespace);
  };
  const errors = await forEachDocument(paths, { ...options, onSkipped, onUnevaluated: undefined }, take, skip);
  // A file of another program must not pass for an empty cluster.
  const empty = objects.length === 0 && foreign !== undefined ? [foreign] : [];
  return { objects, errors: [...errors, ...empty], supporting };
}

const OTHER_KIND: JsonObject = { apiVersion: 'v1', kind: 'Other' };
const NO_STATE = 'this state holds no Kubernetes object';

/** Returns the errors: first those of files and documents, then those of objects. */
async function forEachDocument(
  paths: readonly string[],
  options: SourcesOptions,
  take: (found: Objects, document: SourceDocument) => void,
  skip: (skipped: SkippedDocument, namespace: string | undefined) => void,
): Promise<SourceError[]> {
  const unread: SourceError[] = [];
  const wrong: SourceError[] = [];
  for await (const { documents, errors, skipped, namespace } of readPaths(paths, options)) {
    for (const one of skipped) skip(one, namespace);
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const error of found.errors) wrong.push(error);
      const objects = found.objects.map((one) => ({ ...one, object: inRelease(namespace, one.object) }));
      take(namespace === undefined ? found : { ...found, objects }, document);
    }
  }
  return [...unread, ...wrong];
}
