/** Reads manifests, YAML and JSON, as kubectl does, and knows where in the file each value stands. */
import type { Path } from '../rules/rule.ts';
import { type Chunk, splitChunks } from './chunks.ts';
import { type Place as JsonPlace, spanAt } from './json-locate.ts';
import { JsonReader } from './json-reader.ts';
import { onDemand } from './on-demand.ts';
import { type Found, LocatedDocument, type SourceDocument } from './source-document.ts';
import { type Complaint, Refusal, type SourceError, SourceText, type Span } from './source-text.ts';
import { readYaml } from './yaml-reader.ts';

export type { SourceDocument } from './source-document.ts';
export type { Place, Position, SourceError } from './source-text.ts';

/**
 * Reads all documents of a text, YAML or JSON, as kubectl reads them: split at lines of `---`, JSON values also one after
 * another; YAML 1.1 as sigs.k8s.io/yaml has it. Integers beyond 2^53 become the nearest number JavaScript has. Empty
 * documents are dropped. A broken document gives one error, and the others are still read.
 *
 * Stricter than kubectl: duplicate keys, content after `...`, more than 200 levels, and the invisible line breaks of
 * YAML 1.1 are errors; and so is what YAML 1.2 forbids and the Go library lets pass (test/documents/corpus lists it).
 *
 * A document larger than 16 MiB of YAML, or 64 MiB of JSON, is an error: it would take gigabytes.
 *
 * Never throws. `text` is decoded text: whoever reads the file should refuse bytes that are not UTF-8.
 */
export function readDocuments(text: string, source: string): DocumentsRead {
  const documents: SourceDocument[] = [];
  const errors: SourceError[] = [];
  for (const batch of readInBatches(text, source)) {
    append(documents, batch.documents);
    append(errors, batch.errors);
  }
  return { documents, errors };
}

export interface DocumentsRead {
  readonly documents: readonly SourceDocument[];
  readonly errors: readonly SourceError[];
}

/** Documents of a batch, at most, where they are YAML. JSON values that follow one another are one batch. */
const BATCH = 1000;

/**
 * The same, some documents at a time: of a large text nothing need be kept. Errors come last, in the order of the text.
 * @param reading told with every document how much of the text is read, from 0 to 1
 */
export function* readInBatches(
  text: string,
  source: string,
  reading?: (share: number) => void,
): Generator<DocumentsRead> {
  const file = new SourceText(source, text);
  const { chunks, refusals } = splitChunks(file.text);
  let found: Found[] = [];
  for (const chunk of chunks) {
    reading?.(chunk.from / file.text.length);
    readChunk(file, chunk, found, refusals);
    if (found.length < BATCH) continue;
    yield { documents: documentsOf(file, found), errors: [] };
    found = [];
  }
  refusals.sort((a, b) => a.offset - b.offset);
  const errors = refusals.map((refusal) => file.error(refusal.offset, refusal.message));
  yield { documents: documentsOf(file, found), errors };
}

function documentsOf(file: SourceText, found: readonly Found[]): SourceDocument[] {
  return found.filter((one) => one.value !== null).map((one) => new LocatedDocument(file, one));
}

const NOT_JSON = new Refusal(0, 'JSON expected');
const LOOKS_LIKE_JSON = /[ \t\n]*[{[]/y;
const SURELY_JSON = /[ \t\n]*(?:\{\s*"|\[\s*[{"[])/y;

/**
 * Text that begins as JSON is read as JSON; where that fails, as YAML, of which flow style begins the same way. After two
 * values the text is surely JSON, to kubectl too.
 */
function readChunk(file: SourceText, chunk: Chunk, found: Found[], refusals: Complaint[]): void {
  const values: Found[] = [];
  const problem = matchesAt(LOOKS_LIKE_JSON, file.text, chunk.from) ? readJsonValues(file, chunk, values) : NOT_JSON;
  if (!problem) {
    append(found, values);
    return;
  }
  const asYaml: { found: Found[]; refusals: Complaint[] } = { found: [], refusals: [] };
  const final = problem.final || values.length > 1;
  if (!final) readYamlChunk(file, chunk, asYaml.found, asYaml.refusals);
  const wasJson = values.length > 0 || matchesAt(SURELY_JSON, file.text, chunk.from);
  const isJson = final || (asYaml.refusals.length > 0 && wasJson);
  append(found, isJson ? values : asYaml.found);
  append(refusals, isJson ? [{ offset: problem.offset, message: problem.message }] : asYaml.refusals);
}

/** Not by spreading: a file may hold more values than a call takes arguments. */
function append<T>(to: T[], more: readonly T[]): void {
  for (const one of more) to.push(one);
}

/** Reads JSON values up to the end or to the first that is broken, which it returns. */
function readJsonValues(file: SourceText, { from, to }: Chunk, found: Found[]): Refusal | undefined {
  const lineOf = (offset: number) => file.position(offset).line;
  const reader = new JsonReader({ text: file.text, from, to, lineOf, notes: false });
  return refusalOf(from, () => {
    while (!reader.atEnd()) {
      const { value, place } = reader.read();
      found.push({ value, start: place.at, locate: jsonLocator(file.text, { from: place.at, to: reader.offset }) });
    }
  });
}

/** Finds places in a JSON text that was read without a refusal; reads it again for that. */
function jsonLocator(text: string, { from, to }: Chunk): (path: Path) => Span {
  let root: (() => JsonPlace) | undefined;
  return (path) => {
    const noting = { text, from, to, lineOf: () => 1, notes: true };
    root ??= onDemand(to - from, () => new JsonReader(noting).read().place);
    return spanAt(text, root(), path);
  };
}

function readYamlChunk(file: SourceText, chunk: Chunk, found: Found[], refusals: Complaint[]): void {
  const text = file.text.slice(chunk.from, chunk.to);
  const refusal = refusalOf(0, () => {
    const { document, rest } = readYaml(text, (offset) => file.position(chunk.from + offset).line);
    const { value, start, locate } = document;
    found.push({ value, start: chunk.from + start, locate: (path) => shifted(locate(path), chunk.from) });
    if (rest) throw rest;
  });
  if (refusal) refusals.push({ offset: chunk.from + refusal.offset, message: refusal.message });
}

function shifted({ at, end }: Span, by: number): Span {
  return { at: at + by, end: end === undefined ? undefined : end + by };
}

/** Why a reading failed. What is thrown besides refusals is a bug, here or in the package `yaml`; it must not stop a run. */
function refusalOf(start: number, read: () => void): Refusal | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    return new Refusal(start, `muster failed to read this document (a bug, please report it): ${error}`);
  }
}

function matchesAt(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
