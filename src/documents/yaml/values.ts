/**
 * Converts the nodes of one YAML document to JSON data in one walk, and locates values. Scalars are resolved as kubectl
 * does: YAML 1.1 as the Go library reads it (go.yaml.in/yaml/v2 under sigs.k8s.io/yaml). Booleans are those of 1.1;
 * integers may be `0o17`, `017`, `0b1`, `0x1f`, `1_000`; dates and `12:30:45` are strings. The corpus in
 * test/unit/documents compares it with that library.
 */

import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Json, MAX_DEPTH, type Path, same } from '../../base/json.ts';
import { quoted } from '../../base/text.ts';
import { duplicateKey, ParseError, type Span, setMember, TOO_DEEP } from '../source.ts';

/**
 * The most values that aliases and merges may add to a document. The largest object that Kubernetes stores (1.5 MiB)
 * holds fewer. The Go library limits their ratio, at about 400,000.
 */
const MAX_ALIASED = 100_000;

/** An anchored node; `value` is set once the node is read. */
interface Anchored {
  readonly node: Node;
  value?: Json;
  /** The number of values in it, including itself. */
  size: number;
  /** The number of its levels. */
  height: number;
}

/** A member of a mapping. */
type YamlPair = Pair<Node | null, Node | null>;

/** The values of a document, which takes about thirty times the memory of its text. */
export class YamlValues {
  readonly #root: Node | null;
  /** The node that each alias stands for. */
  readonly #targets = new Map<Alias, Node>();
  /** For each mapping, the member that is in effect for each name. */
  readonly #members = new Map<YAMLMap, Map<string, YamlPair>>();
  readonly #anchors = new Map<string, Anchored>();
  readonly #lineOf: (offset: number) => number;
  #count = 0;
  #aliased = 0;
  #deepest = 0;

  /** @param lineOf returns the line of an offset of the document, for messages */
  constructor(root: Node | null, lineOf: (offset: number) => number) {
    this.#root = root;
    this.#lineOf = lineOf;
  }

  /**
   * Returns the location of the value at a path, once the root is read. An alias is followed only to values inside it.
   * For a value that is missing or has no text (`key:`): the nearest key above, or else value.
   */
  locate(path: Path): Span {
    let [key, value]: (Node | null | undefined)[] = [null, this.#root];
    for (const step of path) {
      const node = isAlias(value) ? this.#targets.get(value) : value;
      const item = isSeq(node) ? (node.items[Number(step)] as Node | null | undefined) : undefined;
      const member = isMap(node) ? this.#members.get(node)?.get(String(step)) : undefined;
      if (item === undefined && !member) return spanOf(key ?? value);
      [key, value] = member ? [member.key, member.value] : [null, item];
    }
    return spanOf(hasText(value) ? value : (key ?? value));
  }

  /**
   * Returns the plain value of a node, by default of the root. Values of aliases are shared, not copied.
   * @throws ParseError on values that JSON lacks, duplicate keys, unknown and exploding aliases, and too deep nesting
   */
  read(node = this.#root, depth = 0): Json {
    if (node === null) return null;
    if (isAlias(node)) return this.#alias(node, depth);
    const name = (node as Scalar | YAMLMap | YAMLSeq).anchor;
    return name === undefined ? this.#content(node, depth) : this.#anchored(name, node, depth);
  }

  #content(node: Node, depth: number): Json {
    this.#count += 1;
    if (isScalar(node)) return jsonOf(meaningOf(node), node);
    this.#reach(depth + 1, node);
    if (isMap(node)) return this.#map(node, depth + 1);
    return isSeq(node) ? node.items.map((item) => this.read(item as Node | null, depth + 1)) : null;
  }

