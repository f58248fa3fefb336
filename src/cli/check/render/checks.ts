/** What is refused before a program renders a folder: whatever would be fetched, or leads out of the repository. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Layout, type Referred, referredBy } from '../../../cluster/files/index.ts';
import { isInside } from '../../../cluster/files/walk.ts';
import { readDocuments } from '../../../documents/index.ts';
import { quoted } from '../../../engine/text.ts';
import { textAt } from '../../../rules/json.ts';
import type { Json } from '../../../rules/rule.ts';

/** Bytes of a file that configures a generator or transformer. */
const LONGEST_CONFIGURATION = 4 * 2 ** 20;
/** Files and folders of a chart; Helm itself reads at most 5 MiB of each. */
const MOST_FILES = 10_000;

/** Returns the real path of the nearest folder with a `.git` entry at or above a folder. */
export function repositoryOf(folder: string): string | undefined {
  const real = realpathSync(folder);
  if (lstatSync(join(real, '.git'), { throwIfNoEntry: false })) return real;
  return dirname(real) === real ? undefined : repositoryOf(dirname(real));
}

/** Returns why a kustomization can't be rendered, in words that fit after its name. */
export function kustomizationProblem(
  folder: string,
  layout: Layout,
  repository: string | undefined,
): string | undefined {
  const referred = referredBy(folder, layout);
  for (const at of new Set([folder, ...referred.map((one) => one.folder)])) {
    const kustomization = layout.kustomizationIn(at);
    if (kustomization?.usesHelm)
      return 'it inflates Helm charts, which --render does not do: kustomize build --enable-helm … | muster check -';
    if (kustomization?.inline.some(namesUrl)) return `an inline generator or transformer names a URL, and ${NOTHING}`;
  }
  for (const one of referred) {
    const problem = referenceProblem(one, layout, repository);
    if (problem !== undefined) return `${one.field} "${quoted(one.path)}" ${problem}`;
  }
  return undefined;
}

const NOTHING = '--render fetches nothing: keep a copy of it in the repository';

function referenceProblem({ field, path, target }: Referred, layout: Layout, repository?: string): string | undefined {
  if (isRemote(path)) return `is remote, and ${NOTHING}`;
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return `is no file or folder here, and ${NOTHING}`;
  if (repository !== undefined && !isInside(realpathSync(target), repository)) return 'leads out of the repository';
  if (stat.isDirectory()) {
    return layout.kustomizationIn(target) ? undefined : 'is a folder without a kustomization that can be read';
  }
  const isConfiguration = CONFIGURING.has(field) && stat.isFile() && stat.size <= LONGEST_CONFIGURATION;
  return isConfiguration && namesUrl(readFileSync(target, 'utf8')) ? `names a URL, and ${NOTHING}` : undefined;
}

/** kustomize takes these for repositories or URLs (`git.NewRepoSpecFromURL`), even if there is such a folder. */
function isRemote(path: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^github\.com\/|^[^/]*@|:\/\/|\?|\/\/|\.git(\/|$)|_git\//i.test(path);
}

/** Fields whose files may configure generators and transformers. */
const CONFIGURING = new Set(['resources', 'generators', 'transformers', 'validators']);

/** Returns whether the configuration of a built-in generator or transformer, which reads files by itself, has a URL. */
function namesUrl(text: string): boolean {
  if (!/builtin|\\/i.test(text)) return false;
  const { documents, errors } = readDocuments(text, '');
  if (errors.length > 0) return /https?:/i.test(text);
  return documents.some(({ value }) => textAt(value, ['apiVersion']) === 'builtin' && hasUrl(value));
}

function hasUrl(value: Json): boolean {
  if (typeof value === 'string') return /https?:/i.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUrl);
}

/** Returns why a chart can't be rendered. Helm follows links, so none may lead out of the chart. */
export function chartProblem(folder: string): string | undefined {
  const root = realpathSync(folder);
  const waiting = [root];
  let count = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (++count > MOST_FILES) return `it has more than ${MOST_FILES} files`;
      if (entry.isDirectory()) waiting.push(path);
      if (entry.isSymbolicLink() && !isInside(realPath(path), root))
        return `"${quoted(path.slice(root.length + 1))}" is a link that leads out of the chart`;
    }
  }
  return undefined;
}

/** Returns where a link leads; nowhere is outside. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
