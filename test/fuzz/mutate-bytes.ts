/** Mutations of arbitrary bytes. */
import type { Random } from './random.ts';

/** Material for mutations: words of the sources, and other inputs. */
export interface Material {
  readonly words: readonly string[];
  other(): Buffer;
}

type Mutation = (bytes: Buffer, random: Random, material: Material) => Buffer;

const ODD_BYTES = [
  0, 9, 10, 13, 0x20, 0x22, 0x23, 0x26, 0x2a, 0x2d, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x7f, 0x80, 0xff,
];

/** One change, at random. Never longer than `limit`. */
export function mutateBytes(bytes: Buffer, random: Random, material: Material, limit: number): Buffer {
  return random.of(MUTATIONS)(bytes, random, material).subarray(0, limit);
}

const flip: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  return copy;
};

const odd: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  copy[random.below(copy.length)] = random.oneIn(2) ? random.of(ODD_BYTES) : random.below(256);
  return copy;
};

const remove: Mutation = (bytes, random) => {
  const { from, to } = stretch(bytes, random);
  return splice(bytes, from, to, Buffer.alloc(0));
};

const repeat: Mutation = (bytes, random) => {
  const { from, to } = stretch(bytes, random);
  const times = random.oneIn(20) ? 1 + random.below(400) : 1 + random.below(3);
  return splice(bytes, to, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))));
};

const move: Mutation = (bytes, random) => {
  const { from, to } = stretch(bytes, random);
  const at = random.below(bytes.length + 1);
  return splice(bytes, at, random.oneIn(2) ? at : at + (to - from), bytes.subarray(from, to));
};

const word: Mutation = (bytes, random, { words }) => {
  const at = random.below(bytes.length + 1);
  const text = Buffer.from(random.of(words));
  return splice(bytes, at, random.oneIn(2) ? at : at + text.length, text);
};

const insert: Mutation = (bytes, random) => {
  const at = random.below(bytes.length + 1);
  return splice(bytes, at, at, Buffer.from([random.oneIn(2) ? random.of(ODD_BYTES) : random.below(256)]));
};

const cross: Mutation = (bytes, random, { other }) => {
  const them = other();
  const { from, to } = stretch(them, random);
  const at = random.below(bytes.length + 1);
  return splice(bytes, at, random.oneIn(2) ? bytes.length : at, them.subarray(from, to));
};

const MUTATIONS: readonly Mutation[] = [flip, odd, remove, repeat, move, word, word, insert, cross];

function stretch(bytes: Buffer, random: Random): { from: number; to: number } {
  const from = random.below(bytes.length);
  const longest = random.oneIn(8) ? bytes.length : 16;
  return { from, to: Math.min(bytes.length, from + 1 + random.below(longest)) };
}

function splice(bytes: Buffer, from: number, to: number, middle: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(Math.min(to, bytes.length))]);
}
