/**
 * Reads manifests, YAML and JSON, as kubectl does, and locates each value in its file. A document whose text can't hold
 * an object that muster reads is never parsed: that is 20 times faster than parsing all documents, and mistakes in them
 * are reported by other tools.
 */
import { dialects, mistakenGroups } from '../api/dialects.ts';
import { supportingKinds } from '../api/supporting-kinds.ts';
import { readJson } from './json/read-json.ts';
import {
  type Chunk,
  type DocumentProblem,
  documentOf,
  NO_COMMENT,
  type Parsed,
  ParseError,
  type Position,
  type SourceDocument,
  type SourceError,
  SourceText,
  splitChunks,
} from './source.ts';
import { readYaml } from './yaml/read-yaml.ts';

export {
  LINE_BREAK,
  type LineReader,
  type Location,
  linesWithin,
  type Position,
  type SourceDocument,
  type SourceError,
} from './source.ts';

interface DocumentsRead {
  readonly documents: readonly SourceDocument[];
  readonly errors: readonly SourceError[];
}

/**
 * Reads all documents of a text as kubectl does: split at lines of `---`, JSON values also one after another, YAML 1.1
 * as sigs.k8s.io/yaml reads it. Integers beyond 2^53 become the nearest number of JavaScript. Empty documents are
 * dropped. A broken document is one error, and the others are still read. docs/check.md lists what is stricter than
 * kubectl.
 *
 * Never throws. `text` is decoded: the caller refuses bytes that are not UTF-8.
 */
export function readDocuments(text: string, name: string): DocumentsRead {
  const file = new SourceText(name, text);
  const batches = [...splitChunks(file.text)].map((chunk) => readBatch(file, chunk));
  return { documents: batches.flatMap((batch) => batch.documents), errors: batches.flatMap((batch) => batch.errors) };
}

/** A document that was not parsed, since it can't hold an object that muster evaluates. */
export interface SkippedDocument {
  /** The name of the file, or `<stdin>`. */
  readonly file: string;
  /** Returns where the content begins, after comments. */
  readonly start: () => Position;
  /** Returns whether it may hold an object that rules read to evaluate others, such as a Service. */
  readonly maySupport: () => boolean;
  /** Parses the document after all. */
  readonly read: () => DocumentsRead;
}

export interface DocumentBatch extends DocumentsRead {
  readonly skipped: readonly SkippedDocument[];
}

/**
 * Reads the documents of a manifest one chunk at a time, so that a large text need not be kept. Documents whose text
 * can't name an object that muster reads are skipped.
 *
 * @param onProgress called before each batch with the part of the text that is read, from 0 to 1
 */
export function* readManifests(
  text: string,
  name: string,
  onProgress?: ((share: number) => void) | undefined,
): Generator<DocumentBatch> {
  const file = new SourceText(name, text);
  const couldBeOurs = couldNameOurs(file.text);
  for (const chunk of splitChunks(file.text)) {
    if ('from' in chunk) onProgress?.(chunk.from / file.text.length);
    if (couldBeOurs && (!('from' in chunk) || couldNameOurs(file.text.slice(chunk.from, chunk.to))))
      yield { ...readBatch(file, chunk), skipped: [] };
    else if ('from' in chunk && hasContent(file.text, chunk))
      yield { documents: [], errors: [], skipped: [skippedDocument(file, chunk)] };
  }
}

function skippedDocument(file: SourceText, chunk: Chunk): SkippedDocument {
  return {
    file: file.name,
    start: () => file.position(contentOf(file.text, chunk)),
    maySupport: () => couldNameSupporting(file.text.slice(chunk.from, chunk.to)),
    read: () => readBatch(file, chunk),
  };
}

