/** A document as it is handed out: its value, and where each part of that stands. */
import type { Json, Path } from '../rules/rule.ts';
import type { Place, Position, SourceText, Span } from './source-text.ts';

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
export interface Found {
  readonly value: Json;
  readonly start: number;
  readonly locate: (path: Path) => Span;
}

export class LocatedDocument implements SourceDocument {
  readonly source: string;
  readonly value: Json;
  readonly #file: SourceText;
  readonly #found: Found;

  constructor(file: SourceText, found: Found) {
    this.source = file.name;
    this.value = found.value;
    this.#file = file;
    this.#found = found;
  }

  get start(): Position {
    return this.#file.position(this.#found.start);
  }

  get text(): () => string {
    return this.#file.whole;
  }

  get sourceLine(): (line: number) => string {
    return this.#file.line;
  }

  locate(path: Path): Place {
    return this.#file.place(this.#found.locate(path));
  }
}
