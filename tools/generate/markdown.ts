/** Builds the generated Markdown pages of docs/reference. */
import type { Artifact } from './artifact.ts';

/** Returns a page of these blocks, with a comment that says what it is generated from. */
export function page(path: string, source: string, blocks: readonly string[]): Artifact {
  const banner = `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;
  return { path, text: `${banner}\n${blocks.join('\n\n')}\n` };
}

/** Escapes a line of text for Markdown, also within a table. */
export function cell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('*', '\\*');
}

/** Returns a text as inline code, also for a table. */
export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}
