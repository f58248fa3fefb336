/**
 * The tables of docs/integrations, made of the scenarios: `node test/e2e/field/tables.ts` writes them, and a test fails where one is stale.
 * Each stands between two comments in a page that is otherwise written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scenario, TOOLS, type Tool } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
const BEGIN = '<!-- The table of the field scenarios: written by `npm run generate`, do not edit. -->';
const END = '<!-- End of the table. -->';

export interface Page {
  readonly path: string;
  /** As it should be. */
  readonly text: string;
  /** As it is. */
  readonly found: string;
}

/** The index and a page for each tool, each with its table. @throws Error where a page or its two comments are missing */
export function pages(): Page[] {
  const names = Object.keys(TOOLS) as Tool[];
  const index = table(['tool', 'write pattern', 'muster is', 'result'], scenarios.map(rowOfIndex));
  const own = names.map((tool) => {
    const rows = scenarios.filter((scenario) => scenario.tool === tool).map(rowOfPage);
    return pageOf(
      join(DOCS, 'integrations', `${TOOLS[tool]}.md`),
      table(['write pattern', 'muster is', 'result'], rows),
    );
  });
  return [pageOf(join(DOCS, 'integrations.md'), index), ...own];
}

function rowOfIndex(scenario: Scenario): string[] {
  return [`[${scenario.tool}](integrations/${TOOLS[scenario.tool]}.md)`, ...rowOfPage(scenario)];
}

function rowOfPage({ pattern, muster, result }: Scenario): string[] {
  return [pattern, muster, result];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function pageOf(path: string, content: string): Page {
  const found = readFileSync(path, 'utf8');
  const [begin, end] = [found.indexOf(BEGIN), found.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`${path}: no place for its table; it stands between ${BEGIN} and ${END}`);
  return { path, found, text: `${found.slice(0, begin)}${BEGIN}\n\n${content}\n\n${found.slice(end)}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, text, found } of pages()) {
    if (text === found) continue;
    writeFileSync(path, text);
    process.stdout.write(`wrote ${path}\n`);
  }
}
