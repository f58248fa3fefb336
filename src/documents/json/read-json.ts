/** Reads JSON text one value after another, as the decoder of Go's library does, and locates values in it. */
import { type Json, MAX_DEPTH, type Path } from '../../base/json.ts';
import type { Chunk } from '../source.ts';
import {
  duplicateKey,
  invisibleCharacter,
  MAX_LENGTH,
  NO_COMMENT,
  type Parsed,
  ParseError,
  readAgain,
  refuseCharacters,
  type Span,
  setMember,
  TOO_DEEP,
  tooLarge,
} from '../source.ts';

/** Where a value is, by offsets of the file. */
interface ValueLocation {
  readonly at: number;
  /** Where its key is, in an object. */
  readonly key?: number | undefined;
  readonly inside?: Map<string | number, ValueLocation>;
}

/**
 * Yields the values of a part of a text.
 *
 * @param isYaml whether kubectl reads this part with its YAML library, which knows fewer escapes, and only one value
 * @throws ParseError at the first value that is no JSON, has a duplicate key, or is too deep or too large
 */
export function* readJson(text: string, { from, to }: Chunk, isYaml: boolean): Generator<Parsed> {
  checkText(text, from, to, isYaml);
  const reader = new JsonReader(text, from, to);
  for (let count = 0; !reader.atEnd(); count += 1) {
    const start = reader.offset;
    if (count === 1 && isYaml) throw new ParseError(start, SEPARATE);
    const { value } = reader.read();
    yield { value, start, end: reader.offset, locate: locator(text, start, reader.offset) };
    if (count === 1 && to < text.length) throw new ParseError(start, SEPARATE);
  }
}

const SEPARATE = 'kubectl reads several JSON values only in a file without ---: separate all of them by lines of ---';
const MARK = '\ufeff';
/** Matches any escape; the group is set for those that YAML has too. It lacks `\/` and surrogates. */
const YAML_LACKS = /\\(?:\/|u[dD][89a-fA-F]|([\s\S]))/g;

/** Refuses characters and escapes that kubectl refuses or reads differently. @throws ParseError */
function checkText(text: string, from: number, to: number, isYaml: boolean): void {
  const mark = isYaml ? -1 : text.indexOf(MARK, from);
  if (mark >= 0 && mark < to) throw invisibleCharacter(mark, MARK);
  if (!isYaml) return;
  const part = text.slice(from, to).replaceAll('\r', '\n');
  try {
    refuseCharacters(part);
  } catch (error) {
    throw error instanceof ParseError ? new ParseError(from + error.offset, error.message) : error;
  }
  if (!part.includes('\\')) return;
  for (const match of part.matchAll(YAML_LACKS)) {
    if (match[1] !== undefined) continue;
    const fix = match[0] === '\\/' ? 'write "/"' : 'write the character';
    throw new ParseError(from + match.index, `kubectl does not read this escape behind ---: ${fix} instead`);
  }
}

function locator(text: string, from: number, to: number): (path: Path) => Span {
  const locations = readAgain(to - from, () => new JsonReader(text, from, to, true).read().location);
  return (path) => {
    let here = locations();
    for (const step of path) {
      const next = here.inside?.get(step);
      if (!next) return spanOf(text, here.key ?? here.at);
      here = next;
    }
    return spanOf(text, here.at);
  };
}

/** Returns the span of the value at an offset. The span of a list or an object has no end. */
function spanOf(text: string, start: number): Span {
  if (text[start] === '{' || text[start] === '[') return { start };
  const reader = new JsonReader(text, start, text.length);
  reader.read();
  return { start, end: reader.offset };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNESCAPED = 'a closing " expected (line breaks, tabs and control characters must be escaped)';
const WHITE_SPACE = /[ \t\n\r]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([\s\S]?))/g;

class JsonReader {
  readonly #text: string;
  readonly #to: number;
  readonly #withLocations: boolean;
  #at: number;
  #start = 0;

  constructor(text: string, from: number, to: number, withLocations = false) {
    this.#text = text;
    this.#to = to;
    this.#at = from;
    this.#withLocations = withLocations;
  }

  /** Skips white space; returns whether nothing follows. */
  atEnd(): boolean {
    this.#skip(WHITE_SPACE);
    return this.#at >= this.#to;
  }

  get offset(): number {
    return this.#at;
  }

