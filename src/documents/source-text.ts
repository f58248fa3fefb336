/** A file's text, and lines and columns in it. */

/** A place in a text. Both count from 1; a column is one UTF-16 code unit, as editors and SARIF count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where something stands; and where it ends (exclusive), if it has an end worth pointing at: single values and keys. */
export interface Place extends Position {
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** The same by offsets of a text. */
export interface Span {
  readonly at: number;
  readonly end?: number | undefined;
}

/** What is wrong with a text, and where. */
export interface SourceError extends Position {
  /** The file's name as given, or `<stdin>`. */
  readonly source: string;
  readonly message: string;
}

/** What is wrong, by offset of the text; kept in great number where much is wrong, so no error with its stack. */
export interface Complaint {
  readonly offset: number;
  readonly message: string;
}

/** Refuses a document at an offset of the file's text. Thrown and caught within this folder. */
export class Refusal extends Error {
  readonly offset: number;
  /** Whether no other reading of the text is worth a try. */
  readonly final: boolean;

  constructor(offset: number, message: string, final = false) {
    super(message);
    this.offset = offset;
    this.final = final;
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** The text of one file. The index of its lines is made on the first question for a position. */
export class SourceText {
  readonly name: string;
  /** Without a leading byte order mark, every line break a `\n`: neither moves a line or a column. */
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    const marked = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    this.text = marked.includes('\r') ? marked.replace(/\r\n?/g, '\n') : marked;
  }

  /** The whole text. Documents hand out this function and the next: neither holds on to a document. */
  readonly whole = (): string => this.text;

  /** One line, without its break; of a number that no line has, nothing. */
  readonly line = (number: number): string => {
    const starts = this.#starts();
    const from = starts[number - 1] ?? this.text.length;
    return this.text.slice(from, (starts[number] ?? this.text.length + 1) - 1);
  };

  /** The line and column of an offset; one beyond the end counts as the end. */
  position(offset: number): Position {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    return { line: low + 1, column: Math.min(offset, this.text.length) - start + 1 };
  }

  /** The lines and columns of a span. */
  place({ at, end }: Span): Place {
    const start = this.position(at);
    if (end === undefined || end <= at) return start;
    const { line: endLine, column: endColumn } = this.position(end);
    return { ...start, endLine, endColumn };
  }

  error(offset: number, message: string): SourceError {
    return { source: this.name, ...this.position(offset), message };
  }

  #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}
