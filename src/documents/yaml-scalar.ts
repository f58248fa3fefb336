/**
 * What a YAML scalar means, as kubectl reads it: YAML 1.1 in the reading of the Go library (go.yaml.in/yaml/v2 under
 * sigs.k8s.io/yaml). Booleans are those of 1.1, integers may be written `0o17`, `017`, `0b1`, `0x1f`, `1_000`; dates and
 * `12:30:45` are strings. Proved against that library by the corpus in test/documents.
 */

/** A `bigint` is an integer, a `number` a float (NaN and the infinities too): JSON will not tell them apart, keys do. */
export type Meaning = null | boolean | bigint | number | string;

/** Says why a scalar has no meaning. Its place is the caller's to add. */
export class Meaningless extends Error {}

const TAG = 'tag:yaml.org,2002:';

/** The meaning of a scalar without a tag of its own that stands unquoted. */
export function plainMeaning(text: string): Meaning {
  if (text === '') return null;
  const hint = text.charCodeAt(0);
  if (isDigit(hint) || hint === PLUS || hint === MINUS) return words.get(text) ?? numeral(text) ?? text;
  if (hint === DOT) return words.get(text) ?? fraction(text) ?? text;
  return text.length <= LONGEST_WORD && words.has(text) ? (words.get(text) as Meaning) : text;
}

/**
 * The meaning of a scalar with an explicit tag (in its long form). Tags unknown to Kubernetes leave the text as it is.
 * @throws Meaningless where the text is no such thing
 */
export function taggedMeaning(tag: string, text: string): Meaning {
  const name = tag.startsWith(TAG) ? tag.slice(TAG.length) : undefined;
  if (name === 'binary') return binary(text);
  if (name === undefined || !CHECKED_TAGS.has(name)) return text;
  if (name === 'timestamp' && isTimestamp(text)) return text;
  const meaning = plainMeaning(text);
  if (name === 'float' && typeof meaning === 'bigint' && meaning <= MAX_INT64) return Number(meaning);
  if (name === nameOf(meaning)) return meaning;
  throw new Meaningless(`!!${name} expected, but "${text}" is none`);
}

/**
 * The text of a mapping key: JSON has only text for keys, so numbers and booleans are written out as the Go library does.
 * @throws Meaningless for null, and for an integer beyond 64 signed bits
 */
export function keyText(meaning: Meaning): string {
  if (typeof meaning === 'string') return meaning;
  if (meaning === null)
    throw new Meaningless('a key is expected before ":", but it is empty or null: name it, or quote it');
  if (typeof meaning === 'bigint' && meaning > MAX_INT64) {
    throw new Meaningless(`the number ${meaning} is too large for a key: quote it`);
  }
  return typeof meaning === 'number' ? floatKey(meaning) : String(meaning);
}

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;
const CHECKED_TAGS = new Set(['bool', 'int', 'float', 'null', 'timestamp']);

const words = new Map<string, Meaning>([
  ...spellings(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'], true),
  ...spellings(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'], false),
  ...spellings(['~', 'null', 'Null', 'NULL'], null),
  ...spellings(['.nan', '.NaN', '.NAN'], Number.NaN),
  ...spellings(['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'], Number.POSITIVE_INFINITY),
  ...spellings(['-.inf', '-.Inf', '-.INF'], Number.NEGATIVE_INFINITY),
]);
const LONGEST_WORD = 5;

function spellings(texts: readonly string[], meaning: Meaning): [string, Meaning][] {
  return texts.map((text) => [text, meaning]);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+|0[bB][01]+)|0[oO]?([0-7]+)|([1-9][0-9]*|0))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** The Go library reads the sign behind the prefix too. */
const SIGNED_BINARY = /^0b([-+])([01]+)$/;

/** A number that begins with a digit or a sign; undefined for text. Underscores count for nothing, wherever they stand. */
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

const BARE_FRACTION = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;

function fraction(text: string): number | undefined {
  const plain = text.replaceAll('_', '');
  return BARE_FRACTION.test(plain) ? finite(Number(plain)) : undefined;
}

/** Go refuses to read `1e400` as a number, and it stays text. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function nameOf(meaning: Meaning): string {
  if (meaning === null) return 'null';
  if (typeof meaning === 'boolean') return 'bool';
  if (typeof meaning === 'bigint') return 'int';
  return typeof meaning === 'number' ? 'float' : 'str';
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The text that the bytes spell in UTF-8. */
function binary(text: string): string {
  const digits = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(digits) || digits.length % 4 !== 0) throw new Meaningless('!!binary expects base64 text');
  return Buffer.from(digits, 'base64').toString('utf8');
}

const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const [hour, minute, second] = match.slice(match[4] === undefined ? 7 : 4).map((part) => Number(part ?? 0));
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth) return false;
  return (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
}

/** As the Go library prints a float key: 32 bits wide, shortest digits, an exponent from 1e+06 and 1e-05 on. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits += 1;
  const [mantissa = '', exponent = '0'] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return Number(single.toPrecision(digits)).toString();
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${mantissa}e${power < 0 ? '-' : '+'}${size}`;
}
