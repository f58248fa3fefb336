/**
 * Converts the nodes of one YAML document to JSON data in one walk, as kubectl's Go library does, and locates values.
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
import { type Json, MAX_DEPTH, type Path } from '../../base/json.ts';
import { duplicateKey, ParseError, type Span, setMember, TOO_DEEP } from '../source.ts';
import { InvalidScalar, keyText, type Meaning, plainMeaning, taggedMeaning } from './scalar.ts';

/**
 * Values that aliases and merges may add to a document. The largest object that Kubernetes stores (1.5 MiB) holds
 * fewer; the Go library stops by ratio, near 400,000.
 */
const MAX_ALIASED = 100_000;

/** An anchor; `value` is set once it is read. */
interface Anchored {
  readonly node: Node;
  value?: Json;
  /** The number of values in it, itself included, and of levels. */
  size: number;
  height: number;
}

/** A member of a mapping. */
type Member = Pair<Node | null, Node | null>;

/** The values of a document, which takes about thirty times the memory of its text. */
export class YamlValues {
  readonly #root: Node | null;
  /** The node of each alias. */
  readonly #targets = new Map<Alias, Node>();
  /** The member that counts for each name of a mapping. */
  readonly #members = new Map<YAMLMap, Map<string, Member>>();
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
    const members = new Map<string, Member>();
    this.#members.set(map, members);
    // Names that came only by a merge, which may still be used.
    let merged: Set<string> | undefined;
    for (const pair of map.items as Member[]) {
      const { key, value } = pair;
      if (isMergeKey(key)) {
        merged ??= new Set();
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

  /** As in the Go library, a merge overrides the members before it, and the members after it override the merge. */
  #merge({ result, members, merged }: Merging, from: Node | null, depth: number, key: Node): void {
    const parts = (isSeq(from) ? from.items.toReversed() : [from]) as (Node | null)[];
    for (const part of parts) {
      const value = this.read(part, depth - 1);
      const node = isAlias(part) ? this.#targets.get(part) : part;
      const problem = 'the merge key << expects a mapping, an alias of one, or a list of these';
      if (!isMap(node)) throw errorAt(part ?? key, problem);
      const entries = Object.entries(value as Record<string, Json>);
      this.#expand(entries.length, part ?? key);
      for (const [name, inner] of entries) setMember(result, name, inner);
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

/** The mapping that a merge adds to. */
interface Merging {
  readonly result: Record<string, Json>;
  readonly members: Map<string, Member>;
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

/** A block scalar gets no end: it is after the last line break. */
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
