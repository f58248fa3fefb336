/** Reads JSON text one value after another, as the Go library's decoder does, and locates values in it. */
import type { Json, Path } from '../../rules/rule.ts';
import { duplicateKey, KEEP_LENGTH, MAX_DEPTH, MAX_LENGTH, setMember, TOO_DEEP, tooLarge } from '../limits.ts';
import { type Parsed, ParseError, type Span } from '../source.ts';

export interface JsonText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Where a value is, by offsets of the file. */
interface Place {
  readonly at: number;
  /** Where its key is, in an object. */
  readonly key?: number | undefined;
  readonly inside?: Map<string | number, Place>;
}

/**
 * Yields the values of a text.
 * @throws ParseError at the first that is no JSON, has a duplicate key, or is too deep or too large
 */
export function* readJson(json: JsonText): Generator<Parsed> {
  const reader = new JsonReader(json);
  while (!reader.atEnd()) {
    const start = reader.offset;
    const { value } = reader.read();
    yield { value, start, locate: locator({ ...json, from: start, to: reader.offset }) };
  }
}

/** Locates values by reading the text again: places take several times the memory of the values. */
function locator(json: JsonText): (path: Path) => Span {
  let kept: Place | undefined;
  return (path) => {
    const root = kept ?? new JsonReader(json, true).read().place;
    if (json.to - json.from >= KEEP_LENGTH) kept = root;
    let place = root;
    for (const step of path) {
      const next = place.inside?.get(step);
      if (!next) return spanOf(json.text, place.key ?? place.at);
      place = next;
    }
    return spanOf(json.text, place.at);
  };
}

const STRING_OR_WORD = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.\w]+/y;

/** Lists and objects have no end here. */
function spanOf(text: string, start: number): Span {
  STRING_OR_WORD.lastIndex = start;
  const found = STRING_OR_WORD.exec(text);
  return { start, end: found ? start + found[0].length : undefined };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNESCAPED = 'a closing " expected (line breaks, tabs and control characters must be escaped)';
const LONE_SURROGATE = /\p{Cs}/gu;
const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const WORD = /[A-Za-z]+/y;
const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([\s\S]?))/g;

class JsonReader {
  readonly #json: JsonText;
  readonly #withPlaces: boolean;
  #at: number;
  #start = 0;

  constructor(json: JsonText, withPlaces = false) {
    this.#json = json;
    this.#at = json.from;
    this.#withPlaces = withPlaces;
  }

  /** Skips white space; returns whether nothing follows. */
  atEnd(): boolean {
    this.#skip(WHITE_SPACE);
    return this.#at >= this.#json.to;
  }

  get offset(): number {
    return this.#at;
  }

  /** Returns the next value and its place. @throws ParseError */
  read(): { value: Json; place: Place } {
    if (this.atEnd()) throw this.#expected('a value');
    this.#start = this.#at;
    return this.#value(1);
  }

  #value(depth: number, key?: number): { value: Json; place: Place } {
    const at = this.#at;
    const first = this.#json.text[at];
    if (at - this.#start > MAX_LENGTH.JSON) throw new ParseError(this.#start, tooLarge('JSON'), true);
    const isCollection = first === '{' || first === '[';
    if (isCollection && depth > MAX_DEPTH) throw new ParseError(at, TOO_DEEP);
    const place: Place = this.#withPlaces && isCollection ? { at, key, inside: new Map() } : { at, key };
    if (first === '{') return { value: this.#object(depth, place), place };
    if (first === '[') return { value: this.#list(depth, place), place };
    return { value: first === '"' ? this.#string() : this.#numberOrWord(), place };
  }

  #object(depth: number, { inside }: Place): Json {
    const value: Record<string, Json> = {};
    this.#at += 1;
    for (let more = !this.#takes('}'); more; more = this.#continues('}')) {
      const keyAt = this.#at;
      if (this.#json.text[keyAt] !== '"' || keyAt >= this.#json.to) throw this.#expected('a key in double quotes');
      const key = this.#string();
      if (Object.hasOwn(value, key)) throw new ParseError(keyAt, duplicateKey(key));
      if (!this.#takes(':')) throw this.#expected(`":" after the key "${key}"`);
      if (this.atEnd()) throw this.#expected('a value');
      const member = this.#value(depth + 1, keyAt);
      setMember(value, key, member.value);
      inside?.set(key, member.place);
    }
    return value;
  }

  #list(depth: number, { inside }: Place): Json {
    const value: Json[] = [];
    this.#at += 1;
    for (let more = !this.#takes(']'); more; more = this.#continues(']')) {
      const item = this.#value(depth + 1);
      inside?.set(value.length, item.place);
      value.push(item.value);
    }
    return value;
  }

  /** Returns whether another member or item follows. */
  #continues(end: string): boolean {
    if (this.#takes(end)) return false;
    if (!this.#takes(',')) throw this.#expected(`"," or "${end}"`);
    if (this.atEnd() || this.#json.text[this.#at] === end) throw this.#expected('another entry after ","');
    return true;
  }

  /** Moves past a mark and the white space around it, if it is next. */
  #takes(mark: string): boolean {
    if (this.atEnd() || this.#json.text[this.#at] !== mark) return false;
    this.#at += 1;
    this.#skip(WHITE_SPACE);
    return true;
  }

  #string(): string {
    const { text, to } = this.#json;
    const start = this.#at;
    let isEscaped = false;
    for (let at = start + 1; at < to; at += 1) {
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
    const raw = this.#json.text.slice(start, this.#at);
    for (const match of raw.matchAll(ESCAPE)) {
      if (match[1] === undefined) continue;
      throw new ParseError(start + match.index, `JSON has no escape "${match[0]}": write a backslash as "\\\\"`);
    }
    return (JSON.parse(raw) as string).replace(LONE_SURROGATE, '\ufffd');
  }

  #numberOrWord(): Json {
    const at = this.#at;
    const number = this.#skip(NUMBER);
    if (number !== '') {
      const value = Number(number);
      if (!Number.isFinite(value)) throw new ParseError(at, `the number ${number} is too large`, true);
      return value;
    }
    const word = WORDS.get(this.#skip(WORD));
    if (word !== undefined) return word;
    this.#at = at;
    throw this.#expected('a value');
  }

  #expected(what: string): ParseError {
    const { text, to } = this.#json;
    const found = this.#at < to ? JSON.stringify(text[this.#at]) : 'the end';
    return new ParseError(Math.min(this.#at, to), `${what} expected, found ${found}`);
  }

  /** Moves past what a sticky pattern matches, and returns it. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#json.text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
