/**
 * Outlines a YAML document of ordinary form: its `apiVersion` and `kind`, in a tenth of the time of reading all of it.
 *
 * The result never differs from that of readYaml, errors included, because this knows only a subset of YAML, line by line:
 * block mappings with plain or quoted keys, block sequences, scalars and small `[]` and `{}` on one line, block scalars,
 * comments. It checks indentation and duplicate keys. Whatever else a document has, a mistake too, it gets no outline and is
 * read in full: escapes, anchors, aliases, tags, merge keys, explicit keys, tabs, quotes over several lines, directives.
 */
import { MAX_LENGTH, SUSPECT } from '../limits.ts';
import type { Chunk } from '../split.ts';
import { plainMeaning } from './scalar.ts';

/** What a document is. A type alias, so that it is also a JSON object. */
export type ObjectType = { readonly apiVersion: string; readonly kind: string };

export interface Outline {
  readonly type: ObjectType;
  /** Where the content begins, after comments. */
  readonly start: number;
}

/**
 * Returns the outline of a document without mistakes and without `items`, that has both `apiVersion` and `kind`. Undefined
 * where that is not clear, or `isEnough` returns false.
 */
export function outlineOf(
  file: string,
  { from, to }: Chunk,
  isEnough: (apiVersion: string) => boolean,
): Outline | undefined {
  if (to - from > MAX_LENGTH.YAML) return undefined;
  const outliner = new Outliner(file, from, to, isEnough);
  const outline = outliner.read();
  return outline && !SUSPECT.test(file.slice(from, to)) ? outline : undefined;
}

/** An open mapping or, without keys, sequence. */
interface Collection {
  readonly indent: number;
  readonly keys: Set<string> | undefined;
}

const COMMENT = 0x23;
const LINE_BREAK = 0x0a;
const SPACE = 0x20;
const DASH = 0x2d;

/** Fewer than MAX_DEPTH, so that the exact limit need not be known here. */
const MAX_OPEN = 64;

const DOUBLE = String.raw`"[^"\\\n\t]*"`;
const SINGLE = String.raw`'[^'\n\t]*(?:''[^'\n\t]*)*'`;
const KEY = String.raw`[\w.$][\w.$/-]{0,250}|"[^"\\\n\t]{0,250}"|'[^'\n\t]{0,250}'`;
/** No indicator, and nothing that could be .nan or .inf: these are no values of JSON. */
const PLAIN_BEGINS = String.raw`[^\s\-?:,[\]{}#&*!|>'"%@\x60.+]|-(?=[\w/-])|\.(?![iInN])|\+(?!\.)`;
/**
 * With the white space behind it, before a comment too. In these patterns, what repeats is never followed by something that begins the
 * same way: so a search takes linear time.
 */
const PLAIN = String.raw`(?:${PLAIN_BEGINS})[^\n\t:#]*(?:(?::(?![ \n]|$)|(?<! )#)[^\n\t:#]*)*`;
const ITEM = String.raw`(?:${DOUBLE}|${SINGLE}|[\w/][\w./-]*)`;
const LIST = String.raw`\[ *(?:${ITEM}(?: *, *${ITEM})* *)?\]`;
const MEMBER = String.raw`[A-Za-z][\w./-]{0,250}: +${ITEM}`;
const MAPPING = String.raw`\{ *(?:${MEMBER}(?: *, *${MEMBER})* *)?\}`;
const VALUE = `(${PLAIN})|(?:([|>][-+]?)|(${DOUBLE}|${SINGLE})|(${LIST}|${MAPPING})) *`;
const LINE_END = String.raw`(?:(?<= )#.*)?(?:\n|$)`;

