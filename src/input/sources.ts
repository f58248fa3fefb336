/**
 * Reads the objects in the paths that a user names: files, folders (recursive, sorted), `-` for standard input. A chart
 * or a kustomization is rendered, or its files are skipped.
 *
 * Callbacks report what is not evaluated:
 * - skipped: a document or an object that muster has no rules for, or a part of a chart or a kustomization;
 * - unevaluated: a part of these that names a kind of muster, so that something may be missing;
 * - not walked: a folder that is never read, such as `node_modules`;
 * - unrendered: a chart or a kustomization, in a run that renders none.
 */
import { dirname, join, resolve } from 'node:path';
import { addAll } from '../base/collections.ts';
import type { JsonObject } from '../base/json.ts';
import {
  decode,
  errorAbout,
  isThere,
  readBytes,
  realPathOf,
  type TextRead,
  unreadable,
  upwardSearch,
} from '../documents/files.ts';
import {
  type DocumentBatch,
  readManifests,
  type SkippedDocument,
  type SourceDocument,
  type SourceError,
} from '../documents/index.ts';
import { descriptionIn, withoutDescription } from './layouts/description.ts';
import { type ConfiguredChart, DESCRIPTION_NAMES, type SourceFolder } from './layouts/layout.ts';
import { planReading, type ReadStep } from './layouts/read-plan.ts';
import { workingTree } from './layouts/tree.ts';
import { type OnUnevaluated, reportUnevaluated, reportUnwalked } from './layouts/unevaluated.ts';
import { type InputObject, isEvaluated, type Objects, objectsIn } from './objects.ts';
import type { Place } from './place.ts';
import { FileReader } from './read-ahead.ts';
import { createRenderedObjects } from './rendered.ts';
import { isSupporting, type Supporting } from './supporting.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** Returns how reports name a file or folder; by default as the user named it. */
  readonly nameOf?: ((path: string) => string) | undefined;
  /** The folder that no link may leave; by default a link ends in one of the paths. */
  readonly bounds?: string | undefined;
  /** Reads standard input; called once at most, and may reject. Without it `-` is an error. */
  readonly stdin?: (() => Promise<Uint8Array>) | undefined;
  readonly onReadProgress?: ((progress: ReadProgress) => void) | undefined;
  /** Called with each file, document and object that is skipped. */
  readonly onSkipped?: ((skipped: Skipped) => void) | undefined;
  /** Called with each folder that is not walked. */
  readonly onNotWalked?: ((folder: SourceError) => void) | undefined;
  /** Called with each file that is read as a manifest. */
  readonly onFileRead?: ((file: string) => void) | undefined;
  readonly onUnevaluated?: OnUnevaluated | undefined;
  /** Called with each chart and kustomization that no other refers to, unless it is rendered. */
  readonly onUnrendered?: ((folder: SourceFolder & Pick<Place, 'cluster'>) => void) | undefined;
  /** Renders charts and kustomizations; without it they are skipped. Rejects only if nothing can be rendered. */
  readonly render?: Renderer | undefined;
  /** Charts that are read with the paths, wherever they are, and rendered as listed here only. */
  readonly charts?: readonly ConfiguredChart[] | undefined;
}

/** Returns the manifests that a program makes of a folder, or why it makes none. */
export type Renderer = (folder: SourceFolder) => Promise<TextRead>;

