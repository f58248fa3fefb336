/** Every import of the sources against the table "Layers" of CONTRIBUTING.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

interface Import {
  readonly file: string;
  readonly specifier: string;
}

const layers = new Map(
  [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `src\/(\w+)` \|.*\| ([^|]+) \|$/gm)].map(
    ([, folder = '', allowed = '']) => [folder, allowed.split(/[,;] /).map((name) => name.replaceAll('`', ''))],
  ),
);
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.d)\.ts$/.test(name));
const imports = files.flatMap(importsOf);

function importsOf(file: string): readonly Import[] {
  const code = readFileSync(join('src', file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = code.matchAll(/^(?:import|export|\}).*? from '([^']+)';|^import '([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...found].map(([, from, bare, dynamic]) => ({ file, specifier: from ?? bare ?? dynamic ?? '' }));
}

/** The folder of the imported module, the name of the package, or `node:*`. */
function targetOf({ file, specifier }: Import): string {
  if (specifier.startsWith('.')) return folderOf(join(file, '..', specifier));
  if (specifier.startsWith('node:')) return 'node:*';
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Returns the two folders beside each other between which an import leads; none if a folder imports from one above it.
 */
function arrowOf({ file, specifier }: Import): readonly string[] {
  if (!specifier.startsWith('.')) return [];
  const from = dirname(file).split('/');
  const to = dirname(join(file, '..', specifier)).split('/');
  const shared = from.findIndex((folder, depth) => folder !== to[depth]);
  if (shared === -1 || to[shared] === undefined) return [];
  return [`${from.slice(0, shared + 1).join('/')} ${to.slice(0, shared + 1).join('/')}`];
}

function folderOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

test('each folder has a row', () => {
  const folders = files.filter((file) => file.includes('/')).map(folderOf);
  expect([...new Set(folders)].sort()).toEqual([...layers.keys()].sort());
});

test('each folder imports only what its row allows; if not, move the code, or the type below both', () => {
  const wrong = imports.filter(({ file, specifier }) => {
    const from = folderOf(file);
    const to = targetOf({ file, specifier });
    return file.includes('/') && from !== to && layers.get(from)?.includes(to) !== true;
  });
  expect(wrong).toEqual([]);
});

test('two folders beside each other import in one direction; if not, move the code to the folder above both', () => {
  const arrows = new Set(imports.flatMap(arrowOf));
  expect([...arrows].filter((arrow) => arrows.has(arrow.split(' ').reverse().join(' ')))).toEqual([]);
});

test('a package is imported by its public entry', () => {
  const deep = imports.filter(({ specifier }) => !/^[.]|^node:|^(@[\w-]+\/)?[\w-]+$/.test(specifier));
  expect(deep).toEqual([]);
});
