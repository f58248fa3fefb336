/**
 * Resolves YAML scalars as kubectl does: YAML 1.1 as the Go library reads it (go.yaml.in/yaml/v2 under
 * sigs.k8s.io/yaml). Booleans are those of 1.1; integers may be `0o17`, `017`, `0b1`, `0x1f`, `1_000`; dates and
 * `12:30:45` are strings. The corpus in test/unit/documents compares it with that library.
 */

/**
 * A `bigint` is an integer, a `number` a float (NaN and the infinities too): JSON has one type for both, but keys
 * differ.
 */
export type Meaning = null | boolean | bigint | number | string;

/** The message says why a scalar has no meaning; the caller adds the location. */
export class InvalidScalar extends Error {}

const TAG = 'tag:yaml.org,2002:';

/** Returns the meaning of an unquoted scalar without a tag. */
export function plainMeaning(text: string): Meaning {
  if (text === '') return null;
  const word = words.get(text);
  if (word !== undefined) return word;
  return /^[-+.0-9]/.test(text) ? (numeral(text) ?? text) : text;
}

/**
 * Returns the meaning of a scalar with an explicit tag (in its long form).
 * @throws InvalidScalar if the text has no value of that type
 */
export function taggedMeaning(tag: string, text: string): Meaning {
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
export function keyText(meaning: Meaning): string {
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
/** The Go library reads the sign behind the prefix too. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;

/** A number; undefined for text. Underscores count for nothing, wherever they stand. */
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

/** Go has 64 bits, signed or not; what is larger is a float where the text looks like one, else text. */
function inRange(magnitude: bigint, negative: boolean): bigint | undefined {
  const value = negative ? -magnitude : magnitude;
  return value >= MIN_INT64 && value <= MAX_UINT64 ? value : undefined;
}

/** Go refuses to read `1e400` as a number, and it stays text. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function typeOf(meaning: Meaning): string {
  if (meaning === null) return 'null';
  if (typeof meaning === 'boolean') return 'bool';
  if (typeof meaning === 'bigint') return 'int';
  return typeof meaning === 'number' ? 'float' : 'str';
}
