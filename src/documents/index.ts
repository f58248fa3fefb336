/** Reads manifests, YAML and JSON, as kubectl does, and locates each value in its file. */
import { readJson } from './json/read.ts';
import {
  documentOf,
  type Parsed,
  ParseError,
  type Problem,
  type SourceDocument,
  type SourceError,
  SourceText,
} from './source.ts';
import { type Chunk, splitChunks } from './split.ts';
import { type Outline, outlineOf } from './yaml/outline.ts';
import { readYaml } from './yaml/read.ts';

export type { Location, Position, SourceDocument, SourceError } from './source.ts';

export interface DocumentsRead {
  readonly documents: readonly SourceDocument[];
  readonly errors: readonly SourceError[];
}

/**
 * Reads all documents of a text as kubectl does: split at lines of `---`, JSON values also one after another, YAML 1.1 as
 * sigs.k8s.io/yaml reads it. Integers beyond 2^53 become the nearest number of JavaScript. Empty documents are dropped. A
 * broken document is one error, and the others are still read. docs/check.md lists what is stricter than kubectl.
 *
 * Never throws. `text` is decoded: the caller refuses bytes that are not UTF-8.
 */
export function readDocuments(text: string, source: string): DocumentsRead {
  const batches = [...readInBatches(text, source)];
  return { documents: batches.flatMap((batch) => batch.documents), errors: batches.flatMap((batch) => batch.errors) };
}

export interface BatchOptions {
  /** Called before each batch with the part of the text that is read, from 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /**
   * Whether `apiVersion` and `kind` are enough of a document with this `apiVersion`. Then its value may have only these
   * two; errors and locations are the same.
   */
  readonly isTypeEnough?: ((apiVersion: string) => boolean) | undefined;
}

/** Reads the documents between two separators at a time, so that a large text need not be kept. */
export function* readInBatches(text: string, source: string, options: BatchOptions = {}): Generator<DocumentsRead> {
  const { onProgress, isTypeEnough } = options;
  const file = new SourceText(source, text);
  for (const chunk of splitChunks(file.text)) {
    if ('from' in chunk) onProgress?.(chunk.from / file.text.length);
    const { parsed, problems } =
      'from' in chunk ? readChunk(file, chunk, isTypeEnough) : { parsed: [], problems: [chunk] };
    const documents = parsed.filter(({ value }) => value !== null).map((one) => documentOf(file, one));
    const errors = problems.map(({ offset, message }) => ({ source, ...file.position(offset), message }));
    yield { documents, errors };
  }
}

interface ChunkRead {
  readonly parsed: readonly Parsed[];
  readonly problems: readonly Problem[];
}

const LOOKS_LIKE_JSON = /[ \t\n]*[{[]/y;
const IS_JSON = /[ \t\n]*(?:\{\s*"|\[\s*[{"[])/y;

/**
 * Reads text that begins like JSON as JSON and, if that fails, as YAML, whose flow style begins the same way. After two values
 * the text is JSON, for kubectl too.
 */
function readChunk(file: SourceText, chunk: Chunk, isTypeEnough: BatchOptions['isTypeEnough']): ChunkRead {
  const lineOf = (offset: number) => file.position(offset).line;
  const yaml = () => collect(chunk.from, readYaml(file.text, chunk, lineOf));
  if (!matchesAt(LOOKS_LIKE_JSON, file.text, chunk.from)) {
    const outline = isTypeEnough && outlineOf(file.text, chunk, isTypeEnough);
    return outline ? { parsed: [parsedOf(outline, yaml)], problems: [] } : yaml();
  }
  const json = collect(chunk.from, readJson(file.text, chunk));
  if (json.problems.length === 0 || json.isFinal || json.parsed.length > 1) return json;
  const read = yaml();
  const isJson = json.parsed.length > 0 || matchesAt(IS_JSON, file.text, chunk.from);
  return read.problems.length > 0 && isJson ? json : read;
}

/** A document of which only the type was read; it is read in full if something in it is to be located. */
function parsedOf({ type, start }: Outline, read: () => ChunkRead): Parsed {
  return { value: type, start, locate: (path) => read().parsed[0]?.locate(path) ?? { start } };
}

/** Collects what a reader yields until it throws. Other errors are bugs, here or in the package `yaml`, and end no run. */
function collect(start: number, reader: Iterable<Parsed>): ChunkRead & { readonly isFinal: boolean } {
  const parsed: Parsed[] = [];
  try {
    for (const one of reader) parsed.push(one);
    return { parsed, problems: [], isFinal: false };
  } catch (error) {
    const isExpected = error instanceof ParseError;
    const bug = `muster failed to read this document (a bug, please report it): ${error}`;
    const problem = isExpected ? error : new ParseError(start, bug);
    return { parsed, problems: [{ offset: problem.offset, message: problem.message }], isFinal: problem.isFinal };
  }
}

function matchesAt(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
