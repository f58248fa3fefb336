/**
 * The reference of the library, docs/reference/library.md, from the types and comments of what src/index.ts exports.
 */
import { join } from 'node:path';
import { isFunctionDeclaration, isVariableDeclaration, type Node } from 'typescript/unstable/ast';
import { API, type Checker, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync';
import type { Artifact } from './artifact.ts';
import { cell, page } from './markdown.ts';

const INTRODUCTION = `What \`import … from 'kube-muster'\` exports. [Library](../library.md) shows how to use it.`;

/** Returns the page. @throws Error that names each export without a comment */
export function libraryReference(root: string): Artifact {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProject: join(root, 'src/tsconfig.build.json') });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error('src/tsconfig.build.json is not a project');
    const entries = exportsOf(project, join(root, 'src/index.ts'));
    const undocumented = entries.filter(({ comment }) => comment === '').map(({ name }) => name);
    if (undocumented.length > 0)
      throw new Error(`exports of src/index.ts without a comment: ${undocumented.join(', ')}`);
    const chapter = (title: string, kind: Entry['kind']) => [
      `## ${title}`,
      ...entries.filter((entry) => entry.kind === kind).map(section),
    ];
    return page('docs/reference/library.md', 'the exports of src/index.ts', [
      '# Library: all exports',
      INTRODUCTION,
      ...chapter('Functions', 'function'),
      ...chapter('Values', 'value'),
      ...chapter('Types', 'type'),
    ]);
  } finally {
    api.close();
  }
}

interface Entry {
  readonly name: string;
  readonly kind: 'function' | 'value' | 'type';
  readonly comment: string;
  readonly declaration: string;
}

function exportsOf({ program, checker }: Project, file: string): readonly Entry[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is not a module`);
  return checker.getExportsOfModule(module).map((exported) => {
    return entryOf(checker, exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported);
  });
}

function entryOf(checker: Checker, symbol: Named): Entry {
  const node = symbol.declarations[0]?.resolve();
  if (node === undefined) throw new Error(`${symbol.name} has no declaration`);
  const tags = checker.getJsDocTagsOfSymbol(symbol).map(({ name, text = '' }) => {
    const [, parameter = '', meaning = ''] = /^(\S+) (.*)$/s.exec(text) ?? [];
    return name === 'param' ? `- \`${parameter}\`: ${cell(meaning)}` : `- ${cell(`${name} ${text}`)}`;
  });
  const comment = [cell(checker.getDocumentationCommentOfSymbol(symbol)), tags.join('\n')].filter(Boolean).join('\n\n');
  return { name: symbol.name, ...declarationOf(node), comment };
}

/**
 * Returns the kind and the text of a declaration: for a function without its body, for a value without its initializer.
 */
function declarationOf(node: Node): Pick<Entry, 'kind' | 'declaration'> {
  const { text } = node.getSourceFile();
  const start = node.getStart();
  if (isFunctionDeclaration(node)) {
    return {
      kind: 'function',
      declaration: `${text
        .slice(start, node.body?.pos)
        .replace(/^export /, '')
        .trimEnd()};`,
    };
  }
  if (isVariableDeclaration(node)) {
    return { kind: 'value', declaration: `const ${text.slice(start, (node.type ?? node).end)};` };
  }
  return { kind: 'type', declaration: text.slice(start, node.end).replace(/^export /, '') };
}

function section({ name, comment, declaration }: Entry): string {
  return `### ${name}\n\n${comment}\n\n\`\`\`ts\n${declaration}\n\`\`\``;
}
