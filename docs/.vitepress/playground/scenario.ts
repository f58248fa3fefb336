/** What the playground evaluates, as texts of its editors and fields, and the link that carries it in its fragment. */

/** One write and all that the verdict depends on. Everything is text, as it stands in the editors and fields. */
export interface Write {
  /** `CREATE`, `UPDATE` or `DELETE`. */
  readonly operation: string;
  /** Empty or `status`. */
  readonly subresource: string;
  /** The new object. Not read on DELETE. */
  readonly object: string;
  /** The stored object. Not read on CREATE. */
  readonly old: string;
  /** The other objects of the cluster. */
  readonly state: string;
  /** A MusterConfiguration; empty: the defaults. */
  readonly configuration: string;
  /** Empty: not known, as for a file in CI. */
  readonly user: string;
  /** Names with commas between. */
  readonly groups: string;
  /** RFC 3339; empty: the time of the browser. */
  readonly now: string;
}

/** The objects of two clusters with their names, and the configuration for both. */
export interface Clusters {
  readonly first: string;
  readonly second: string;
  /** An inventory object stands for the cluster of its name. */
  readonly firstName: string;
  readonly secondName: string;
  readonly configuration: string;
}

export type Shared =
  | { readonly kind: 'write'; readonly value: Write }
  | { readonly kind: 'clusters'; readonly value: Clusters };

export const emptyWrite: Write = {
  operation: 'CREATE',
  subresource: '',
  object: '',
  old: '',
  state: '',
  configuration: '',
  user: '',
  groups: '',
  now: '',
};
export const emptyClusters: Clusters = {
  first: '',
  second: '',
  firstName: 'first',
  secondName: 'second',
  configuration: '',
};

/** UTF-16 units of a fragment; browsers and chat programs cut longer links. */
export const LONGEST_FRAGMENT = 32_000;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  operation: ['CREATE', 'UPDATE', 'DELETE'],
  subresource: ['', 'status'],
};

/**
 * Returns the fragment, without `#`, of a link to the example; undefined if it would be too long. Empty texts are left
 * out.
 */
export function fragmentOf({ kind, value }: Shared): string | undefined {
  const filled = Object.entries(value).filter(([, text]) => text !== '');
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(filled)));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const fragment = `${kind}=${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  return fragment.length > LONGEST_FRAGMENT ? undefined : fragment;
}

/** Returns the fragment, without `#`, of a link to an example of the menu. */
export function fragmentOfExample(name: string): string {
  return `example=${encodeURIComponent(name)}`;
}

/** Returns the name of the example in a fragment, without `#`; undefined for another fragment. */
export function exampleIn(fragment: string): string | undefined {
  const [, name] = /^example=(.*)$/s.exec(fragment) ?? [];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

/**
 * Reads a fragment, without `#`.
 * @returns the example, the reason why it can't be read, or undefined for a fragment that is no example, such as that
 *   of a heading
 */
export function readFragment(fragment: string): Shared | { readonly problem: string } | undefined {
  const [, kind, encoded] = /^(write|clusters)=(.*)$/s.exec(fragment) ?? [];
  if (kind === undefined || encoded === undefined) return undefined;
  if (fragment.length > LONGEST_FRAGMENT) return { problem: `it is longer than ${LONGEST_FRAGMENT} characters` };
  const parsed = parse(encoded);
  if (parsed === undefined) return { problem: 'it is cut off or changed: its fragment is no base64url of JSON' };
  const empty = kind === 'write' ? emptyWrite : emptyClusters;
  const problem = problemOf(parsed, empty);
  if (problem !== undefined) return { problem };
  return { kind, value: { ...empty, ...(parsed as object) } } as Shared;
}

function parse(encoded: string): unknown {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function problemOf(parsed: unknown, empty: object): string | undefined {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'its content is no JSON object';
  for (const [key, value] of Object.entries(parsed)) {
    if (!Object.hasOwn(empty, key)) return 'it has a field that the playground does not have';
    if (typeof value !== 'string') return `its field "${key}" is no text`;
    if (CHOICES[key]?.includes(value) === false) return `its field "${key}" must be one of ${CHOICES[key].join(', ')}`;
  }
  return undefined;
}
