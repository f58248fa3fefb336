/**
 * Copies the files that a program needs to render a folder. Refuses files that would be fetched, or that lead out of
 * the repository. The program sees the copy only, in which each kustomization is as muster has read it, so that it
 * renders exactly the checked files.
 */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { quoted } from '../../base/text.ts';
import { isInside, MAX_BYTES, statOf } from '../../documents/files.ts';
import { readDocuments } from '../../documents/index.ts';
import { CONFIGURING } from '../layouts/kustomization.ts';
import type { Kustomizations, Referred } from '../layouts/kustomizations.ts';

/** Bytes of a file that configures a generator or transformer. */
const LONGEST_CONFIGURATION = 4 * 2 ** 20;
/** Files and folders of a chart; Helm itself reads at most 5 MiB of each. */
const MOST_FILES = 10_000;
const NOTHING = '--render fetches nothing: keep a copy of it in the repository';

/** A folder in which files of the repository have the same paths. */
export interface Copy {
  /** Returns where a path of the repository is in the copy. */
  at(path: string): string;
  /** Copies a file, and the links that lead to it. @throws Error beyond the limits */
  add(path: string, text?: string): void;
}

/** Returns an empty copy in a folder. */
export function createCopy(to: string): Copy {
  let size = 0;
  const at = (path: string) => join(to, path);
  return {
    at,
    add(path, text) {
      const real = copyLinks(path, at);
      const target = at(real);
      mkdirSync(dirname(target), { recursive: true });
      if (text !== undefined) return writeFileSync(target, text, { mode: 0o600 });
      // A text that muster has read is not replaced.
      if (lstatSync(target, { throwIfNoEntry: false })) return;
      const { size: own } = statSync(real);
      size += own;
      if (size > MAX_BYTES) throw new Error('its files are too large: check fewer folders');
      copyFileSync(real, target);
    },
  };
}

/** Creates the links of a path in the copy, and returns the path without links. */
function copyLinks(path: string, at: Copy['at']): string {
  let real: string = sep;
  for (const name of path.split(sep).filter(Boolean)) {
    const next = join(real, name);
    const isLink = lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    real = isLink ? realpathSync(next) : next;
    if (!isLink || lstatSync(at(next), { throwIfNoEntry: false })) continue;
    mkdirSync(dirname(at(next)), { recursive: true });
    symlinkSync(at(real), at(next));
  }
  return real;
}

/** Copies a kustomization with all that it refers to. @throws Error that says why it can't be rendered */
export function copyKustomization(
  folder: string,
  all: Kustomizations,
  repository: string | undefined,
  copy: Copy,
): void {
  const referred = all.referredBy(folder);
  for (const at of new Set([folder, ...referred.map((one) => all.tree.folderAt(one.target))])) {
    const kustomization = all.in(at);
    if (kustomization === undefined) continue;
    if (kustomization.usesHelm)
      throw new Error(
        `it inflates Helm charts${within(at, folder)}, which --render does not do: ` +
          'kustomize build --enable-helm … | muster check -',
      );
    const inline = new Map<string, string>();
    for (const text of kustomization.inline) {
      const configuration = configurationOf(text, `an inline generator or transformer${within(at, folder)}`);
      inline.set(text, configuration.text);
      addNamedFiles(configuration.values, at, repository, copy);
    }
    copy.add(join(at, basename(kustomization.file)), JSON.stringify(withInline(kustomization.value, inline)));
  }
  for (const one of referred) {
    const problem = referenceProblem(one, all, repository);
    const name = `${one.field} "${quoted(one.path)}"${within(one.folder, folder)}`;
    if (problem !== undefined) throw new Error(`${name} ${problem}`);
    if (statSync(one.target).isDirectory()) {
      copyLinks(one.target, copy.at);
    } else if (!CONFIGURING.includes(one.field)) {
      copy.add(one.target);
    } else {
      if (statSync(one.target).size > LONGEST_CONFIGURATION) throw new Error(`${name} is too large`);
      const { text, values } = configurationOf(readFileSync(one.target, 'utf8'), name);
      copy.add(one.target, text);
      addNamedFiles(values, one.folder, repository, copy);
    }
  }
}

