/** The bounds of a document, and what YAML and JSON documents have in common. */
import { type Json, MAX_DEPTH } from '../base/json.ts';
import { ParseError } from './source.ts';

export const TOO_DEEP = `more than ${MAX_DEPTH} levels of nesting: no Kubernetes object is that deep`;

/**
 * Characters of a document: a list of all objects in a large cluster fits. While it is read, YAML takes about eighty
 * times as much memory, JSON five times.
 */
export const MAX_LENGTH = { YAML: 16 * 2 ** 20, JSON: 64 * 2 ** 20 };

/** From this length on, in characters, the parsed tree is kept to locate values: parsing again takes milliseconds. */
export const KEEP_LENGTH = 16_384;

/**
 * Refuses control characters, the invisible line breaks of YAML 1.1, at which kubectl would break lines, and byte order
 * marks: after one, kubectl's library can leave out the first character of a line.
 *
 * @throws ParseError
 */
export function refuseCharacters(text: string): void {
  const found = SUSPECT.test(text) ? FORBIDDEN.exec(text) : null;
  if (found) throw invisibleCharacter(found.index, found[0]);
}

/** Returns the error for a character that a document may not have. */
export function invisibleCharacter(offset: number, character: string): ParseError {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const fix = `remove it, or write "\\u${code}" in quotes`;
  return new ParseError(offset, `the invisible character U+${code} is not allowed: ${fix}`);
}

/** With surrogate pairs, which are allowed. Without the flag `u` a search is several times faster. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
const FORBIDDEN = /(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** Returns the message for a document that is too large. */
export function tooLarge(format: keyof typeof MAX_LENGTH): string {
  const limit = `a document may have ${MAX_LENGTH[format] / 2 ** 20} MiB`;
  const fix =
    format === 'YAML' ? 'separate its objects by lines of ---, or give it as JSON' : 'give its objects one by one';
  return `${limit} as ${format}: ${fix}`;
}

/** Returns the message for a key that occurs twice in a mapping. */
export function duplicateKey(key: string, firstLine?: number): string {
  const first = firstLine === undefined ? '' : ` it is already on line ${firstLine};`;
  return `duplicate key "${key}":${first} keep one of the two`;
}

/** Sets a member as an own property, `__proto__` too. */
export function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
