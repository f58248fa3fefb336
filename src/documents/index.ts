/** Reads manifests, YAML and JSON, as kubectl does, and knows where in the file each value stands. */
import type { Json, Path } from '../rules/rule.ts';
import { type Chunk, splitChunks } from './chunks.ts';
import { spanAt } from './json-locate.ts';
import { JsonReader } from './json-reader.ts';
import { onDemand } from './on-demand.ts';
import { type Place, type Position, Refusal, type SourceError, SourceText, type Span } from './source-text.ts';
import { readYaml } from './yaml-reader.ts';

export type { Place, Position, SourceError } from './source-text.ts';

export interface SourceDocument {
  /** The file's name as given, or `<stdin>`. */
  readonly source: string;
  /** Plain JSON data. What aliases stand for is shared, not copied. */
  readonly value: Json;
  /** Where its content begins, behind comments. */
  readonly start: Position;
  /** The text of the whole file, line breaks as `\n`. */
  readonly text: () => string;
  /** One line of the file. Holds on to the text alone, not to the document. */
  readonly sourceLine: (line: number) => string;
  /**
   * Where the value at a path stands, also behind aliases and merge keys. Where it is missing: the key of what should
   * hold it, or, in a list or at the root, the beginning of that. A value without text (`key:`) stands at its key.
   */
  locate(path: Path): Place;
}

/** A document by offsets of the file. */
interface Found {
  readonly value: Json;
  readonly start: number;
  readonly locate: (path: Path) => Span;
}

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
 * @param reading told, now and then, how much of the text is read, from 0 to 1
 */
export function readDocuments(
  text: string,
  source: string,
  reading?: (share: number) => void,
): { documents: SourceDocument[]; errors: SourceError[] } {
  const file = new SourceText(source, text);
  const { chunks, refusals } = splitChunks(file.text);
  const found: Found[] = [];
  for (const chunk of chunks) {
    reading?.(chunk.from / file.text.length);
    readChunk(file, chunk, found, refusals);
  }
  refusals.sort((a, b) => a.offset - b.offset);
  return {
    documents: found.filter((one) => one.value !== null).map((one) => new LocatedDocument(file, one)),
    errors: refusals.map((refusal) => file.error(refusal.offset, refusal.message)),
  };
}

class LocatedDocument implements SourceDocument {
  readonly source: string;
  readonly value: Json;
  readonly sourceLine: (line: number) => string;
  readonly #file: SourceText;
  readonly #found: Found;

  constructor(file: SourceText, found: Found) {
    this.source = file.name;
    this.value = found.value;
    this.sourceLine = (line) => file.line(line);
    this.#file = file;
    this.#found = found;
  }

  get start(): Position {
    return this.#file.position(this.#found.start);
  }

  readonly text = (): string => this.#file.text;

  locate(path: Path): Place {
    return this.#file.place(this.#found.locate(path));
  }
}

const NOT_JSON = new Refusal(0, 'JSON expected');
const LOOKS_LIKE_JSON = /[ \t\n]*[{[]/y;
const SURELY_JSON = /[ \t\n]*(?:\{\s*"|\[\s*[{"[])/y;

/**
 * Text that begins as JSON is read as JSON; where that fails, as YAML, of which flow style begins the same way. After two
 * values the text is surely JSON, to kubectl too.
 */
function readChunk(file: SourceText, chunk: Chunk, found: Found[], refusals: Refusal[]): void {
  const values: Found[] = [];
  const problem = matchesAt(LOOKS_LIKE_JSON, file.text, chunk.from) ? readJsonValues(file, chunk, values) : NOT_JSON;
  if (!problem) {
    append(found, values);
    return;
  }
  const asYaml: { found: Found[]; refusals: Refusal[] } = { found: [], refusals: [] };
  const final = problem.final || values.length > 1;
  if (!final) readYamlChunk(file, chunk, asYaml.found, asYaml.refusals);
  const wasJson = values.length > 0 || matchesAt(SURELY_JSON, file.text, chunk.from);
  const isJson = final || (asYaml.refusals.length > 0 && wasJson);
  append(found, isJson ? values : asYaml.found);
  append(refusals, isJson ? [problem] : asYaml.refusals);
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
  const noting = { text, from, to, lineOf: () => 1, notes: true };
  const root = onDemand(to - from, () => new JsonReader(noting).read().place);
  return (path) => spanAt(text, root(), path);
}

function readYamlChunk(file: SourceText, chunk: Chunk, found: Found[], refusals: Refusal[]): void {
  const text = file.text.slice(chunk.from, chunk.to);
  const refusal = refusalOf(0, () => {
    const { document, rest } = readYaml(text, (offset) => file.position(chunk.from + offset).line);
    const { value, start, locate } = document;
    found.push({ value, start: chunk.from + start, locate: (path) => shifted(locate(path), chunk.from) });
    if (rest) throw rest;
  });
  if (refusal) refusals.push(new Refusal(chunk.from + refusal.offset, refusal.message));
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