/** What is skipped; the message says why. */
export interface Skipped extends SourceError {
  /** The type of an object. */
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ReadProgress {
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
  /**
   * The number of skipped objects of other kinds, documents without an object, and parts of charts and kustomizations.
   */
  readonly skipped: number;
  /** Services and Namespaces, which are among the skipped, and documents that may hold some, in order. */
  readonly supporting: readonly Supporting[];
}

/** Reads the objects to evaluate from files and folders, in order. Never throws on bad input. */
export async function readObjects(paths: readonly string[], options: SourcesOptions = {}): Promise<Input> {
  const objects: InputObject[] = [];
  let count = 0;
  const onSkipped = (one: Skipped) => {
    count++;
    options.onSkipped?.(one);
  };
  const take = (found: Objects, { file, start }: SourceDocument) => {
    for (const one of found.objects) {
      if (isEvaluated(one)) objects.push(one);
      else onSkipped({ file, ...one.start, message: NOT_EVALUATED, apiVersion: one.apiVersion, kind: one.kind });
    }
    for (let left = found.foreign; left > 0; left--) onSkipped({ file, ...start, message: FOREIGN });
  };
  const skip = (skipped: SkippedDocument) => {
    count++;
    options.onSkipped?.({ file: skipped.file, ...skipped.start(), message: NOT_OURS });
  };
  const read = await forEachDocument(paths, { ...options, onSkipped }, take, skip);
  return { ...read, objects, skipped: count };
}

const NOT_EVALUATED = 'muster does not evaluate this kind';
const NOT_OURS = 'it names no kind that muster evaluates';
const FOREIGN = 'it is not a Kubernetes object';

interface StateFiles extends Pick<Input, 'errors' | 'supporting'> {
  /** Of any kind, in the order read. None and no error: an empty cluster. */
  readonly objects: readonly JsonObject[];
}

interface StateOptions extends SourcesOptions {
  /** Called with each object that muster evaluates. */
  readonly onStored?: ((input: InputObject) => void) | undefined;
}

/**
 * Reads the existing objects from files and folders: for `serve --state`, `check --state`. Never throws on bad input.
 */
export async function readState(paths: readonly string[], options: StateOptions = {}): Promise<StateFiles> {
  const objects: JsonObject[] = [];
  let foreign: SourceError | undefined;
  const onSkipped = (one: Skipped) => {
    foreign ??= { ...one, message: NO_STATE };
    options.onSkipped?.(one);
  };
  const take = (found: Objects, { file, start }: SourceDocument) => {
    // Of other kinds it only counts that there are objects; the export of a whole cluster is full of them.
    for (const one of found.objects) {
      if (isEvaluated(one)) options.onStored?.(one);
      objects.push(isEvaluated(one) ? one.object : OTHER_KIND);
    }
    if (found.foreign > 0) foreign ??= { file, ...start, message: NO_STATE };
  };
  /** Reads a skipped document only if it decides whether the state is empty. Other tools report mistakes in it. */
  const skip = (skipped: SkippedDocument) => {
    if (objects.length > 0) return;
    const { documents, errors } = skipped.read();
    const found = documents.map((document) => ({ document, ...objectsIn(document) }));
    for (const { document, ...one } of found) take(one, document);
    if (errors.length > 0 || found.some((one) => one.errors.length > 0)) objects.push(OTHER_KIND);
  };
  const read = await forEachDocument(paths, { ...options, onSkipped, onUnevaluated: undefined }, take, skip);
  // A file of another program must not pass for an empty cluster.
  const empty = objects.length === 0 && foreign !== undefined ? [foreign] : [];
  return { ...read, objects, errors: [...read.errors, ...empty] };
}

const OTHER_KIND: JsonObject = { apiVersion: 'v1', kind: 'Other' };
const NO_STATE = 'this state holds no Kubernetes object';

/** Reads the documents. Its errors are first those of files and documents, then those of objects. */
async function forEachDocument(
  paths: readonly string[],
  options: SourcesOptions,
  take: (found: Objects, document: SourceDocument) => void,
  skip: (skipped: SkippedDocument) => void,
): Promise<Pick<Input, 'errors' | 'supporting'>> {
  const unread: SourceError[] = [];
  const wrong: SourceError[] = [];
  const supporting: Supporting[] = [];
  for await (const { documents, errors, skipped, namespace } of readPaths(paths, options)) {
    for (const one of skipped) {
      skip(one);
      if (one.maySupport()) supporting.push({ ...one, namespace });
    }
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document, namespace);
      for (const error of found.errors) wrong.push(error);
      addAll(supporting, found.objects.filter(isSupporting));
      take(found, document);
    }
  }
  return { errors: [...unread, ...wrong], supporting };
}

/** The name of standard input in reports. */
export const STDIN = '<stdin>';

/** Some of the documents of a file or of a rendered folder. */
interface ReadBatch extends DocumentBatch {
  /** The namespace of the Helm release, for objects that name none. */
  readonly namespace?: string | undefined;
}

/**
 * Reads the documents of the paths in order, some at a time, so that not all are in memory. A file reached twice is
 * read once. Errors of unreadable paths come first. Never throws on bad input.
 */
export async function* readPaths(paths: readonly string[], options: SourcesOptions = {}): AsyncGenerator<ReadBatch> {
  const { files, folders, problems, leftOut } = filesUnder(paths, options.bounds);
  const { render, charts = [], nameOf = (path: string) => path } = options;
  const hasLayout = render !== undefined || charts.length > 0 || isLayoutAround(files);
  const tree = hasLayout ? workingTree(paths[0] ?? charts[0]?.path ?? '', folders, options.nameOf) : undefined;
  const plan = tree && planReading(files, folders, tree, charts, render !== undefined);
  const all = plan?.steps ?? files.map((file): ReadStep => ({ as: 'manifests', file }));
  const steps = options.onUnevaluated ? all : all.filter(({ as }) => as !== 'rendered');
  const errors = problems.map((one) => ({ ...one, file: nameOf(one.file) }));
  yield { documents: [], errors: [...errors, ...(plan?.errors ?? [])], skipped: [] };
  for (const one of leftOut) options.onNotWalked?.({ ...one, file: nameOf(one.file) });
  for (const folder of plan?.unrendered ?? []) options.onUnrendered?.(folder);
  if (plan && options.onUnevaluated) reportUnwalked(plan, files, options.onUnevaluated);
  yield* readSteps(steps, options);
}

/** Up to so many files, nothing is gained by reading ahead. */
const FEW_FILES = 8;

