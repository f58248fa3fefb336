/** Files as SARIF names them: URIs, relative to the root of the sources where they lie within it. */
import { pathToFileURL } from 'node:url';
import { within } from './report.ts';

export interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: string;
  readonly description?: { readonly text: string };
}

export const SOURCE_ROOT = '%SRCROOT%';

/** What `<stdin>` and the like stand for: no file at all. */
const DESCRIPTIONS: Readonly<Record<string, string>> = { stdin: 'standard input', cluster: 'the cluster' };

/** `root` undefined: what is called a file is none (an object in a cluster), and its name stands as it is. */
export function artifactLocation(file: string, root: string | undefined): ArtifactLocation {
  const source = /^<(\w+)>$/.exec(file)?.[1];
  if (source !== undefined) return { uri: source, description: { text: DESCRIPTIONS[source] ?? source } };
  if (root === undefined) return { uri: encoded(file) };
  const path = within(root, file);
  if (path === undefined) return { uri: pathToFileURL(wellFormed(file)).href };
  return { uri: encoded(path === '' ? '.' : path), uriBaseId: SOURCE_ROOT };
}

/** Half a character has no code in a URI. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

/** Each part of the path by itself: a `:` in the first would make it a scheme. */
function encoded(path: string): string {
  return wellFormed(path).split('/').map(encodeURIComponent).join('/');
}
