/** Reads the objects of the paths that a user names: files, folders (recursive, sorted), `-` for standard input. */

import { dialects } from '../../api/dialects.ts';
import { reasonOf } from '../../documents/bytes.ts';
import { type DocumentsRead, readInBatches, type SourceDocument, type SourceError } from '../../documents/index.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { SourceFolder } from './layouts/layout.ts';
import { planOf } from './layouts/plan.ts';
import { workingTree } from './layouts/tree.ts';
import { type InputObject, type Objects, objectsIn } from './objects.ts';
import { FileReader } from './reader.ts';
import { dialectOfObject } from './reference.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** Reads standard input; called once at most, and may reject. Without it `-` is an error. */
  readonly stdin?: (() => Promise<Uint8Array>) | undefined;
  /** Called with the progress. */
  readonly reading?: ((reading: Reading) => void) | undefined;
  /** Called with each object of a state that muster evaluates. */
  readonly stored?: ((input: InputObject) => void) | undefined;
  /** Called with each file, document and object that is skipped. */
  readonly skipping?: ((skipped: Skipped) => void) | undefined;
  /** Called with each folder that is not walked. */
  readonly notWalked?: ((folder: SourceError) => void) | undefined;
  /** Called with each file that is not read as a manifest, since it is a part of a chart or a kustomization. */
  readonly leftOut?: ((file: string) => void) | undefined;
  /** Called with each chart and kustomization that no other refers to, unless it is rendered. */
  readonly unrendered?: ((folder: SourceFolder) => void) | undefined;
  /** Renders charts and kustomizations; without it they are skipped. Never rejects. */
  readonly render?: Renderer | undefined;
}

/** Returns the manifests that a program makes of a folder, or why it does not. */
export type Renderer = (folder: SourceFolder) => Promise<{ readonly text: string } | SourceError>;

/** What is skipped, and why: the message. */
export interface Skipped extends SourceError {
  /** The type of an object. */
  readonly apiVersion?: string;
  readonly kind?: string;
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
  /** How many objects of other kinds, documents that are no Kubernetes objects, and parts of charts and kustomizations were skipped. */
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
  const skip = (one: Skipped) => {
    skipped++;
    options.skipping?.(one);
  };
  const errors = await forEachDocument(paths, { ...options, skipping: skip }, (found, { source, start }) => {
    for (const one of found.objects) {
      if (isEvaluated(one)) objects.push(one);
      else skip({ source, ...one.start, message: NOT_EVALUATED, apiVersion: one.apiVersion, kind: one.kind });
    }
    for (let count = found.foreign; count > 0; count--) skip({ source, ...start, message: FOREIGN });
  });
  return { objects, errors, skipped };
}

const NOT_EVALUATED = 'muster does not evaluate this kind';
const FOREIGN = 'it is no Kubernetes object';

/** Reads the objects that exist from files and folders: for `serve --state`, `check --state`. Never throws on bad input. */
export async function readState(paths: readonly string[], options: SourcesOptions = {}): Promise<State> {
  const objects: JsonObject[] = [];
  let foreign: SourceError | undefined;
  const skipping = (one: Skipped) => {
    foreign ??= { ...one, message: NO_STATE };
    options.skipping?.(one);
  };
  const errors = await forEachDocument(paths, { ...options, skipping }, (found, { source, start }) => {
    // Of other kinds it only counts that there are objects; the export of a whole cluster is full of them.
    for (const one of found.objects) {
      if (isEvaluated(one)) options.stored?.(one);
      objects.push(isEvaluated(one) ? one.object : { apiVersion: one.apiVersion, kind: one.kind });
    }
    if (found.foreign > 0) foreign ??= { source, ...start, message: NO_STATE };
  });
  // A file of another program must not pass for an empty cluster.
  return { objects, errors: objects.length === 0 && foreign !== undefined ? [...errors, foreign] : errors };
}