/** Reads files and renders folders, one after the other. */
async function* readSteps(steps: readonly ReadStep[], options: SourcesOptions): AsyncGenerator<ReadBatch> {
  const { render, nameOf = (path: string) => path } = options;
  const rendered = steps.map((step) => (step.as === 'rendering' ? render?.(step.folder) : undefined));
  // All renderings run from now on, and each is awaited in its turn. Until then, an error must not be unhandled.
  for (const one of rendered) one?.catch(() => {});
  const renderedObjects = rendered.some(Boolean) ? createRenderedObjects() : undefined;
  const toRead = steps.flatMap((step) => (step.as === 'rendering' ? [] : step.file));
  const reader = toRead.length > FEW_FILES ? new FileReader(toRead) : undefined;
  for (const [index, step] of steps.entries()) {
    const source = step.as === 'rendering' ? step.folder.name : step.file === '-' ? STDIN : nameOf(step.file);
    const report = (share: number) => options.onReadProgress?.({ source, file: index + 1, files: steps.length, share });
    const batches = (text: string) => readManifests(text, source, options.onReadProgress && report);
    report(0);
    if (step.as === 'rendering') {
      const read = await rendered[index];
      // Freed: the texts of all folders may take much memory.
      rendered[index] = undefined;
      if (read !== undefined && 'message' in read) yield { documents: [], errors: [read], skipped: [] };
      else if (read !== undefined)
        for (const batch of batches(read.text)) {
          renderedObjects?.add(batch.documents);
          yield { ...batch, namespace: step.folder.release?.namespace };
        }
      continue;
    }
    const read = await readSource(step.file, source, reader, options);
    if (step.as !== 'rendered') yield* documentsOf({ step, source, read, batches }, options);
    else if ('message' in read) reportUnevaluated(read, source, step.part, options.onUnevaluated);
    else {
      const missing = renderedObjects?.missingIn(read.text, source, step.isChanged);
      if (missing) reportMissing({ file: source, ...missing, message: step.part }, options);
    }
  }
}

/** A file that is read as it is, not by a rendering. */
interface ReadFile {
  readonly step: Exclude<ReadStep, { as: 'rendering' | 'rendered' }>;
  readonly source: string;
  readonly read: TextRead;
  readonly batches: (text: string) => Iterable<DocumentBatch>;
}

/** Returns the documents of a file, and reports what is skipped. */
function* documentsOf({ step, source, read, batches }: ReadFile, options: SourcesOptions): Generator<ReadBatch> {
  const leaveOut = (part: string, left: TextRead) => {
    options.onSkipped?.(errorAbout(source, part));
    reportUnevaluated(left, source, part, options.onUnevaluated);
  };
  if (step.as === 'part') return leaveOut(step.part, read);
  // A rendered file is not skipped: its objects are evaluated as the rendering has them.
  if (step.as === 'description' && !step.isRendered) {
    // It takes a parse to find the end of the description, and only this callback needs it.
    const isReported = options.onUnevaluated !== undefined && 'text' in read;
    leaveOut(step.part, isReported ? { text: descriptionIn(read.text, source) } : read);
  }
  if ('message' in read) yield { documents: [], errors: [read], skipped: [] };
  else if (step.as === 'description') yield* withoutDescription(batches(read.text));
  else if (step.mayBeTemplate && read.text.includes('{{')) leaveOut('it is a template in a Helm chart', read);
  else {
    options.onFileRead?.(step.file);
    yield* batches(read.text);
  }
}

/**
 * Returns whether a folder around one of the files may describe a chart or a kustomization, up to the root. Most runs
 * have none, and need no plan.
 */
function isLayoutAround(files: readonly string[]): boolean {
  const described = upwardSearch((folder) => DESCRIPTION_NAMES.some((name) => isThere(join(folder, name))));
  const folders = new Set(files.flatMap((file) => (file === '-' ? [] : dirname(file))));
  return [...folders].some((folder) => described(realPathOf(resolve(folder))) !== undefined);
}

/** Reports a file whose objects its rendering lacks. */
function reportMissing({ file, line, column, message }: SourceError, { onSkipped, onUnevaluated }: SourcesOptions) {
  const missing = { file, line, column, message: `${message}, and the rendering lacks such an object` };
  onSkipped?.(missing);
  onUnevaluated?.(missing);
}

const EMPTY_INPUT = 'standard input is empty: did the program before it fail?';

async function readSource(file: string, source: string, reader: FileReader | undefined, { stdin }: SourcesOptions) {
  if (file === '-' && stdin === undefined)
    return errorAbout('-', 'standard input can be named once only, and not here');
  try {
    if (file !== '-' || stdin === undefined) return decode(await (reader?.read(file) ?? readBytes(file)), source);
    const read = decode(await stdin(), source);
    return 'text' in read && read.text.trim() === '' ? errorAbout(source, EMPTY_INPUT) : read;
  } catch (error) {
    return unreadable(source, error);
  }
}
