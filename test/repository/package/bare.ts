/**
 * A module and all it imports, in a context that has the language's own globals, no others, and no code from strings.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import vm from 'node:vm';

export interface Bare {
  /** Whole paths of all modules, the entry first. */
  readonly files: readonly string[];
  readonly context: vm.Context;
  /** What the entry exports. */
  readonly namespace: object;
}

/** Links and evaluates. Throws where a module imports anything but a file, by a relative path. */
export async function loadBare(entry: string): Promise<Bare> {
  const context = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } });
  // V8 brings these into every context; they are the host's to keep or to drop.
  vm.runInContext('delete globalThis.console; delete globalThis.WebAssembly;', context);
  const modules = new Map<string, vm.SourceTextModule>();
  const load = (path: string) => {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const module = new vm.SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
    modules.set(path, module);
    return module;
  };
  const root = load(resolve(entry));
  await root.link((specifier, from) => {
    if (!specifier.startsWith('.')) throw new Error(`${from.identifier} imports ${specifier}`);
    return load(resolve(dirname(from.identifier), specifier));
  });
  await root.evaluate();
  return { files: [...modules.keys()], context, namespace: root.namespace };
}
