/** Reads the objects of the paths that a user names: files, folders (recursive, sorted), `-` for standard input. */

import { readBytes, reasonOf } from '../../documents/bytes.ts';
import { type DocumentsRead, readInBatches, type SourceError } from '../../documents/index.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { type InputObject, type Objects, objectsIn } from './objects.ts';
import { dialectOfObject } from './reference.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** Reads standard input; called once at most, and may reject. Without it `-` is an error. */
  readonly stdin?: (() => Promise<Uint8Array>) | undefined;
  /** Called with the progress. */
  readonly reading?: ((reading: Reading) => void) | undefined;
}

export interface Reading {
  readonly source: string;
  /** Which of the files it is, from 1, and how many there are. */
  readonly file: number;
  readonly files: number;
  /** How much of it is read, from 0 to 1. */
  readonly share: number;
}

export interface Input {
  /** Objects of kinds that muster evaluates, in any version, and AdmissionReviews. */
  readonly objects: readonly InputObject[];
  /** Files or documents that could not be read. All others were read. */
  readonly errors: readonly SourceError[];
  /** How many objects of other kinds, and documents that are no Kubernetes objects, were skipped. */
  readonly skipped: number;
}

export interface State extends Pick<Input, 'errors'> {
  /** Of any kind, in the order read. None and no error: an empty cluster. */
  readonly objects: readonly JsonObject[];
}

/** The name of standard input in reports. */
export const STDIN = '<stdin>';

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
  let foreign: SourceError | undefined;
  const errors = await forEachDocument(paths, options, (found, start) => {
    // Of other kinds it only counts that there are objects; the export of a whole cluster is full of them.
    for (const one of found.objects)
      objects.push(isEvaluated(one) ? one.object : { apiVersion: one.apiVersion, kind: one.kind });
    if (found.foreign > 0) foreign ??= { ...start, message: 'this state holds no Kubernetes object' };
  });
  // A file of another program must not pass for an empty cluster.
  return { objects, errors: objects.length === 0 && foreign !== undefined ? [...errors, foreign] : errors };
}

/**
 * Reads the documents of the paths in order, some at a time, so that not all are in memory. A file reached twice is read once. Errors of paths that
 * can't be read come first. Never throws on bad input.
 */
export async function* readEach(paths: readonly string[], options: SourcesOptions = {}): AsyncGenerator<DocumentsRead> {
  const { files, problems } = filesUnder(paths);
  yield { documents: [], errors: problems.map(({ path, message }) => errorIn(path, message)) };
  for (const [index, file] of files.entries()) {
    const source = file === '-' ? STDIN : file;
    const report = (share: number) => options.reading?.({ source, file: index + 1, files: files.length, share });
    report(0);
    const read = await readSource(file, source, options);
    if ('message' in read) yield { documents: [], errors: [read] };
    else yield* readInBatches(read.text, source, options.reading && report);
  }
}

/** The text of a file, or why it has none. */
export function decode(bytes: Uint8Array, source: string): { text: string } | SourceError {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return errorIn(source, 'the text is not UTF-8: save the file in that encoding');
  }
}

/** Returns the errors: first those of files and documents, then those of objects. */
async function forEachDocument(
  paths: readonly string[],
  options: SourcesOptions,
  take: (found: Objects, start: Omit<SourceError, 'message'>) => void,
): Promise<SourceError[]> {
  const [unread, wrong]: [SourceError[], SourceError[]] = [[], []];
  for await (const { documents, errors } of readEach(paths, options)) {
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const error of found.errors) wrong.push(error);
      take(found, { source: document.source, ...document.start });
    }
  }
  return [...unread, ...wrong];
}

/** Whether muster evaluates the kind, or the object is an AdmissionReview. */
function isEvaluated({ object, apiVersion, kind }: InputObject): boolean {
  const isReview = kind === 'AdmissionReview' && apiVersion.startsWith('admission.k8s.io/');
  return isReview || dialectOfObject(object) !== undefined;
}

async function readSource(file: string, source: string, { stdin }: SourcesOptions) {
  if (file === '-' && stdin === undefined) return errorIn('-', 'standard input can be named once only, and not here');
  try {
    return decode(file === '-' && stdin ? await stdin() : readBytes(file), source);
  } catch (error) {
    return errorIn(source, `can't read it: ${reasonOf(error)}`);
  }
}

function errorIn(source: string, message: string): SourceError {
  return { source, line: 1, column: 1, message };
}