  #anchored(name: string, node: Node, depth: number): Json {
    const anchored: Anchored = { node, size: 0, height: 0 };
    this.#anchors.set(name, anchored);
    const countBefore = this.#count;
    const deepestBefore = this.#deepest;
    this.#deepest = depth;
    const value = this.#content(node, depth);
    anchored.size = this.#count - countBefore;
    anchored.height = this.#deepest - depth;
    anchored.value = value;
    this.#deepest = Math.max(deepestBefore, this.#deepest);
    return value;
  }

  #alias(node: Alias, depth: number): Json {
    const { value, size, height } = this.#target(node);
    this.#reach(depth + height, node);
    this.#expand(size, node);
    return value;
  }

  #target(node: Alias): Anchored & { value: Json } {
    const found = this.#anchors.get(node.source);
    if (!found) {
      throw errorAt(node, `unknown alias *${node.source}: no &${node.source} is before it in this document`);
    }
    const { value } = found;
    if (value === undefined) throw errorAt(node, `the alias *${node.source} is inside of &${node.source} itself`);
    this.#targets.set(node, found.node);
    return { ...found, value };
  }

  #map(map: YAMLMap, depth: number): Json {
    const result: Record<string, Json> = {};
    const members = new Map<string, YamlPair>();
    this.#members.set(map, members);
    // Names that only a merge has added so far: a key may repeat them.
    let merged: Set<string> | undefined;
    for (const pair of map.items as YamlPair[]) {
      const { key, value } = pair;
      if (isMergeKey(key)) {
        if (merged !== undefined) throw errorAt(key, SECOND_MERGE);
        merged = new Set();
        this.#merge({ result, members, merged }, value, depth, key);
        continue;
      }
      const name = this.#key(key, value);
      const first = members.get(name);
      if (first && !merged?.delete(name)) throw errorAt(key, duplicateKey(name, this.#lineOf(offsetOf(first.key))));
      members.set(name, pair);
      setMember(result, name, this.read(value, depth));
    }
    return result;
  }

  #key(key: Node | null, value: Node | null): string {
    if (isScalar(key) && key.anchor === undefined) return keyOf(key, value);
    const node = isAlias(key) ? this.#target(key).node : key;
    if (!isScalar(node)) throw errorAt(key, 'a key must be a single text, not a list or a mapping');
    if (node === key) this.read(key, 0);
    return keyOf(node, value);
  }

  /**
   * Adds the members of a merged mapping. As in the Go libraries, members after a merge override it. Members before it
   * are overridden in kubectl's library, but not in kustomize's, so they must not differ.
   */
  #merge({ result, members, merged }: Merging, from: Node | null, depth: number, key: Node): void {
    const parts = (isSeq(from) ? from.items.toReversed() : [from]) as (Node | null)[];
    for (const part of parts) {
      const value = this.read(part, depth - 1);
      const node = isAlias(part) ? this.#targets.get(part) : part;
      const problem = 'the merge key << expects a mapping, an alias of one, or a list of these';
      if (!isMap(node)) throw errorAt(part ?? key, problem);
      const entries = Object.entries(value as Record<string, Json>);
      this.#expand(entries.length, part ?? key);
      for (const [name, inner] of entries) {
        const isWritten = members.has(name) && !merged.has(name);
        if (isWritten && !same(result[name], inner)) throw errorAt(key, overriding(name));
        setMember(result, name, inner);
      }
      for (const [name, member] of this.#members.get(node) ?? []) {
        if (!members.has(name)) merged.add(name);
        members.set(name, member);
      }
    }
  }

  #reach(depth: number, node: Node): void {
    if (depth > MAX_DEPTH) throw errorAt(node, TOO_DEEP);
    if (depth > this.#deepest) this.#deepest = depth;
  }

  #expand(size: number, node: Node): void {
    this.#count += size;
    this.#aliased += size;
    if (this.#aliased > MAX_ALIASED) {
      throw errorAt(
        node,
        `the aliases of this document expand to more than ${MAX_ALIASED} values: write the values out`,
      );
    }
  }
}

const SECOND_MERGE = 'a second << in one mapping, which kustomize refuses: write one, with a list of the aliases';

function overriding(name: string): string {
  return (
    `kubectl lets this << override ${quoted(name)} above it, and kustomize does not: put << first, or leave the key ` +
    'out'
  );
}

/** The mapping that a merge adds to. */
interface Merging {
  readonly result: Record<string, Json>;
  readonly members: Map<string, YamlPair>;
  readonly merged: Set<string>;
}

/** Returns whether a key is `<<`, unquoted, which merges a mapping. */
function isMergeKey(key: Node | null): key is Scalar {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === '!' || (key.tag === undefined && key.type === 'PLAIN');
}

/** Returns the text of a scalar key. `value` locates the error for a key without text. */
function keyOf(key: Scalar, value: Node | null): string {
  if (key.tag === undefined && key.type !== 'PLAIN') return key.source ?? '';
  try {
    return keyText(meaningOf(key));
  } catch (error) {
    if (error instanceof InvalidScalar) throw errorAt(key.source ? key : (value ?? key), error.message);
    throw error;
  }
}

/** Returns where a node begins, by offset of the document. */
export function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function meaningOf(node: Scalar): Meaning {
  const text = node.source ?? '';
  if (node.tag === undefined) return node.type === 'PLAIN' ? plainMeaning(text) : text;
  try {
    return taggedMeaning(node.tag, text);
  } catch (error) {
    if (error instanceof InvalidScalar) throw errorAt(node, error.message);
    throw error;
  }
}

function jsonOf(meaning: Meaning, node: Scalar): Json {
  if (typeof meaning === 'bigint') return Number(meaning);
  if (typeof meaning === 'number' && !Number.isFinite(meaning)) {
    throw errorAt(node, `${node.source} is not a number in JSON: quote it if it is a string`);
  }
  return meaning;
}

