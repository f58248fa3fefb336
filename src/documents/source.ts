/** The text of a file, with lines and columns, and the documents in it. */
import type { Json, Path } from '../base/json.ts';

/** A position in a text. Both count from 1; a column is one UTF-16 code unit, as editors and SARIF count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where something begins, and where it ends (exclusive) if it is a single value or key. */
export interface Location extends Position {
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** A part of a text by offsets; without an end, a single position. */
export interface Span {
  readonly start: number;
  readonly end?: number | undefined;
}

/** What is wrong with a text, and where. */
export interface SourceError extends Position {
  /** The name of the file, or `<stdin>`. */
  readonly source: string;
  readonly message: string;
}

/** Ends the parsing of a document. Thrown and caught within this folder. */
export class ParseError extends Error {
  readonly offset: number;
  /** Whether the text is not worth reading as another format. */
  readonly isFinal: boolean;

  constructor(offset: number, message: string, isFinal = false) {
    super(message);
    this.offset = offset;
    this.isFinal = isFinal;
  }
}

/** The text of one file. Lines are indexed when a position is first needed. */
export class SourceText {
  readonly name: string;
  /**
   * Without a leading byte order mark, and with `\n` for `\r\n`. Neither changes a line or a column. A lone `\r` ends a
   * line too, but kubectl finds no separator after it.
   */
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    const unmarked = text.replace(/^\ufeff/, '');
    this.text = unmarked.includes('\r') ? unmarked.replaceAll('\r\n', '\n') : unmarked;
  }

  /** Returns one line without its break, or nothing for a line that does not exist. A closure over the text alone. */
  readonly line = (number: number): string => {
    const starts = this.#starts();
    const from = starts[number - 1] ?? this.text.length;
    return this.text.slice(from, (starts[number] ?? this.text.length + 1) - 1);
  };

  /** Returns line and column of an offset; one beyond the end counts as the end. */
  position(offset: number): Position {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.min(offset, this.text.length) - (starts[low] ?? 0) + 1 };
  }

  /** Returns the lines and columns of a span. */
  location({ start, end }: Span): Location {
    const begin = this.position(start);
    if (end === undefined || end <= start) return begin;
    const { line: endLine, column: endColumn } = this.position(end);
    return { ...begin, endLine, endColumn };
  }

  #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    const lineBreak = this.text.includes('\r') ? /[\n\r]/g : /\n/g;
    while (lineBreak.test(this.text)) starts.push(lineBreak.lastIndex);
    this.#lineStarts = starts;
    return starts;
  }
}

/** A parsed document by offsets of the file. */
export interface Parsed {
  readonly value: Json;
  readonly start: number;
  /** Returns where the value at a path is. */
  readonly locate: (path: Path) => Span;
}

/** A document of a file: its value, and where each part of it is. */
export interface SourceDocument {
  /** The name of the file, or `<stdin>`. */
  readonly source: string;
  /** Plain JSON data. Values of aliases are shared, not copied. */
  readonly value: Json;
  /** Where the content begins, after comments. */
  readonly start: Position;
  /** Returns one line of the file. */
  readonly sourceLine: (line: number) => string;
  /**
   * Returns the location of the value at a path, also through aliases and merge keys. For a missing value: the key of
   * the nearest parent, or the beginning of a parent without a key. A value without text (`key:`) is at its key.
   */
  readonly locate: (path: Path) => Location;
}

/** A parse error as it is kept: without a stack, for a broken file can have many. */
export type DocumentProblem = Pick<ParseError, 'offset' | 'message'>;

/** Returns a document with lines and columns in place of offsets. */
export function documentOf(file: SourceText, { value, start, locate }: Parsed): SourceDocument {
  return {
    source: file.name,
    value,
    start: file.position(start),
    sourceLine: file.line,
    locate: (path) => file.location(locate(path)),
  };
}