/** Names the folder of a kustomization that another one refers to. */
function within(at: string, folder: string): string {
  return at === folder ? '' : ` in ${quoted(relative(folder, at))}`;
}

function referenceProblem({ field, path, target }: Referred, all: Kustomizations, repository?: string) {
  if (isRemote(path)) return `is remote, and ${NOTHING}`;
  const stat = statOf(target);
  if (stat === undefined) return `does not exist, and ${NOTHING}`;
  if (repository !== undefined && !isInside(realpathSync(target), repository)) return 'leads out of the repository';
  if (!stat.isDirectory()) return stat.isFile() ? undefined : 'is neither a file nor a folder';
  // kustomize builds such a folder first: a patch in it can put a URL together.
  if (CONFIGURING.includes(field)) return 'is a folder, which can name a URL unseen: list its files';
  return all.in(all.tree.folderAt(target)) ? undefined : 'is a folder without a kustomization that can be read';
}

/**
 * Returns whether kustomize takes a path for a repository or URL (`git.NewRepoSpecFromURL`), even if it is a folder.
 */
function isRemote(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^github\.com\/|^[^/]*@|:\/\/|\?|\/\/|\.git(\/|$)|_git\//i.test(path);
}

/** Parses the configuration of plugins. @throws Error if it can't be read, or names a URL */
function configurationOf(text: string, name: string): { readonly text: string; readonly values: readonly Json[] } {
  const { documents, errors } = readDocuments(text, '');
  if (errors[0]) throw new Error(`${name} can't be read: ${errors[0].message}`);
  const values = documents.map(({ value }) => value);
  if (values.flatMap(textsIn).some((one) => /https?:/i.test(one)))
    throw new Error(`${name} names a URL, and ${NOTHING}`);
  return { text: values.map((value) => `${JSON.stringify(value)}\n`).join('---\n'), values };
}

/**
 * Copies the files that generators and transformers name: paths in the folder of the kustomization that lists them.
 */
function addNamedFiles(values: readonly Json[], folder: string, repository: string | undefined, copy: Copy): void {
  // A text of `files` may be `KEY=FILE`, and any name of a file may have a `=`.
  const texts = values.flatMap(textsIn).filter((text) => !text.includes('\n'));
  for (const name of new Set(texts.flatMap((text) => [text, text.replace(/^[^=]*=/, '')]))) {
    const path = join(folder, name);
    if (!isInside(path, folder)) continue;
    if (!statOf(path)?.isFile()) continue;
    if (repository === undefined || isInside(realpathSync(path), repository)) copy.add(path);
  }
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Replaces the texts of inline configurations. */
function withInline(value: Json, inline: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return inline.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => withInline(one, inline));
  if (!isObject(value) || inline.size === 0) return value;
  const entries = Object.entries(value as JsonObject).map(([key, one]) => [key, withInline(one, inline)] as const);
  return Object.fromEntries(entries);
}

/** Copies a chart. Helm follows links, so none may lead out of it. @throws Error that says why it can't be rendered */
export function copyChart(folder: string, copy: Copy): void {
  const root = realpathSync(folder);
  const waiting = [root];
  let count = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    mkdirSync(copy.at(at), { recursive: true });
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      const shown = `"${quoted(path.slice(root.length + 1))}"`;
      if (++count > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isSymbolicLink()) {
        if (!isInside(linkTarget(path), root)) throw new Error(`${shown} is a link that leads out of the chart`);
        copyLinks(path, copy.at);
      } else if (entry.isFile()) copy.add(path);
      else throw new Error(`${shown} is neither a file nor a folder`);
    }
  }
}

/** Returns the real path of a link; an empty text if it leads nowhere, which is outside of any folder. */
function linkTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
