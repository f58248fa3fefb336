/** Converts the nodes of one YAML document to plain JSON data in one walk, as kubectl's Go library does. */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../../rules/rule.ts';
import { duplicateKey, MAX_DEPTH, setMember, TOO_DEEP } from '../limits.ts';
import { ParseError } from '../source.ts';
import { InvalidScalar, keyText, type Meaning, plainMeaning, taggedMeaning } from './scalar.ts';

/**
 * Values that aliases and merges may add to a document. The largest object that Kubernetes stores (1.5 MiB) holds fewer;
 * the Go library stops by ratio, near 400,000.
 */
const MAX_ALIASED = 100_000;

const MERGE_TAG = 'tag:yaml.org,2002:merge';

/** An anchor; `value` is set once it is read. */
interface Anchored {
  readonly node: Node;
  value?: Json;
  /** The number of values in it, itself included, and of levels. */
  size: number;
  height: number;
}

/** A member of a mapping by its nodes. */
export interface Member {
  readonly key: Node | null;
  readonly value: Node | null;
  /** Whether it came only by a merge, so that its name may still be used. */
  readonly isMerged: boolean;
}

/** What locating needs besides the nodes of a document. */
export interface Nodes {
  /** The node of each alias. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** The member that counts for each name of a mapping. */
  readonly members: ReadonlyMap<YAMLMap, ReadonlyMap<string, Member>>;
}

export class YamlValues implements Nodes {
  readonly targets = new Map<Alias, Node>();
  readonly members = new Map<YAMLMap, Map<string, Member>>();
  readonly #anchors = new Map<string, Anchored>();
  readonly #lineOf: (offset: number) => number;
  #count = 0;
  #aliased = 0;
  #deepest = 0;

  /** @param lineOf returns the line of an offset of the document, for messages */
  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  /**
   * Returns the plain value of a node. Values of aliases are shared, not copied.
   * @throws ParseError on values that JSON lacks, duplicate keys, unknown and exploding aliases, and too deep nesting
   */
  read(node: Node | null, depth: number): Json {
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
    const [countBefore, deepestBefore] = [this.#count, this.#deepest];
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
    this.targets.set(node, found.node);
    return { ...found, value };
  }

  #map(map: YAMLMap, depth: number): Json {
    const result: Record<string, Json> = {};
    const members = new Map<string, Member>();
    this.members.set(map, members);
    for (const pair of map.items) {
      const [key, value] = [pair.key, pair.value] as [Node | null, Node | null];
      if (isMergeKey(key)) {
        this.#merge(result, members, value, depth, key);
        continue;
      }
      const name = this.#key(key, value);
      const first = members.get(name);
      if (first?.isMerged === false) throw errorAt(key, duplicateKey(name, this.#lineOf(offsetOf(first.key))));
      members.set(name, { key, value, isMerged: false });
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
  #merge(into: Record<string, Json>, members: Map<string, Member>, from: Node | null, depth: number, key: Node): void {
    const parts = (isSeq(from) ? from.items.toReversed() : [from]) as (Node | null)[];
    for (const part of parts) {
      const before = this.#count;
      const merged = this.read(part, depth - 1);
      const node = isAlias(part) ? this.targets.get(part) : part;
      const problem = 'the merge key << expects a mapping, an alias of one, or a list of these';
      if (!isMap(node)) throw errorAt(part ?? key, problem);
      this.#expand(this.#count - before, part ?? key);
      for (const [name, value] of Object.entries(merged as Record<string, Json>)) setMember(into, name, value);
      for (const [name, member] of this.members.get(node) ?? []) {
        members.set(name, { ...member, isMerged: members.get(name)?.isMerged ?? true });
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
        `the aliases of this document stand for more than ${MAX_ALIASED} values: write out what is meant`,
      );
    }
  }
}

/** Returns whether a key is `<<`, unquoted, which merges a mapping. */
function isMergeKey(key: Node | null): key is Scalar {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === MERGE_TAG || key.tag === '!' || (key.tag === undefined && key.type === 'PLAIN');
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
    throw errorAt(node, `${node.source} is no number in JSON: quote it if text is meant`);
  }
  return meaning;
}

function errorAt(node: Node | null, message: string): ParseError {
  return new ParseError(offsetOf(node), message);
}