  /** Returns the next value and where it is. @throws ParseError */
  read(): { value: Json; location: ValueLocation } {
    if (this.atEnd()) throw this.#expected('a value');
    this.#start = this.#at;
    return this.#value(1);
  }

  #value(depth: number, key?: number): { value: Json; location: ValueLocation } {
    const at = this.#at;
    const first = this.#text[at];
    if (at - this.#start > MAX_LENGTH.JSON) throw new ParseError(this.#start, tooLarge('JSON'), true);
    const isCollection = first === '{' || first === '[';
    if (isCollection && depth > MAX_DEPTH) throw new ParseError(at, TOO_DEEP);
    const inside = this.#withLocations && isCollection ? new Map<string | number, ValueLocation>() : undefined;
    const location: ValueLocation = inside ? { at, key, inside } : { at, key };
    if (first === '{') return { value: this.#object(depth, inside), location };
    if (first === '[') return { value: this.#list(depth, inside), location };
    return { value: first === '"' ? this.#string() : this.#literal(), location };
  }

  #object(depth: number, inside: ValueLocation['inside']): Json {
    const value: Record<string, Json> = {};
    this.#at += 1;
    for (let more = !this.#takes('}'); more; more = this.#continues('}')) {
      const keyAt = this.#at;
      if (this.#text[keyAt] !== '"' || keyAt >= this.#to) throw this.#expected('a key in double quotes');
      const key = this.#string();
      if (Object.hasOwn(value, key)) throw new ParseError(keyAt, duplicateKey(key));
      if (!this.#takes(':')) throw this.#expected(`":" after the key "${key}"`);
      if (this.atEnd()) throw this.#expected('a value');
      const member = this.#value(depth + 1, keyAt);
      setMember(value, key, member.value);
      inside?.set(key, member.location);
    }
    return value;
  }

  #list(depth: number, inside: ValueLocation['inside']): Json {
    const value: Json[] = [];
    this.#at += 1;
    for (let more = !this.#takes(']'); more; more = this.#continues(']')) {
      const item = this.#value(depth + 1);
      inside?.set(value.length, item.location);
      value.push(item.value);
    }
    return value;
  }

  /** Returns whether another member or item follows. */
  #continues(end: string): boolean {
    if (this.#takes(end)) return false;
    if (!this.#takes(',')) throw this.#expected(`"," or "${end}"`);
    if (this.atEnd() || this.#text[this.#at] === end) throw this.#expected('another entry after ","');
    return true;
  }

  /** Moves past a mark and the white space around it, if it is next. */
  #takes(mark: string): boolean {
    if (this.atEnd() || this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    this.#skip(WHITE_SPACE);
    return true;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let isEscaped = false;
    for (let at = start + 1; at < this.#to; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return isEscaped ? this.#unescape(start) : text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        isEscaped = true;
        at += 1;
      } else if (code < 0x20) throw new ParseError(at, UNESCAPED);
    }
    throw new ParseError(start, 'a closing " expected: the text that begins here does not end');
  }

  #unescape(start: number): string {
    const raw = this.#text.slice(start, this.#at);
    for (const match of raw.matchAll(ESCAPE)) {
      if (match[1] === undefined) continue;
      throw new ParseError(start + match.index, `JSON has no escape "${match[0]}": write a backslash as "\\\\"`);
    }
    const value = JSON.parse(raw) as string;
    if (!value.isWellFormed())
      throw new ParseError(
        start,
        'half of a surrogate pair ("\\ud800" to "\\udfff") in this text: write the whole character',
      );
    return value;
  }

  #literal(): Json {
    const at = this.#at;
    const literal = this.#skip(LITERAL);
    if (literal === '') throw this.#expected('a value');
    const value = JSON.parse(literal) as Json;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      throw new ParseError(at, `the number ${literal} is too large`, true);
    return value;
  }

  #expected(what: string): ParseError {
    if (/^\/[/*]/.test(this.#text.slice(this.#at, this.#at + 2))) return new ParseError(this.#at, NO_COMMENT);
    const found = this.#at < this.#to ? JSON.stringify(this.#text[this.#at]) : 'the end';
    return new ParseError(Math.min(this.#at, this.#to), `${what} expected, found ${found}`);
  }

  /** Moves past what a sticky pattern matches, and returns it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
