/** How the site reads Markdown that is written to be read in the repository, too. */
import { posix } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

/**
 * Returns the fragment of a heading as the repository's host makes it, so that a link leads to it there and on the
 * site.
 */
export function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Prints `{{` as it stands: no page calculates anything, and the messages of rules have placeholders in braces. */
export function withoutInterpolation(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline', 'fence'] as const) {
    const render = md.renderer.rules[rule];
    if (render === undefined) throw new Error(`the Markdown renderer has no rule for ${rule}`);
    md.renderer.rules[rule] = (...args) => render(...args).replaceAll('{{', '&#123;&#123;');
  }
}

/**
 * Points links to files outside of docs/ at the repository under `address` (with a slash at its end), and links to a
 * README.md at the index of its folder.
 */
export function repositoryLinks(md: MarkdownRenderer, address: string): void {
  md.core.ruler.push('repository-links', (state) => {
    const page = (state.env as MarkdownEnv).relativePath;
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (href === null || /^(?:[a-z]+:|#|\/)/.test(href)) continue;
      const path = posix.normalize(posix.join('docs', posix.dirname(page), decodeURI(href)));
      token.attrSet('href', path.startsWith('docs/') ? href.replace(/README\.md(?=#|$)/, 'index.md') : address + path);
    }
  });
}

/** Makes an empty cell of a table's head a plain cell: a screen reader would announce it as the heading of a column. */
export function emptyHeadings(md: MarkdownRenderer): void {
  md.core.ruler.push('empty-headings', (state) => {
    for (const [index, cell] of state.tokens.entries()) {
      if (cell.type !== 'th_open' || state.tokens[index + 1]?.content !== '') continue;
      cell.tag = 'td';
      const end = state.tokens[index + 2];
      if (end !== undefined) end.tag = 'td';
    }
  });
}
