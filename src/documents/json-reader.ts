/** Reads JSON text, with the place of every value: one value after another, as the Go library's decoder does. */
import type { Json } from '../rules/rule.ts';
import type { Place } from './json-locate.ts';
import { duplicateKey, MAX_DEPTH, MAX_LENGTH, setMember, TOO_DEEP, tooLarge } from './plain.ts';
import { Refusal } from './source-text.ts';

/** A value and where it begins; and, where places are noted, what stands where in it. */
interface Read {
  readonly value: Json;
  readonly place: Place;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const WORD = /[A-Za-z]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([\s\S]?))/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export interface JsonText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Tells the line of an offset, for messages. */
  readonly lineOf: (offset: number) => number;
  /** Whether to note what stands where; it takes several times the room of the values. */
  readonly notes: boolean;
}

/** Reads the values between two offsets of a text. */
export class JsonReader {
  readonly #source: JsonText;
  readonly #text: string;
  readonly #to: number;
  readonly #notes: boolean;
  #at: number;
  #began = 0;

  constructor(source: JsonText) {
    this.#source = source;
    this.#text = source.text;
    this.#at = source.from;
    this.#to = source.to;
    this.#notes = source.notes;
  }

  /** Whether nothing but white space is left. Skips it. */
  atEnd(): boolean {
    this.#skip(WHITE_SPACE);
    return this.#at >= this.#to;
  }

  /** The offset of what is read next. */
  get offset(): number {
    return this.#at;
  }

  /**
   * The next value and where it stands.
   * @throws Refusal where the text is not JSON, a key stands twice in an object, or it is too deep or too large
   */
  read(): Read {
    if (this.atEnd()) throw this.#expected('a value');
    this.#began = this.#at;
    return this.#value(1);
  }

  #value(depth: number, key?: number): Read {
    const at = this.#at;
    const where = key === undefined ? { at } : { at, key };
    const first = this.#text[at];
    if (at - this.#began > MAX_LENGTH.JSON) throw new Refusal(this.#began, tooLarge('JSON'), true);
    if ((first === '{' || first === '[') && depth > MAX_DEPTH) throw new Refusal(at, TOO_DEEP);
    if (first === '{') return this.#object(depth, where);
    if (first === '[') return this.#list(depth, where);
    if (first === '"') return { value: this.#string(), place: where };
    return { value: this.#numberOrWord(), place: where };
  }

  #object(depth: number, where: Place): Read {
    const value: Record<string, Json> = {};
    const inside = this.#notes ? new Map<string | number, Place>() : undefined;
    this.#at += 1;
    for (let more = !this.#closes('}'); more; more = this.#continues('}')) {
      const keyAt = this.#at;
      if (this.#text.charCodeAt(keyAt) !== QUOTE || keyAt >= this.#to) throw this.#expected('a key in double quotes');
      const key = this.#string();
      if (Object.hasOwn(value, key)) throw this.#duplicate(where.at, key, keyAt);
      if (!this.#takes(':')) throw this.#expected(`":" after the key "${key}"`);
      if (this.atEnd()) throw this.#expected('a value');
      const member = this.#value(depth + 1, keyAt);
      setMember(value, key, member.value);
      inside?.set(key, member.place);
    }
    return { value, place: inside ? { ...where, inside } : where };
  }

  #list(depth: number, where: Place): Read {
    const value: Json[] = [];
    const inside = this.#notes ? new Map<string | number, Place>() : undefined;
    this.#at += 1;
    for (let more = !this.#closes(']'); more; more = this.#continues(']')) {
      const item = this.#value(depth + 1);
      inside?.set(value.length, item.place);
      value.push(item.value);
    }
    return { value, place: inside ? { ...where, inside } : where };
  }

  /** Where the key stood first is looked up only now: the text up to the second is an object without it. */
  #duplicate(objectAt: number, key: string, keyAt: number): Refusal {
    const before = this.#text.slice(objectAt, keyAt).replace(/,\s*$/, '}');
    const source = { ...this.#source, text: before, from: 0, to: before.length, notes: true };
    const first = new JsonReader(source).read().place.inside?.get(key)?.key ?? 0;
    return new Refusal(keyAt, duplicateKey(key, this.#source.lineOf(objectAt + first)));
  }

  #closes(end: string): boolean {
    return this.#takes(end);
  }

  /** After a member or an item: whether another one follows. */
  #continues(end: string): boolean {
    if (this.#takes(end)) return false;
    if (!this.#takes(',')) throw this.#expected(`"," or "${end}"`);
    if (this.atEnd() || this.#text[this.#at] === end) throw this.#expected('another entry after ","');
    return true;
  }

  #takes(mark: string): boolean {
    if (this.atEnd() || this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    this.#skip(WHITE_SPACE);
    return true;
  }

  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let at = start + 1; at < this.#to; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return escaped ? this.#unescape(start) : this.#text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        escaped = true;
        at += 1;
      } else if (code < 0x20) {
        throw new Refusal(at, `a closing " expected (line breaks, tabs and control characters must be escaped)`);
      }
    }
    throw new Refusal(start, 'a closing " expected: the text that begins here does not end');
  }

  #unescape(start: number): string {
    const raw = this.#text.slice(start, this.#at);
    for (const match of raw.matchAll(ESCAPE)) {
      if (match[1] === undefined) continue;
      throw new Refusal(start + match.index, `JSON has no escape "${match[0]}": write a backslash as "\\\\"`);
    }
    try {
      return (JSON.parse(raw) as string).replace(LONE_SURROGATE, '\ufffd');
    } catch {
      throw new Refusal(start, 'a JSON string expected (line breaks, tabs and control characters must be escaped)');
    }
  }

  #numberOrWord(): Json {
    const at = this.#at;
    const number = this.#skip(NUMBER);
    if (number !== '') {
      const value = Number(number);
      if (!Number.isFinite(value)) throw new Refusal(at, `the number ${number} is too large`, true);
      return value;
    }
    const word = this.#skip(WORD);
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    this.#at = at;
    throw this.#expected('a value');
  }

  #expected(what: string): Refusal {
    const found = this.#at < this.#to ? JSON.stringify(this.#text.slice(this.#at, this.#at + 1)) : 'the end';
    return new Refusal(Math.min(this.#at, this.#to), `${what} expected, found ${found}`);
  }

  /** Moves past what a sticky pattern matches, and gives it back. */
  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
