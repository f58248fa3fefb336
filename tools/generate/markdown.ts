/** What the generated pages of docs/reference have in common. */
import type { Artifact } from './artifact.ts';

/** Returns a page of these blocks, with a comment that says what it is generated from. */
export function page(path: string, source: string, blocks: readonly string[]): Artifact {
  const banner = `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;
  return { path, text: `${banner}\n${blocks.join('\n\n')}\n` };
}

/** Returns a text of one line as Markdown shows it, in a table or elsewhere: no HTML, and no end of a cell. */
export function cell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('*', '\\*');
}

/** Returns a text as code that can stand in a table. */
export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
