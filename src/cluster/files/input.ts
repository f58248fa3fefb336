/** Reads the objects of files: those to evaluate, and those of a state. */
import type { JsonObject } from '../../rules/rule.ts';
import { type InputObject, type ObjectError, type Objects, objectsIn } from './objects.ts';
import { dialectOfObject } from './reference.ts';
import { readEach, type SourcesOptions } from './sources.ts';

export interface Input {
  /** Objects of kinds that muster evaluates, in any version, and AdmissionReviews. */
  readonly objects: readonly InputObject[];
  readonly errors: readonly ObjectError[];
  /** How many objects of other kinds, and documents that are no Kubernetes objects, were skipped. */
  readonly skipped: number;
}

export interface State {
  /** Of any kind, in the order read. None and no error: an empty cluster. */
  readonly objects: readonly JsonObject[];
  /** Files or documents that could not be read. All others were read. */
  readonly errors: readonly ObjectError[];
}

/** Reads the objects to evaluate from files and folders, in order. Never throws on bad input. */
export async function readObjects(paths: readonly string[], options: SourcesOptions = {}): Promise<Input> {
  const objects: InputObject[] = [];
  let skipped = 0;
  const errors = await forEachDocument(paths, options, (found) => {
    const evaluated = found.objects.filter(isEvaluated);
    for (const object of evaluated) objects.push(object);
    skipped += found.foreign + found.objects.length - evaluated.length;
  });
  return { objects, errors, skipped };
}

/** Reads the objects that exist from files and folders: for `serve --state`, `check --state`. Never throws on bad input. */
export async function readState(paths: readonly string[], options: SourcesOptions = {}): Promise<State> {
  const objects: JsonObject[] = [];
  let foreign: ObjectError | undefined;
  const errors = await forEachDocument(paths, options, (found, error) => {
    // Of other kinds it only counts that there are objects; the export of a whole cluster is full of them.
    for (const one of found.objects)
      objects.push(isEvaluated(one) ? one.object : { apiVersion: one.apiVersion, kind: one.kind });
    if (found.foreign > 0) foreign ??= error('this state holds no Kubernetes object');
  });
  // A file of another program must not pass for an empty cluster.
  return { objects, errors: objects.length === 0 && foreign !== undefined ? [...errors, foreign] : errors };
}

/** Returns the errors: first those of files and documents, then those of objects. */
async function forEachDocument(
  paths: readonly string[],
  options: SourcesOptions,
  take: (found: Objects, error: (message: string) => ObjectError) => void,
): Promise<ObjectError[]> {
  const [unread, wrong]: [ObjectError[], ObjectError[]] = [[], []];
  for await (const { documents, errors } of readEach(paths, options)) {
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const error of found.errors) wrong.push(error);
      const { line, column } = document.start;
      take(found, (message) => ({ source: document.source, line, column, message }));
    }
  }
  return [...unread, ...wrong];
}

/** Whether muster evaluates the kind, or the object is an AdmissionReview. */
function isEvaluated({ object, apiVersion, kind }: InputObject): boolean {
  const isReview = kind === 'AdmissionReview' && apiVersion.startsWith('admission.k8s.io/');
  return isReview || dialectOfObject(object) !== undefined;
}
