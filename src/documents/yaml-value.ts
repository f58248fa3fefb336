/** Turns the nodes of one YAML document into plain JSON data in one walk, as kubectl's Go library does. */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '../rules/rule.ts';
import { duplicateKey, MAX_DEPTH, setMember, TOO_DEEP } from './plain.ts';
import { Refusal } from './source-text.ts';
import { keyText, type Meaning, Meaningless, plainMeaning, taggedMeaning } from './yaml-scalar.ts';

/**
 * Values that aliases and merges may add to a document. The largest object that Kubernetes stores (1.5 MiB) holds fewer;
 * the Go library stops by ratio, near 400,000.
 */
const MAX_ALIASED = 100_000;

const MERGE_TAG = 'tag:yaml.org,2002:merge';

/** What an anchor stands for, as far as it has been read. */
interface Anchored {
  readonly node: Node;
  value?: Json;
  /** How many values it holds, itself included, and how many levels. */
  size: number;
  height: number;
}

/** The nodes that the aliases of a document stand for. */
export type Targets = ReadonlyMap<Alias, Node>;

export class YamlValues {
  readonly targets = new Map<Alias, Node>();
  readonly #anchors = new Map<string, Anchored>();
  readonly #lineOf: (offset: number) => number;
  #count = 0;
  #aliased = 0;
  #deepest = 0;

  /** `lineOf` tells the line of an offset of the document, for messages. */
  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  /**
   * The plain value of a node. Values behind aliases are shared, not copied.
   * @throws Refusal on what JSON can't say, duplicate keys, unknown and exploding aliases, and too deep nesting
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
      throw refuse(node, `unknown alias *${node.source}: no &${node.source} stands before it in this document`);
    }
    const { value } = found;
    if (value === undefined)
      throw refuse(node, `the alias *${node.source} stands inside of what &${node.source} names`);
    this.targets.set(node, found.node);
    return { ...found, value };
  }

  #map(map: YAMLMap, depth: number): Json {
    const value: Record<string, Json> = {};
    let keys: Map<string, number> | undefined;
    for (const pair of map.items) {
      const key = pair.key as Node | null;
      if (isMergeKey(key)) {
        this.#merge(value, pair.value as Node | null, depth, key);
        continue;
      }
      const text = this.#key(key, pair.value as Node | null);
      const first = keys?.get(text);
      if (first !== undefined) throw refuse(key, duplicateKey(text, this.#lineOf(first)));
      keys ??= new Map();
      keys.set(text, offsetOf(key));
      setMember(value, text, this.read(pair.value as Node | null, depth));
    }
    return value;
  }

  #key(key: Node | null, value: Node | null): string {
    if (isScalar(key) && key.anchor === undefined) return keyOf(key, value);
    const node = isAlias(key) ? this.#target(key).node : key;
    if (!isScalar(node)) throw refuse(key, 'a key must be a single text, not a list or a mapping');
    if (node === key) this.read(key, 0);
    return keyOf(node, value);
  }

  /** What a merge brings overrides what stands before it, and is overridden by what follows: so reads the Go library. */
  #merge(into: Record<string, Json>, from: Node | null, depth: number, key: Node): void {
    const parts = isSeq(from) ? [...from.items].reverse() : [from];
    for (const part of parts as (Node | null)[]) {
      const before = this.#count;
      const merged = this.read(part, depth - 1);
      const node = isAlias(part) ? this.targets.get(part) : part;
      if (!isMap(node))
        throw refuse(part ?? key, 'the merge key << expects a mapping, an alias of one, or a list of these');
      this.#expand(this.#count - before, part ?? key);
      for (const [name, value] of Object.entries(merged as Record<string, Json>)) setMember(into, name, value);
    }
  }

  #reach(depth: number, node: Node): void {
    if (depth > MAX_DEPTH) throw refuse(node, TOO_DEEP);
    if (depth > this.#deepest) this.#deepest = depth;
  }

  #expand(size: number, node: Node): void {
    this.#count += size;
    this.#aliased += size;
    if (this.#aliased > MAX_ALIASED) {
      throw refuse(
        node,
        `the aliases of this document stand for more than ${MAX_ALIASED} values: write out what is meant`,
      );
    }
  }
}

/** Whether a key is `<<`, unquoted: the mapping behind it is merged in. */
export function isMergeKey(key: Node | null): key is Scalar {
  if (!isScalar(key) || key.source !== '<<') return false;
  return key.tag === MERGE_TAG || key.tag === '!' || (key.tag === undefined && key.type === 'PLAIN');
}

/** The text of a key that is a scalar. `value` helps to place what has no text of its own. */
export function keyOf(key: Scalar, value: Node | null): string {
  if (key.tag === undefined && key.type !== 'PLAIN') return key.source ?? '';
  try {
    return keyText(meaningOf(key));
  } catch (error) {
    if (error instanceof Meaningless) throw refuse(key.source ? key : (value ?? key), error.message);
    throw error;
  }
}

/** Where a node begins, by offset of the document. */
export function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function meaningOf(node: Scalar): Meaning {
  const text = node.source ?? '';
  if (node.tag === undefined) return node.type === 'PLAIN' ? plainMeaning(text) : text;
  try {
    return taggedMeaning(node.tag, text);
  } catch (error) {
    if (error instanceof Meaningless) throw refuse(node, error.message);
    throw error;
  }
}

function jsonOf(meaning: Meaning, node: Scalar): Json {
  if (typeof meaning === 'bigint') return Number(meaning);
  if (typeof meaning === 'number' && !Number.isFinite(meaning)) {
    throw refuse(node, `${node.source} is no number in JSON: quote it if text is meant`);
  }
  return meaning;
}

function refuse(node: Node | null, message: string): Refusal {
  return new Refusal(offsetOf(node), message);
}
