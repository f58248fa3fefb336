/** Locates values of a YAML document by its nodes. */
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { Path } from '../../rules/rule.ts';
import type { Span } from '../source.ts';
import { type Nodes, offsetOf } from './values.ts';

/**
 * Returns where the value at a path is. An alias is followed only to values inside it. For a value that is missing or has no
 * text (`key:`): the nearest key above, or else value.
 */
export function locateInYaml(root: Node | null, path: Path, { targets, members }: Nodes): Span {
  let [key, value]: (Node | null)[] = [null, root];
  for (const step of path) {
    const node = isAlias(value) ? targets.get(value) : value;
    const item = isSeq(node) ? (node.items[Number(step)] as Node | null | undefined) : undefined;
    const next = item === undefined && isMap(node) ? members.get(node)?.get(String(step)) : { key: null, value: item };
    if (next?.value === undefined) return spanOf(key ?? value);
    ({ key, value } = next);
  }
  return spanOf(hasText(value) ? value : (key ?? value));
}

/** A block scalar gets no end: it is after the last line break. */
function spanOf(node: Node | null | undefined): Span {
  const start = offsetOf(node ?? null);
  const ends = isAlias(node) || (isScalar(node) && !node.type?.startsWith('BLOCK'));
  return { start, end: ends ? node.range?.[1] : undefined };
}

function hasText(node: Node | null | undefined): node is Node {
  return node != null && !(isScalar(node) && node.type === 'PLAIN' && node.source === '');
}