/** What follows the indentation of a line, or "- ": a key, and a value of one of four forms. */
const ENTRY = new RegExp(String.raw`(?:(${KEY}):(?: +(?! )|(?=\n|$)))?(?:${VALUE})?${LINE_END}`, 'y');
const CONTINUATION = new RegExp(`${PLAIN}${LINE_END}`, 'y');
/** Begins where a word does, so that each word is read once. */
const MEMBER_KEY = /(?<![\w./-])([A-Za-z][\w./-]*): /g;
/** The values of `apiVersion` and `kind` that need no interpretation. */
const TYPE = /^(["']?)([A-Za-z][\w./-]*)\1 *$/;

class Outliner {
  readonly #text: string;
  readonly #to: number;
  readonly #isEnough: (apiVersion: string) => boolean;
  readonly #open: Collection[] = [];
  readonly #type: { apiVersion?: string; kind?: string } = {};
  #at: number;
  #start = -1;
  /** Whether the last line was a key or "-" alone, so that its value may follow. */
  #isAwaited = true;
  /** Whether the last line was plain text that may continue. */
  #isContinued = false;

  constructor(text: string, from: number, to: number, isEnough: (apiVersion: string) => boolean) {
    this.#text = text;
    this.#at = from;
    this.#to = to;
    this.#isEnough = isEnough;
  }

  read(): Outline | undefined {
    while (this.#at < this.#to) if (!this.#line()) return undefined;
    const { apiVersion, kind } = this.#type;
    return apiVersion === undefined || kind === undefined
      ? undefined
      : { type: { apiVersion, kind }, start: this.#start };
  }

  /** Moves past a line; returns whether it is one of those known here. */
  #line(): boolean {
    const begin = this.#at;
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at += 1;
    const code = this.#text.charCodeAt(this.#at);
    const indent = this.#at - begin;
    // At the end of the text there is no code.
    if (code === LINE_BREAK || code === COMMENT || this.#at >= this.#to) {
      this.#isContinued = false;
      this.#at = this.#endOfLine(this.#at);
      return true;
    }
    const isDash = code === DASH && this.#isAfterDash(this.#text.charCodeAt(this.#at + 1));
    if (this.#isContinued && indent > (this.#open.at(-1)?.indent ?? 0)) return this.#continuation();
    return this.#collection(indent, isDash) && (isDash ? this.#item(indent) : this.#entry(indent));
  }

  #isAfterDash(code: number): boolean {
    return code === SPACE || code === LINE_BREAK || Number.isNaN(code);
  }

  #endOfLine(from: number): number {
    const found = this.#text.indexOf('\n', from);
    return found < 0 ? this.#text.length : found + 1;
  }

  #continuation(): boolean {
    CONTINUATION.lastIndex = this.#at;
    const [found] = CONTINUATION.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    this.#isContinued = found !== undefined && !found.includes(' #');
    return found !== undefined;
  }

  /** Finds the collection that a line belongs to, or opens it; returns whether there is one. */
  #collection(indent: number, isDash: boolean): boolean {
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      this.#start = this.#at;
      return indent === 0 && !isDash && this.#begin(0, true);
    }
    const isInside = indent > parent.indent || (isDash && indent === parent.indent && parent.keys !== undefined);
    if (isInside) return this.#isAwaited && this.#begin(indent, !isDash);
    let open: Collection | undefined = parent;
    while (open && (open.indent > indent || (open.indent === indent && !open.keys && !isDash))) {
      this.#open.pop();
      open = this.#open.at(-1);
    }
    return open !== undefined && open.indent === indent && isDash === (open.keys === undefined);
  }

  #begin(indent: number, isMapping: boolean): boolean {
    return this.#open.push({ indent, keys: isMapping ? new Set() : undefined }) < MAX_OPEN;
  }

  #item(indent: number): boolean {
    const dash = this.#at;
    this.#at += 1;
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at += 1;
    return this.#entry(indent, indent + this.#at - dash);
  }

  /** Reads a key and its value, or an item. `inner` is the indentation of a mapping that begins after "- ". */
  #entry(indent: number, inner?: number): boolean {
    ENTRY.lastIndex = this.#at;
    const found = ENTRY.exec(this.#text);
    if (!found || found[0] === '') return false;
    const [line, key, plain, block, quoted, flow] = found;
    if (key === undefined && inner === undefined) return false;
    if (key !== undefined && inner !== undefined && !this.#begin(inner, true)) return false;
    if (key !== undefined && !this.#key(key, plain ?? quoted)) return false;
    this.#at = ENTRY.lastIndex;
    this.#isAwaited = (block ?? plain ?? quoted ?? flow) === undefined;
    this.#isContinued = plain !== undefined && !line.includes(' #') && !this.#isType(key);
    if (block !== undefined) return this.#blockScalar(key === undefined ? indent : (inner ?? indent));
    return flow === undefined || !hasDuplicate(flow);
  }

  /** Adds a key to the innermost mapping; returns whether it is new there, and text. */
  #key(key: string, value: string | undefined): boolean {
    const isQuoted = key[0] === '"' || key[0] === "'";
    const name = isQuoted ? key.slice(1, -1) : key;
    const { keys } = this.#open.at(-1) ?? {};
    if (!keys || keys.has(name) || (!isQuoted && typeof plainMeaning(key) !== 'string')) return false;
    keys.add(name);
    if (this.#open.length > 1) return true;
    if (name === 'items') return false;
    if (name !== 'apiVersion' && name !== 'kind') return true;
    const text = TYPE.exec(value ?? '')?.[2];
    if (text === undefined || typeof plainMeaning(text) !== 'string') return false;
    this.#type[name] = text;
    return name === 'kind' || this.#isEnough(text);
  }

  #isType(key: string | undefined): boolean {
    return this.#open.length === 1 && (key === 'apiVersion' || key === 'kind');
  }

  /** Moves past the lines of a block scalar; returns whether its indentation is clear. */
  #blockScalar(parent: number): boolean {
    let indent = 0;
    while (this.#at < this.#to) {
      let at = this.#at;
      while (this.#text.charCodeAt(at) === SPACE) at += 1;
      const found = at - this.#at;
      const isBlank = at >= this.#to || this.#text.charCodeAt(at) === LINE_BREAK;
      if (indent === 0) {
        if (isBlank && found > 0) return false;
        if (!isBlank && found <= parent) return true;
        if (!isBlank) indent = found;
        if (this.#text[at] === '\t') return false;
      } else if (!isBlank && found < indent) return found <= parent;
      this.#at = this.#endOfLine(at);
    }
    return true;
  }
}

function hasDuplicate(flow: string): boolean {
  if (flow[0] !== '{') return false;
  const keys = Array.from(flow.matchAll(MEMBER_KEY), ([, key = '']) => key);
  return new Set(keys).size < keys.length || keys.some((key) => typeof plainMeaning(key) !== 'string');
}
