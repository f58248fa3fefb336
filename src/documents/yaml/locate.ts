/** Locates values of a YAML document by its nodes. */
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Path } from '../../rules/rule.ts';
import type { Span } from '../source.ts';
import { isMergeKey, keyOf, offsetOf, type Targets } from './values.ts';

interface Member {
  readonly key: Node | null;
  readonly value: Node | null;
}

/**
 * Returns where the value at a path is. An alias is followed only to values inside it. For a value that is missing or has no
 * text (`key:`): the nearest key above, or else value.
 */
export function locateInYaml(root: Node | null, path: Path, targets: Targets): Span {
  let here: Member = { key: null, value: root };
  for (const step of path) {
    const next = memberOf(followed(here.value, targets), step, targets);
    if (!next) return spanOf(here.key ?? here.value);
    here = next;
  }
  return spanOf(hasText(here.value) ? here.value : (here.key ?? here.value));
}

/** A block scalar gets no end: it is after the last line break. */
function spanOf(node: Node | null): Span {
  const start = offsetOf(node);
  const ends = isAlias(node) || (isScalar(node) && !node.type?.startsWith('BLOCK'));
  return { start, end: ends ? node.range?.[1] : undefined };
}

function hasText(node: Node | null): boolean {
  return node !== null && !(isScalar(node) && node.type === 'PLAIN' && node.source === '');
}

function followed(node: Node | null, targets: Targets): Node | null {
  return isAlias(node) ? (targets.get(node) ?? null) : node;
}

function memberOf(node: Node | null, step: string | number, targets: Targets): Member | undefined {
  if (isSeq(node)) {
    const value = node.items[Number(step)] as Node | null | undefined;
    return value === undefined ? undefined : { key: null, value };
  }
  return isMap(node) ? inMap(node, String(step), targets) : undefined;
}

/** The last member counts, as for the value: a merge overrides the members before it. */
function inMap(map: YAMLMap, name: string, targets: Targets): Member | undefined {
  for (const pair of map.items.toReversed()) {
    const key = pair.key as Node | null;
    const value = pair.value as Node | null;
    if (isMergeKey(key)) {
      const merged = inMerge(value, name, targets);
      if (merged) return merged;
      continue;
    }
    const scalar = followed(key, targets);
    if (isScalar(scalar) && keyOf(scalar, value) === name) return { key, value };
  }
  return undefined;
}

function inMerge(from: Node | null, name: string, targets: Targets): Member | undefined {
  const parts = isSeq(from) ? (from.items as (Node | null)[]) : [from];
  for (const part of parts) {
    const map = followed(part, targets);
    const found = isMap(map) ? inMap(map, name, targets) : undefined;
    if (found) return found;
  }
  return undefined;
}
