/** The Markdown pages of the repository, and the code blocks in them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface Block {
  /** The page, from the root of the checkout, and the line of the opening fence: `docs/check.md:6`. */
  readonly at: string;
  readonly page: string;
  /** The language, in lower case; empty if there is none. */
  readonly language: string;
  /** What stands behind the language. */
  readonly info: string;
  readonly text: string;
}

/** Returns the pages of this checkout: the site's, those at the root and in .github, and of the examples. */
export function pages(): readonly string[] {
  const git = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    'docs/*.md',
    'examples/*.md',
    ':(glob)*.md',
    '.github/*.md',
  ];
  const listed = execFileSync('git', git, { encoding: 'utf8' }).split('\0');
  // A file that git still lists may be gone.
  return listed.filter((path) => path !== '' && existsSync(path));
}

/** Returns the fenced code blocks of pages, in order. */
export function blocksOf(paths: readonly string[]): readonly Block[] {
  return paths.flatMap((page) => blocksIn(page, readFileSync(page, 'utf8')));
}

/** Returns the fenced code blocks of a text. @throws Error that names a fence without an end */
export function blocksIn(page: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const [, indent = '', fence, info = ''] = /^( *)(`{3,})([^`]*)$/.exec(lines[index] ?? '') ?? [];
    if (fence === undefined) continue;
    const at = `${page}:${index + 1}`;
    const end = lines.findIndex((line, other) => other > index && line.trim() === fence);
    if (end === -1) throw new Error(`${at}: a code block without an end`);
    const [language = '', ...rest] = info.trim().split(' ');
    const inner = lines.slice(index + 1, end).map((line) => line.slice(Math.min(indent.length, line.search(/\S|$/))));
    blocks.push({ at, page, language: language.toLowerCase(), info: rest.join(' '), text: `${inner.join('\n')}\n` });
    index = end;
  }
  return blocks;
}
