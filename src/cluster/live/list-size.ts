/** How large an object is, and how deep: told without recursion, since an API server stores what recursion can't survive. */
import type { Json } from '../../rules/rule.ts';

/** Levels; those of the decoder of reviews. */
const DEEPEST = 200;

/** Roughly the characters of its JSON; infinite for one of more than 200 levels. */
export function sizeOf(value: Json): number {
  let size = 0;
  const waiting: [Json, number][] = [[value, 1]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [here, depth] = next;
    if (depth > DEEPEST) return Number.POSITIVE_INFINITY;
    size += 4;
    if (typeof here === 'string') size += here.length;
    if (typeof here !== 'object' || here === null) continue;
    if (Array.isArray(here)) for (const item of here) waiting.push([item, depth + 1]);
    else
      for (const [key, member] of Object.entries(here)) {
        size += key.length;
        waiting.push([member, depth + 1]);
      }
  }
  return size;
}
