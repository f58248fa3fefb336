/** Renders charts and kustomizations (`--render`) with the operator's `kustomize`, `kubectl` and `helm`. */
import { layoutOf, type Renderer, type SourceFolder, workingTree } from '../../../cluster/files/index.ts';
import { plain, shorten } from '../../../engine/text.ts';
import { shellQuoted } from '../../shared.ts';
import { chartProblem, kustomizationProblem, repositoryOf } from './checks.ts';
import { createSandbox, programOnPath, type Sandbox } from './program.ts';

export interface OpenRenderer {
  readonly render: Renderer;
  close(): void;
}

/** Folders that are rendered at the same time. */
const AT_A_TIME = 4;
/** Bytes of all renderings of a run. */
const TOTAL_LIMIT = 512 * 2 ** 20;

/** Opens a renderer. Nothing is started before the first folder. */
export function openRenderer(): OpenRenderer {
  let sandbox: Sandbox | undefined;
  let total = 0;
  const turns: (() => void)[] = [];
  let free = AT_A_TIME;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => turns.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const next = turns.shift();
      if (next) next();
      else free++;
    }
  };
  return {
    render: (folder) =>
      inTurn(async () => {
        try {
          const [file, ...args] = commandOf(folder);
          sandbox ??= createSandbox();
          const text = await sandbox.run(file, args);
          total += text.length;
          if (total > TOTAL_LIMIT) throw new Error('the renderings of this run are too large: check fewer folders');
          return { text };
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          return { source: folder.name, line: 1, column: 1, message: `can't render it: ${explained(reason, folder)}` };
        }
      }),
    close: () => sandbox?.close(),
  };
}

/** @throws Error if the folder is refused, or its program is missing */
function commandOf({ type, path, repository: origin }: SourceFolder): [file: string, ...args: string[]] {
  const repository = repositoryOf(path);
  const repositories = [repository, origin].flatMap((one) => one ?? []);
  const isChart = type === 'chart';
  const layout = layoutOf([], [], workingTree(path));
  const problem = isChart ? chartProblem(path) : kustomizationProblem(path, layout, repository);
  if (problem !== undefined) throw new Error(problem);
  if (isChart) {
    const helm = programOnPath('helm', repositories);
    // A schema may refer to others, which helm would fetch.
    if (helm) return [helm, 'template', path, '--skip-schema-validation'];
    throw new Error('helm is not on the PATH: install it, or check without --render');
  }
  const restricted = '--load-restrictor=LoadRestrictionsRootOnly';
  const kustomize = programOnPath('kustomize', repositories);
  if (kustomize) return [kustomize, 'build', path, restricted];
  const kubectl = programOnPath('kubectl', repositories);
  if (kubectl) return [kubectl, 'kustomize', path, restricted];
  throw new Error('neither kustomize nor kubectl is on the PATH: install kustomize, or check without --render');
}

/** Adds the fix to errors that are known to have one. */
function explained(reason: string, { name }: SourceFolder): string {
  const message = plain(shorten(reason, 512));
  if (/missing in charts\/ directory/.test(reason)) return `${message}: helm dependency build ${shellQuoted(name)}`;
  if (/unknown flag: --skip-schema-validation/.test(reason))
    return 'this helm is too old: 3.16 or a later one is needed';
  return message;
}