/** The beginning of the first line that is neither empty nor a comment. */
const CONTENT = /^[ \t]*(?=[^ \t\r\n#])/gm;
const EMPTY = /^(?:null|~)?\s*$/;

function contentOf(text: string, { from, to }: Chunk): number {
  CONTENT.lastIndex = from;
  return CONTENT.test(text) ? Math.min(CONTENT.lastIndex, to) : to;
}

/** Returns whether a chunk holds more than comments. */
function hasContent(text: string, chunk: Chunk): boolean {
  const start = contentOf(text, chunk);
  return chunk.to - start > 8 || !EMPTY.test(text.slice(start, chunk.to));
}

function readBatch(file: SourceText, chunk: Chunk | DocumentProblem): DocumentsRead {
  const { parsed, problems } = 'from' in chunk ? readChunk(file, chunk) : { parsed: [], problems: [chunk] };
  const documents = parsed.filter(({ value }) => value !== null).map((one) => documentOf(file, one));
  const errors = problems.map(({ offset, message }) => ({ file: file.name, ...file.position(offset), message }));
  return { documents, errors };
}

interface ChunkRead {
  readonly parsed: readonly Parsed[];
  readonly problems: readonly DocumentProblem[];
}

const LOOKS_LIKE_JSON = /[ \t\n\r]*[{[]/y;
const IS_JSON = /[ \t\n\r]*(?:\{\s*"|\[\s*[{"[])/y;
const IS_OBJECT = /[ \t\n\r]*\{/y;
/** What comes before a comment as JavaScript has it, with which some programs begin a file of JSON. */
const BEFORE_COMMENT = /[ \t\n\r]*(?:[{[][ \t\n\r]*)?(?=\/[/*])/y;

function readChunk(file: SourceText, chunk: Chunk): ChunkRead {
  const read = readJsonOrYaml(file, chunk);
  if (read.problems.length === 0 || !matchesAt(BEFORE_COMMENT, file.text, chunk.from)) return read;
  return { parsed: [], problems: [{ offset: BEFORE_COMMENT.lastIndex, message: NO_COMMENT }] };
}

/**
 * Reads text that begins like JSON as JSON and, if that fails, as YAML, whose flow style begins the same way.
 */
function readJsonOrYaml(file: SourceText, chunk: Chunk): ChunkRead {
  const lineOf = (offset: number) => file.position(offset).line;
  const yaml = () => collect(chunk.from, readYaml(file.text, chunk, lineOf));
  if (!matchesAt(LOOKS_LIKE_JSON, file.text, chunk.from)) return yaml();
  // kubectl reads a file as JSON only if it begins with a brace, and up to the first separator.
  const isYaml = chunk.from > 0 || !matchesAt(IS_OBJECT, file.text, 0);
  const json = collect(chunk.from, readJson(file.text, chunk, isYaml));
  if (json.problems.length === 0 || json.isFinal) return json;
  const read = yaml();
  const isJson = json.parsed.length > 0 || matchesAt(IS_JSON, file.text, chunk.from);
  return read.problems.length > 0 && isJson ? json : read;
}

/**
 * Collects the documents that a reader yields until it throws a ParseError. Any other error is a bug, in muster or in
 * the package `yaml`, and becomes a problem of the document.
 */
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

export const REVIEW_GROUP = 'admission.k8s.io';

/** How a pointer of Git LFS begins: it stands for a file that is stored elsewhere. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/**
 * Each object that muster evaluates has one of these names: its group, or its kind if the group is empty (`v1`). An
 * object of a mistaken group is read for the warning.
 */
const NAMES: readonly string[] = [
  ...new Set([REVIEW_GROUP, ...dialects.map(({ group, kind }) => group || kind), ...mistakenGroups.keys()]),
];

/** Returns whether a text has the name of a group or kind of muster, or anything that kubectl could read as one. */
export function couldNameOurs(text: string): boolean {
  if (NAMES.some((name) => text.includes(name)) || text.startsWith(LFS_POINTER)) return true;
  // UTF-16 without a byte order mark: kubectl refuses it, and an unreadable file must not pass for an empty one.
  if (text.includes('\0')) return couldNameOurs(text.replaceAll('\0', ''));
  return (
    (text.includes('\\') && ESCAPED.test(text)) || (text.includes('!') && TAGGED.test(text)) || DIRECTIVE.test(text)
  );
}

/** Returns whether a text has the name of a supporting kind. */
function couldNameSupporting(text: string): boolean {
  return supportingKinds.some(({ kind }) => text.includes(kind)) && SUPPORTING_KIND.test(text);
}

const SUPPORTING_KIND = new RegExp(String.raw`\b(?:${supportingKinds.map(({ kind }) => kind).join('|')})(?:List)?\b`);

/** The code of a letter, a digit, `-`, or `.` in hexadecimal digits. */
const NAME_CODE = '(?:2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a])';

/**
 * In double quotes: an escaped character of a name, or a name that continues on the next line after a backslash. All
 * other escapes stand for characters that no name has. (U+0085, U+2028 and U+2029 end a line in YAML 1.1.)
 */
const ESCAPED = new RegExp(String.raw`\\(?:x|u00|U000000)${NAME_CODE}|[\w.-]\\[\n\r\x85\u2028\u2029]`, 'i');

/** The tag of text in Base64, as the short form, in angle brackets, or with percent-encoded characters. */
const TAGGED = /!!binary|!<|![\w\-;/?:@&=+$,.~*'()[\]]*%[0-9a-f]{2}/i;

/** A directive that gives tags another meaning. */
const DIRECTIVE = /%TAG/;
