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
import type { Json } from '../../base/json.ts';
import { quoted } from '../../base/text.ts';
import { isInside, MAX_BYTES, realPathOf, statOf } from '../../documents/files.ts';
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
  /**
   * Copies a file, and the links that lead to it.
   * @param text what the file has in the copy; default: what it has
   * @throws Error beyond the limits
   */
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
function copyLinks(path: string, at: (path: string) => string): string {
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
    const inline = new Map<unknown, string>();
    for (const text of kustomization.inline) {
      const name = `an inline generator or transformer${within(at, folder)}`;
      inline.set(text, copyConfiguration(text, name, at, repository, copy));
    }
    const content = JSON.stringify(kustomization.value, (_, value: unknown) => inline.get(value) ?? value);
    copy.add(join(at, basename(kustomization.file)), content);
  }
  for (const one of referred) {
    const problem = referenceProblem(one, all, repository);
    const name = `${one.field} "${quoted(one.path)}"${within(one.folder, folder)}`;
    if (problem !== undefined) throw new Error(`${name} ${problem}`);
    const stat = statSync(one.target);
    if (stat.isDirectory()) copyLinks(one.target, copy.at);
    else if (!CONFIGURING.includes(one.field)) copy.add(one.target);
    else if (stat.size > LONGEST_CONFIGURATION) throw new Error(`${name} is too large`);
    else {
      const text = readFileSync(one.target, 'utf8');
      copy.add(one.target, copyConfiguration(text, name, one.folder, repository, copy));
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

/**
 * Returns the configuration of generators or transformers as muster has read it, and copies the files that it names:
 * paths in the folder of the kustomization that lists it.
 * @throws Error if it can't be read, or names a URL
 */
function copyConfiguration(
  text: string,
  name: string,
  folder: string,
  repository: string | undefined,
  copy: Copy,
): string {
  const { documents, errors } = readDocuments(text, '');
  if (errors[0]) throw new Error(`${name} can't be read: ${errors[0].message}`);
  const values = documents.map(({ value }) => value);
  const texts = values.flatMap(textsIn);
  if (texts.some((one) => /https?:/i.test(one))) throw new Error(`${name} names a URL, and ${NOTHING}`);
  // A text of `files` may be `KEY=FILE`, and any name of a file may have a `=`.
  const names = texts.filter((one) => !one.includes('\n')).flatMap((one) => [one, one.replace(/^[^=]*=/, '')]);
  for (const path of new Set(names.map((one) => join(folder, one)))) {
    if (!isInside(path, folder) || !statOf(path)?.isFile()) continue;
    if (repository === undefined || isInside(realpathSync(path), repository)) copy.add(path);
  }
  return values.map((value) => `${JSON.stringify(value)}\n`).join('---\n');
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
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
        const target = realPathOf(path);
        // A link that leads nowhere is its own target.
        if (target === path || !isInside(target, root))
          throw new Error(`${shown} is a link that leads out of the chart`);
        copyLinks(path, copy.at);
      } else if (entry.isFile()) copy.add(path);
      else throw new Error(`${shown} is neither a file nor a folder`);
    }
  }
}
