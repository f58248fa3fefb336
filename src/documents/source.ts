/**
 * The text of a file, with lines and columns, and the documents in it: where each begins and ends, the limits of their
 * size, and what YAML and JSON documents have in common.
 */
import { LineCounter } from 'yaml';
import { type Json, MAX_DEPTH, type Path } from '../base/json.ts';

/** A position in a text. Both count from 1; a column is one UTF-16 code unit, as editors and SARIF count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The begin of a part of a text; with its end (exclusive) if the part is a single value or key. */
export interface Location extends Position {
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}

/** A part of a text, by offsets; without an end, a single position. */
export interface Span {
  readonly start: number;
  readonly end?: number | undefined;
}

/** A problem in a text, with its position. */
export interface SourceError extends Position {
  /** The name of the file, or `<stdin>`. */
  readonly file: string;
  readonly message: string;
}

/** Ends the parsing of a document. Thrown and caught within this folder. */
export class ParseError extends Error {
  readonly offset: number;
  /** Whether there is no point in reading the text as another format. */
  readonly isFinal: boolean;

  constructor(offset: number, message: string, isFinal = false) {
    super(message);
    this.offset = offset;
    this.isFinal = isFinal;
  }
}

/** Returns a line of a file, or its part between two columns: a whole file can be one line. */
export type LineReader = (line: number, from?: number, to?: number) => string;

/** What ends a line in the text of a file as it was read, so that numbers of lines agree with those of `SourceText`. */
export const LINE_BREAK = /\r\n|[\n\r]/;

/** The text of one file. Lines are indexed when a position is first needed. */
export class SourceText {
  readonly name: string;
  /**
   * Without a leading byte order mark, and with `\n` for `\r\n`. Neither changes a line or a column. A lone `\r` ends a
   * line too, but kubectl finds no separator after it.
   */
  readonly text: string;
  #lines: LineCounter | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    const unmarked = text.replace(/^\ufeff/, '');
    this.text = unmarked.includes('\r') ? unmarked.replaceAll('\r\n', '\n') : unmarked;
  }

  /** Returns one line without its break, or an empty text for a line that does not exist. */
  readonly line: LineReader = (number, from = 1, to = Number.POSITIVE_INFINITY) => {
    const { lineStarts } = this.#counted();
    const start = lineStarts[number - 1] ?? this.text.length;
    const end = (lineStarts[number] ?? this.text.length + 1) - 1;
    return this.text.slice(start + from - 1, Math.max(start, Math.min(end, start + to - 1)));
  };

  /** Returns line and column of an offset. An offset beyond the end counts as the end. */
  position(offset: number): Position {
    const { line, col } = this.#counted().linePos(Math.min(offset, this.text.length));
    return { line, column: col };
  }

  /** Returns the lines and columns of a span. */
  location({ start, end }: Span): Location {
    const begin = this.position(start);
    if (end === undefined || end <= start) return begin;
    const { line: endLine, column: endColumn } = this.position(end);
    return { ...begin, endLine, endColumn };
  }

  #counted(): LineCounter {
    if (this.#lines) return this.#lines;
    const lines = new LineCounter();
    lines.addNewLine(0);
    const lineBreak = this.text.includes('\r') ? /[\n\r]/g : /\n/g;
    while (lineBreak.test(this.text)) lines.addNewLine(lineBreak.lastIndex);
    this.#lines = lines;
    return lines;
  }
}

/** A parsed document, with offsets in the file. */
export interface Parsed {
  readonly value: Json;
  readonly start: number;
  /** The offset after the document; set if another may follow on the same line. */
  readonly end?: number | undefined;
  /** Returns where the value at a path is. */
  readonly locate: (path: Path) => Span;
}

/** A document of a file: its value, and where each part of it is. */
export interface SourceDocument {
  /** The name of the file, or `<stdin>`. */
  readonly file: string;
  /** Plain JSON data. Values of aliases are shared, not copied. */
  readonly value: Json;
  /** Where the content begins, after comments. */
  readonly start: Position;
  /** Returns a line of the file, without the parts that belong to other documents. */
  readonly sourceLine: LineReader;
  /**
   * Returns the location of the value at a path, also through aliases and merge keys. For a missing value: the key of
   * the nearest parent, or the beginning of a parent without a key. A value without text (`key:`) is at its key.
   */
  readonly locate: (path: Path) => Location;
}

/** A parse error without a stack, since a broken file can have many. */
export type DocumentProblem = Pick<ParseError, 'offset' | 'message'>;

/** Converts the offsets of a document to lines and columns. */
export function documentOf(text: SourceText, { value, start, end, locate }: Parsed): SourceDocument {
  const begin = text.position(start);
  return {
    file: text.name,
    value,
    start: begin,
    sourceLine: end === undefined ? text.line : linesWithin(text.line, begin, () => text.position(end)),
    locate: (path) => text.location(locate(path)),
  };
}

/**
 * Returns the lines of a part of a file. Text of other objects on its first and last line may be secret, so it becomes
 * spaces, or is cut off. Lines outside of the part are empty.
 * @param end the first position after the part; undefined at the end of the file
 */