/** Returns the span of a node. A block scalar gets no end, since that would be after its last line break. */
function spanOf(node: Node | null | undefined): Span {
  const ends = isAlias(node) || (isScalar(node) && !node.type?.startsWith('BLOCK'));
  return { start: offsetOf(node ?? null), end: ends ? node.range?.[1] : undefined };
}

function hasText(node: Node | null | undefined): boolean {
  return node != null && !(isScalar(node) && node.type === 'PLAIN' && node.source === '');
}

function errorAt(node: Node | null, message: string): ParseError {
  return new ParseError(offsetOf(node), message);
}

/**
 * The value of a scalar. A `bigint` is an integer, a `number` a float (or NaN, or infinite): JSON has one type for
 * both, but keys differ.
 */
type Meaning = null | boolean | bigint | number | string;

/** A scalar has no valid value. The message says why; the caller adds the location. */
class InvalidScalar extends Error {}

const TAG = 'tag:yaml.org,2002:';

/** Returns the meaning of an unquoted scalar without a tag. */
function plainMeaning(text: string): Meaning {
  if (text === '') return null;
  const word = words.get(text);
  if (word !== undefined) return word;
  return /^[-+.0-9]/.test(text) ? (numeral(text) ?? text) : text;
}

/**
 * Returns the meaning of a scalar with an explicit tag (in its long form).
 * @throws InvalidScalar if the text has no value of that type
 */
function taggedMeaning(tag: string, text: string): Meaning {
  const name = tag.startsWith(TAG) ? tag.slice(TAG.length) : undefined;
  if (name === undefined || !TYPES.has(name)) return text;
  const meaning = plainMeaning(text);
  if (name === 'float' && typeof meaning === 'bigint' && meaning <= MAX_INT64) return Number(meaning);
  if (name === typeOf(meaning)) return meaning;
  throw new InvalidScalar(`!!${name} expected, but "${text}" is not one`);
}

/**
 * Returns the text of a mapping key: in JSON keys are text, so whole numbers and booleans are written out.
 * @throws InvalidScalar for null, a fraction, and an integer beyond 64 signed bits
 */
function keyText(meaning: Meaning): string {
  if (typeof meaning === 'string') return meaning;
  if (meaning === null)
    throw new InvalidScalar('a key is expected before ":", but it is empty or null: name it, or quote it');
  if (typeof meaning === 'number') throw new InvalidScalar(`the number ${meaning} can't be a key: quote it`);
  if (typeof meaning === 'bigint' && meaning > MAX_INT64)
    throw new InvalidScalar(`the number ${meaning} is too large for a key: quote it`);
  return String(meaning);
}

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;
const TYPES = new Set(['bool', 'int', 'float', 'null']);

const words = new Map<string, Meaning>([
  ...spellings(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], true),
  ...spellings(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], false),
  ...spellings(['~', 'null', 'Null', 'NULL'], null),
  ...spellings(['.nan', '.NaN', '.NAN'], Number.NaN),
  ...spellings(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], Number.POSITIVE_INFINITY),
  ...spellings(['-.inf', '-.Inf', '-.INF'], Number.NEGATIVE_INFINITY),
]);

function spellings(texts: readonly string[], meaning: Meaning): [string, Meaning][] {
  return texts.map((text) => [text, meaning]);
}

const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[bB][01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** The Go library also reads a sign after the prefix. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;

/** Returns the number that a text stands for; undefined for other text. Underscores are ignored anywhere. */
function numeral(text: string): Meaning | undefined {
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = wholeNumber(plain);
  if (integer !== undefined) return integer;
  if (FLOAT.test(plain)) return finite(Number(plain));
  const binaryDigits = SIGNED_BINARY.exec(plain);
  if (!binaryDigits) return undefined;
  return inRange(BigInt(`0b${binaryDigits[2]}`), binaryDigits[1] === '-');
}

function wholeNumber(plain: string): bigint | undefined {
  const match = INTEGER.exec(plain);
  if (!match) return undefined;
  const [, sign, prefixed, octal, decimal] = match;
  const digits = octal === undefined ? (prefixed ?? decimal ?? '') : `0o${octal}`;
  const found = inRange(BigInt(digits), sign === '-');
  return sign === '+' && found !== undefined && found > MAX_INT64 ? undefined : found;
}

/** Returns an integer of 64 bits, signed or unsigned, as in Go; undefined beyond, where a text may still be a float. */
function inRange(magnitude: bigint, negative: boolean): bigint | undefined {
  const value = negative ? -magnitude : magnitude;
  return value >= MIN_INT64 && value <= MAX_UINT64 ? value : undefined;
}

/** Returns undefined for an infinite number: Go does not read `1e400` as a number, so it stays text. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function typeOf(meaning: Meaning): string {
  if (meaning === null) return 'null';
  if (typeof meaning === 'boolean') return 'bool';
  if (typeof meaning === 'bigint') return 'int';
  return typeof meaning === 'number' ? 'float' : 'str';
}
