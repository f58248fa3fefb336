/** The pages of the documentation whose commands need a cluster. */
import { readFileSync } from 'node:fs';
import { blocksIn } from '../../../support/pages.ts';

interface Section {
  /** The commands of its blocks that need a cluster, in order. */
  readonly commands: readonly string[];
  /** The outputs that it shows, in order. */
  readonly outputs: readonly string[];
  /** Its YAML documents, in order. */
  readonly yaml: readonly string[];
  readonly text: string;
}

/** Returns the part of a page below a heading, up to the next one. @throws Error if the page has no such heading */
export function sectionOf(page: string, heading: string): Section {
  const parts = readFileSync(page, 'utf8').split(/^#+ /m);
  const text = parts.find((part) => part.startsWith(`${heading}\n`));
  if (text === undefined) throw new Error(`${page} has no heading "${heading}"`);
  const blocks = blocksIn(page, text);
  const of = (...languages: readonly string[]) =>
    blocks.filter(({ language }) => languages.includes(language)).map((block) => block.text);
  return { commands: of('sh'), outputs: of('text', 'console'), yaml: of('yaml'), text };
}
