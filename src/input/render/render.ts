/** Renders charts and kustomizations (`--render`) with the operator's `kustomize`, `kubectl` and `helm`. */
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dialects } from '../../api/dialects.ts';
import { limitConcurrency } from '../../base/concurrency.ts';
import { errorMessage, quoted, safeText, shellQuoted } from '../../base/text.ts';
import { checkoutAround, errorAbout } from '../../documents/files.ts';
import { chartProblem, valuesProblem } from '../clusters/charts.ts';
import { Kustomizations } from '../layouts/kustomizations.ts';
import type { SourceFolder } from '../layouts/layout.ts';
import { workingTree } from '../layouts/tree.ts';
import type { Renderer } from '../sources.ts';
import { type Copy, copyChart, copyKustomization, createCopy } from './copy.ts';
import { createSandbox, programOnPath, type Sandbox } from './program.ts';

/** The most folders that are rendered at the same time. */
const AT_A_TIME = 4;
/** The most characters of all renderings of a run. */
const TOTAL_LIMIT = 512 * 2 ** 20;

/** Opens a renderer. Nothing is started before the first folder. */
export function openRenderer() {
  const inTurn = limitConcurrency(AT_A_TIME);
  let sandbox: Sandbox | undefined;
  let total = 0;
  let copies = 0;
  const render: Renderer = async (folder) => {
    sandbox ??= createSandbox();
    const to = join(sandbox.folder, `copy-${copies++}`);
    try {
      const [file, ...args] = commandOf(folder, createCopy(to));
      const text = await sandbox.run(file, args);
      total += text.length;
      if (total > TOTAL_LIMIT) throw new Error('the renderings of this run are too large: check fewer folders');
      return { text };
    } catch (error) {
      const message = `can't render it: ${explained(reasonIn(error, folder, to), folder)}`;
      return errorAbout(folder.name, message);
    } finally {
      rmSync(to, { recursive: true, force: true });
    }
  };
  return { render: (folder: SourceFolder) => inTurn(() => render(folder)), close: () => sandbox?.close() };
}

/** Returns what went wrong, with the paths of the repository in place of those of the copy. */
function reasonIn(error: unknown, { path, name, release }: SourceFolder, copy: string): string {
  const printed = errorMessage(error);
  const named = [{ path, name }, ...(release?.values ?? [])];
  const shown = named.reduce((text, one) => text.replaceAll(join(copy, one.path), one.name), printed);
  return shown.replaceAll(copy, '');
}

/**
 * Copies what the program needs, and returns its call.
 * @throws Error if the folder is refused, or its program is missing
 */
function commandOf(folder: SourceFolder, copy: Copy): [file: string, ...args: string[]] {
  const { type, path, repository: origin } = folder;
  const repository = checkoutAround(realpathSync(path));
  const repositories = [repository, origin].flatMap((one) => one ?? []);
  const release = releaseArguments(folder, copy);
  if (type === 'chart') copyChart(path, copy);
  else copyKustomization(path, new Kustomizations(workingTree(path)), repository, copy);
  const at = copy.at(path);
  if (type === 'chart') {
    const helm = programOnPath('helm', repositories);
    // A schema may refer to others, which helm would fetch.
    const options = ['--skip-schema-validation', '--include-crds'];
    if (helm) return [helm, 'template', at, ...options, ...release, ...API_VERSIONS];
    throw new Error('helm is not on the PATH: install it, or check without --render');
  }
  const restricted = '--load-restrictor=LoadRestrictionsRootOnly';
  const kustomize = programOnPath('kustomize', repositories);
  if (kustomize) return [kustomize, 'build', at, restricted];
  const kubectl = programOnPath('kubectl', repositories);
  if (kubectl) return [kubectl, 'kustomize', at, restricted];
  throw new Error('neither kustomize nor kubectl is on the PATH: install kustomize, or check without --render');
}

/** Copies the values files, and returns the arguments that name them. @throws Error for what can't be rendered */
function releaseArguments({ path, release }: SourceFolder, copy: Copy): readonly string[] {
  if (release === undefined) return [];
  const { values, namespace, bounds } = release;
  const problem = chartProblem(path, bounds);
  if (problem !== undefined) throw new Error(problem);
  const files = values.flatMap((file) => {
    const wrong = valuesProblem(file.path, bounds);
    if (wrong !== undefined) throw new Error(`values "${quoted(file.name)}": ${wrong}`);
    copy.add(file.path);
    // Helm reads the argument as a line of CSV.
    return ['--values', `"${copy.at(file.path).replaceAll('"', '""')}"`];
  });
  return [...(namespace === undefined ? [] : ['--namespace', namespace]), ...files];
}

/** For charts that ask for the APIs of the cluster (`.Capabilities.APIVersions.Has`): it has those of muster. */
const API_VERSIONS = dialects.flatMap(({ group, versions, kind }) =>
  versions.flatMap((version) => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return ['--api-versions', apiVersion, '--api-versions', `${apiVersion}/${kind}`];
  }),
);

/** Adds the fix to errors that are known to have one. */
function explained(reason: string, { name }: SourceFolder): string {
  const message = safeText(reason, 512);
  if (/missing in charts\/ directory/.test(reason)) return `${message}: helm dependency build ${shellQuoted(name)}`;
  if (/unknown flag: --skip-schema-validation/.test(reason))
    return 'this helm is too old: 3.16 or a later one is needed';
  return message;
}