export function linesWithin(lineOf: LineReader, start: Position, end: () => Position | undefined): LineReader {
  return (line, from = 1, to = Number.POSITIVE_INFINITY) => {
    const last = end();
    if (line < start.line || (last !== undefined && line > last.line)) return '';
    const text = lineOf(line, from, last?.line === line ? Math.min(to, last.column) : to);
    const before = line === start.line ? text.slice(0, Math.max(0, start.column - from)) : '';
    // Text without a word, such as the dash of a list, belongs to no other object.
    return /\w/.test(before) ? text.slice(before.length).padStart(text.length) : text;
  };
}

export const TOO_DEEP = `more than ${MAX_DEPTH} levels of nesting: no Kubernetes object is that deep`;

/**
 * The most characters of a document: enough for a list of all objects in a large cluster. While it is read, YAML takes
 * about eighty times as much memory, JSON five times.
 */
export const MAX_LENGTH = { YAML: 16 * 2 ** 20, JSON: 64 * 2 ** 20 };

/** From this length on, in characters, a document keeps what locates its values: reading again would take too long. */
const KEEP_LENGTH = 16_384;
let forgetLast = () => {};

/**
 * Returns a function that reads a document again, for what locates its values, which takes several times the memory of
 * the values. A large document keeps it. A small one keeps it until another is read again: a file with many mistakes
 * asks for as many locations.
 * @param length of the document, in characters
 */
export function readAgain<T>(length: number, read: () => T): () => T {
  let kept: T | undefined;
  return () => {
    if (kept !== undefined) return kept;
    const found = read();
    kept = found;
    if (length >= KEEP_LENGTH) return found;
    forgetLast();
    forgetLast = () => {
      kept = undefined;
    };
    return found;
  };
}

/**
 * Refuses control characters, the invisible line breaks of YAML 1.1, at which kubectl would break lines, and byte order
 * marks: after one, kubectl's library can leave out the first character of a line.
 *
 * @throws ParseError
 */
export function refuseCharacters(text: string): void {
  const found = SUSPECT.test(text) ? FORBIDDEN.exec(text) : null;
  if (found) throw invisibleCharacter(found.index, found[0]);
}

/** Returns the error for a character that a document may not have. */
export function invisibleCharacter(offset: number, character: string): ParseError {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const fix = `remove it, or write "\\u${code}" in quotes`;
  return new ParseError(offset, `the invisible character U+${code} is not allowed: ${fix}`);
}

/** A first test, several times faster without the flag `u`. It also finds surrogate pairs, which are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const FORBIDDEN = /(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Returns the message for a document that is too large. */
export function tooLarge(format: keyof typeof MAX_LENGTH): string {
  const limit = `a document may have ${MAX_LENGTH[format] / 2 ** 20} MiB`;
  const fix =
    format === 'YAML' ? 'separate its objects by lines of ---, or give it as JSON' : 'give its objects one by one';
  return `${limit} as ${format}: ${fix}`;
}

/** Returns the message for a key that occurs twice in a mapping. */
export function duplicateKey(key: string, firstLine?: number): string {
  const first = firstLine === undefined ? '' : ` it is already on line ${firstLine};`;
  return `duplicate key "${key}":${first} keep one of the two`;
}

export const NO_COMMENT = 'neither JSON nor YAML has comments that begin with // or /*: remove this one';

/** Sets a member as an own property, `__proto__` too. */
export function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A part of the file between two separators, by offsets. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

const SEPARATOR = '---';
const BAD_SEPARATOR =
  'a line that begins with --- separates documents, and only a comment may follow on it: put the content on the ' +
  'next line';
/** Ends a comment in YAML 1.1, but no line for the splitter: kubectl can read the text that follows as content. */
const BREAK = /[\r\x85\u2028\u2029]/;

/**
 * Yields the chunks of a text, and a problem for each separator that kubectl refuses. A separator is a line that begins
 * with `---`; only white space and a comment may follow. (k8s.io/apimachinery, util/yaml, YAMLReader)
 */
export function* splitChunks(text: string): Generator<Chunk | DocumentProblem> {
  let from = 0;
  for (let at = nextSeparator(text, 0); at >= 0; at = nextSeparator(text, from)) {
    if (at > from) yield { from, to: at };
    const lineEnd = endOfLine(text, at);
    const rest = text.slice(at + SEPARATOR.length, lineEnd).trim();
    if (rest !== '' && (!rest.startsWith('#') || BREAK.test(rest))) yield { offset: at, message: BAD_SEPARATOR };
    from = Math.min(lineEnd + 1, text.length);
  }
  if (from < text.length) yield { from, to: text.length };
}

/** Returns the offset of the next separator, from the beginning of a line; -1 if there is none. */
function nextSeparator(text: string, from: number): number {
  if (text.startsWith(SEPARATOR, from)) return from;
  const found = text.indexOf(`\n${SEPARATOR}`, from);
  return found < 0 ? -1 : found + 1;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}
