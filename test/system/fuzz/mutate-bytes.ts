/** Mutations of arbitrary bytes. */
import type { Random } from '../../support/random.ts';

/** Material for mutations: words of the sources, and other inputs. */
export interface Material {
  readonly words: readonly string[];
  other(): Buffer;
}

type Mutation = (bytes: Buffer, random: Random, material: Material) => Buffer;

const ODD_BYTES = Buffer.from('\0\t\n\r "#&*-:[\\]{}\x7f\x80\xff', 'latin1');

/** Returns the bytes with one change at random, never longer than `limit`. */
export function mutateBytes(bytes: Buffer, random: Random, material: Material, limit: number): Buffer {
  return random.of(MUTATIONS)(bytes, random, material).subarray(0, limit);
}

const flip: Mutation = (bytes, random) => {
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  return copy;
};

const odd: Mutation = (bytes, random) =>
  put(bytes, random, Buffer.of(ODD_BYTES[random.below(ODD_BYTES.length)] ?? random.below(256)));

const remove: Mutation = (bytes, random) => {
  const { from, to } = stretch(bytes, random);
  return splice(bytes, from, to, Buffer.alloc(0));
};

const repeat: Mutation = (bytes, random) => {
  const { from, to } = stretch(bytes, random);
  const times = random.oneIn(20) ? 1 + random.below(400) : 1 + random.below(3);
  return splice(bytes, to, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))));
};

const word: Mutation = (bytes, random, { words }) => put(bytes, random, Buffer.from(random.of(words)));

const cross: Mutation = (bytes, random, { other }) => {
  const source = random.oneIn(2) ? bytes : other();
  const { from, to } = stretch(source, random);
  return put(bytes, random, source.subarray(from, to));
};

const MUTATIONS: readonly Mutation[] = [flip, odd, remove, repeat, word, word, cross];

/** Inserts a piece somewhere, or replaces as many bytes by it. */
function put(bytes: Buffer, random: Random, piece: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return splice(bytes, at, random.oneIn(2) ? at : at + piece.length, piece);
}

function stretch(bytes: Buffer, random: Random): { from: number; to: number } {
  const from = random.below(bytes.length);
  const longest = random.oneIn(8) ? bytes.length : 16;
  return { from, to: Math.min(bytes.length, from + 1 + random.below(longest)) };
}

function splice(bytes: Buffer, from: number, to: number, middle: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(Math.min(to, bytes.length))]);
}
