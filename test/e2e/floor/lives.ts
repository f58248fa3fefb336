/** Stored objects, and what is written upon them. */
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';

export interface Parts {
  readonly spec?: Json | undefined;
  readonly status?: Json | undefined;
  readonly labels?: Json | undefined;
}

export interface Life {
  readonly stored: Parts;
  readonly next: readonly Parts[];
}

/** Some hundred lives, each with a few writes that leave most of it as it is stored. */
export function lives(parts: fc.Arbitrary<Parts>, count: number, writes: number): Life[] {
  const life = fc.record({
    stored: parts,
    next: fc.array(parts, { minLength: writes, maxLength: writes }),
    keep: fc.infiniteStream(fc.boolean()),
  });
  const sampled = fc.sample(life, count);
  return sampled.map(({ stored, next, keep }) => ({
    stored,
    next: next.map((one) => merge(stored as Json, one as Json, () => keep.next().value, 3) as Parts),
  }));
}

/** An object of a base's kind and namespace, with another name and other parts. */
export function whole(base: JsonObject, name: string, { spec, status, labels }: Parts): JsonObject {
  const { namespace } = base['metadata'] as { namespace?: string };
  const place = namespace === undefined ? {} : { namespace };
  return {
    apiVersion: base['apiVersion'] as string,
    kind: base['kind'] as string,
    metadata: { name, ...place, ...(labels === undefined ? {} : { labels }) },
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

function merge(a: Json | undefined, b: Json | undefined, keeps: () => boolean, depth: number): Json | undefined {
  if (depth === 0 || !isPlain(a) || !isPlain(b)) return keeps() ? a : b;
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const members = keys.map((key) => [key, merge(a[key], b[key], keeps, depth - 1)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
}

function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
