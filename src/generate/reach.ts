/** Which declarations lead to which. */
import { dirname, join } from 'node:path';

/** The declaration at `entry` and all it imports, step by step. `read` throws where there is no such file. */
export function declarationsFrom(entry: string, read: (path: string) => string): ReadonlySet<string> {
  const reached = new Set<string>([entry]);
  // A set grows while it is gone through.
  for (const path of reached) {
    for (const imported of importsIn(read(path))) {
      if (imported.startsWith('.')) reached.add(join(dirname(path), imported.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return reached;
}

/** What a module, or a declaration, imports: by `from`, by `import` alone, and by `import()` within a type. */
export function importsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'\n]+)\1/g);
  return [...found].map(([, , specifier = '']) => specifier);
}
