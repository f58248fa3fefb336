/** Builds messages from what users wrote: values are shortened, and control characters escaped. */
import type { Json, Path } from './json.ts';

/** The most code points of a user's value that a message quotes. */
const QUOTED = 64;

/** A text that needs no escape. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const WORD = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Returns a path as messages show it: `spec.value`, `uses[2]`. A key that is not a plain word is in brackets. */
export function fieldOf(path: Path): string {
  let field = '';
  for (const step of path) {
    if (typeof step === 'string' && WORD.test(step)) field += field === '' ? step : `.${step}`;
    else field += `[${typeof step === 'number' ? step : safeText(step, QUOTED)}]`;
  }
  return field;
}

/** Returns a value as messages show it: a text shortened and escaped, a list or an object only by its type. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return safeText(value, QUOTED);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return value === undefined ? 'nothing' : String(value);
}

/** Returns the type of a value in words: `a number`, `a list`, `an object`. */
export function typeInWords(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : withArticle(typeof value);
}

/** Returns a noun with its indefinite article. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/**
 * Escapes whatever could forge a line, move a cursor, hide, or reorder text: controls, format characters, lone
 * surrogates. And the `##` of `##[…]`, `##vso[…]` and `##teamcity[…]`: CI systems look for such commands anywhere in a
 * line, and the text may be that of an untrusted manifest, folder or cluster.
 */
export function escapeControls(text: string): string {
  // Nearly all texts are ASCII, for which this test takes a tenth of the time of the replacement.
  const printable = PRINTABLE.test(text) ? text : text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escaped);
  return escapeCommands(printable);
}

/** Escapes the `##` that begins a command of a CI system. The result is the same text in JSON. */
export function escapeCommands(text: string): string {
  return text.includes('##') ? text.replace(/(?<=#)#(?=\w{0,16}\[)/g, escaped) : text;
}

function escaped(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

/** Returns an untrusted text as messages and logs show it: shortened to `limit` code points, and escaped. */
export function safeText(text: string, limit: number): string {
  return escapeControls(shorten(text, limit));
}

/** Returns at most `limit` code points of a text; the last one is an ellipsis if something was cut off. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let kept = '';
  let count = 0;
  for (const char of text) {
    if (++count > limit) return `${Array.from(kept).slice(0, -1).join('')}…`;
    kept += char;
  }
  return kept;
}

/**
 * Returns the message of a thrown value, which may be anything. An AggregateError without one, such as that of a
 * connection to several addresses, has those of its errors.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}

/** Returns a count with its noun: `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the first items of a list, and an ellipsis if there are more: `a, b, …`. */
export function firstOf(items: readonly string[], most: number): string {
  return [...items.slice(0, most), ...(items.length > most ? ['…'] : [])].join(', ');
}

/** A list in the data of a message. Each item has a template of its own, which `fill` looks up by its id. */
export class Phrases {
  readonly phrases: readonly Phrase[];
  readonly separator: string;

  constructor(phrases: readonly Phrase[], separator = ', ') {
    this.phrases = phrases;
    this.separator = separator;
  }
}

export interface Phrase {
  readonly phraseId: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Fills the `{{placeholders}}` of a message. Quotes around a placeholder are dropped if the value is not a text:
 * `got "{{value}}"` becomes `got an object`.
 * @param templates of the `Phrases` among the data, by `phraseId`
 */
export function fill(
  template: string,
  data: Readonly<Record<string, unknown>> = {},
  templates: Readonly<Record<string, string>> = {},
): string {
  return template.replace(/"\{\{(\w+)\}\}"|\{\{(\w+)\}\}/g, (_, inQuotes: string | undefined, bare = '') => {
    const value = data[inQuotes ?? bare];
    if (value instanceof Phrases) {
      const texts = value.phrases.map((one) => fill(templates[one.phraseId] ?? '', one.data, templates));
      return texts.join(value.separator);
    }
    return inQuotes !== undefined && typeof value === 'string' ? `"${quoted(value)}"` : quoted(value);
  });
}

/** Returns a file name or a URL as a shell reads it, so that a printed command works when pasted. */
export function shellQuoted(file: string): string {
  return /^[\w.:/-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}

/** Reads `NAME=PATH`; undefined for a plain path, such as `export.yaml` or `./a=b.yaml`. */
export function namedPath(text: string): { readonly name: string; readonly path: string } | undefined {
  const [, name, path] = /^([^=./][^=]*)=(.*)$/s.exec(text) ?? [];
  return name === undefined || path === undefined ? undefined : { name, path };
}