const NO_STATE = 'this state holds no Kubernetes object';

/**
 * Reads the documents of the paths in order, some at a time, so that not all are in memory. A file reached twice is read once. Errors of paths that
 * can't be read come first. Never throws on bad input.
 */
export async function* readEach(paths: readonly string[], options: SourcesOptions = {}): AsyncGenerator<DocumentsRead> {
  const { files, folders, problems, leftOut } = filesUnder(paths);
  const { render } = options;
  const plan = planOf(files, folders, workingTree(paths[0] ?? ''), render !== undefined);
  const errors = problems.map(({ path, message }) => errorIn(path, message));
  yield { documents: [], errors };
  for (const { path, message } of leftOut) options.notWalked?.(errorIn(path, message));
  for (const folder of plan.unrendered) options.unrendered?.(folder);
  for (const file of plan.leftOut) options.leftOut?.(file);
  const { steps } = plan;
  const rendered = steps.map((step) => ('folder' in step ? render?.(step.folder) : undefined));
  const reader = new FileReader(steps.flatMap((step) => ('folder' in step || step.part ? [] : step.file)));
  for (const [index, step] of steps.entries()) {
    const source = 'folder' in step ? step.folder.name : step.file === '-' ? STDIN : step.file;
    const report = (share: number) => options.reading?.({ source, file: index + 1, files: steps.length, share });
    report(0);
    const part = 'folder' in step ? undefined : step.part;
    if (part !== undefined) {
      options.skipping?.(errorIn(source, part));
      continue;
    }
    const read = 'folder' in step ? await rendered[index] : await readSource(step.file, reader, options);
    // The texts of all folders would be a lot.
    rendered[index] = undefined;
    if (read === undefined) continue;
    if ('message' in read) yield { documents: [], errors: [read] };
    else if ('file' in step && plan.layout.isTemplate(step.file, read.text)) {
      options.leftOut?.(step.file);
      options.skipping?.(errorIn(source, 'it is a template in a Helm chart'));
    } else yield* readInBatches(read.text, source, { onProgress: options.reading && report, isTypeEnough });
  }
}

const EMPTY_INPUT = 'standard input is empty: did the program before it fail?';

/** Whether muster evaluates nothing of this `apiVersion`: neither a group of its own nor AdmissionReviews. */
function isTypeEnough(apiVersion: string): boolean {
  return !GROUPS.some((group) => apiVersion.includes(group));
}

const GROUPS = ['admission.k8s.io', ...new Set(dialects.map(({ group }) => group))];

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
  take: (found: Objects, document: SourceDocument) => void,
): Promise<SourceError[]> {
  const [unread, wrong]: [SourceError[], SourceError[]] = [[], []];
  for await (const { documents, errors } of readEach(paths, options)) {
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const error of found.errors) wrong.push(error);
      take(found, document);
    }
  }
  return [...unread, ...wrong];
}

/** Whether muster evaluates the kind, or the object is an AdmissionReview. */
function isEvaluated({ object, apiVersion, kind }: InputObject): boolean {
  const isReview = kind === 'AdmissionReview' && apiVersion.startsWith('admission.k8s.io/');
  return isReview || dialectOfObject(object) !== undefined;
}

async function readSource(file: string, reader: FileReader, { stdin }: SourcesOptions) {
  if (file === '-' && stdin === undefined) return errorIn('-', 'standard input can be named once only, and not here');
  const source = file === '-' ? STDIN : file;
  try {
    if (file !== '-' || stdin === undefined) return decode(await reader.read(file), source);
    const read = decode(await stdin(), source);
    return 'text' in read && read.text.trim() === '' ? errorIn(source, EMPTY_INPUT) : read;
  } catch (error) {
    return errorIn(source, `can't read it: ${reasonOf(error)}`);
  }
}

function errorIn(source: string, message: string): SourceError {
  return { source, line: 1, column: 1, message };
}
