/**
 * The tables of docs/tools.md and docs/integrations, made of the scenarios: `node test/system/e2e/field/tables.ts`
 * writes them, and a test fails where one is stale. Each stands between two comments in a page that is otherwise
 * written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Scenario } from './scenario.ts';
import { tools } from './scenarios/index.ts';

const TITLE = 'The table of the field scenarios';
const HEADS = ['write pattern', 'muster is', 'result'];

export interface Page {
  readonly path: string;
  /** With the table that the scenarios make. */
  readonly text: string;
  /** As the file is. */
  readonly found: string;
}

/**
 * The index and a page for each tool, each with its table. @throws Error where a page or its two comments are missing
 */
export function pages(): Page[] {
  const index = tools.flatMap(({ tool, page, scenarios }) =>
    scenarios.map((scenario) => [`[${tool}](integrations/${page}.md)`, ...rowOf(scenario)]),
  );
  const own = tools.map(({ page, scenarios }) =>
    pageOf(`integrations/${page}.md`, TITLE, [HEADS, ...scenarios.map(rowOf)]),
  );
  return [pageOf('tools.md', TITLE, [['tool', ...HEADS], ...index]), ...own];
}

/**
 * Returns a page of `docs` with the table of this title. @throws Error where the page or the table's two comments are
 * missing
 */
export function pageOf(name: string, title: string, [heads = [], ...rows]: readonly (readonly string[])[]): Page {
  const path = fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
  const found = readFileSync(path, 'utf8');
  const begin = `<!-- ${title}: written by \`npm run generate\`, do not edit. -->`;
  const from = found.indexOf(begin);
  const to = found.indexOf(END, from);
  if (from < 0 || to < from) throw new Error(`${path} lacks its table, which stands between ${begin} and ${END}`);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
  return { path, found, text: `${found.slice(0, from)}${begin}\n\n${table}\n\n${found.slice(to)}` };
}

const END = '<!-- End of the table. -->';

function rowOf({ pattern, muster, result }: Scenario): string[] {
  return [pattern, muster, result];
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { path, text, found } of pages()) if (text !== found) writeFileSync(path, text);
