/** docs/performance.md, from the last full run of the benchmark. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lastRun, type Machine, type Results } from './results.ts';
import { createsTable, disturbed, figuresTable, identityTable, targetsTable } from './tables.ts';

const FILE = fileURLToPath(new URL('../../../../docs/performance.md', import.meta.url));

/** The page as text: page.md, with tables and other texts in place of its comments. */
export function page(results: Results = lastRun()): string {
  const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8').trimEnd();
  const parts: Readonly<Record<string, string>> = {
    machine: machineText(results),
    figures: figuresTable(results),
    targets: targetsTable(results),
    creates: createsTable(results),
    'identity writes': identityTable(results),
    // The last run of `bench:check`.
    files: `${text('../check/last-run.md')}\n`,
    // What `bench:scan` measures, and what was learnt on the way: written by hand.
    'files and scans': text('files-and-scans.md'),
  };
  return `${text('page.md').replace(/^<!-- ([a-z ]+) -->$/gm, (mark, name) => parts[name] ?? mark)}\n`;
}

export function writePage(): void {
  writeFileSync(FILE, page());
}

function machineText(results: Results): string {
  const { processor, cores, system, node, pinned }: Machine = results.machine;
  const apart = pinned ? 'one core for the server, another for the load' : 'server and load shared their cores';
  const others = disturbed(results)
    ? ' Others used the machine meanwhile: where a server had less than 90 % of its core, the ratios compare CPU time.'
    : '';
  const form = results.form === 'full' ? '' : ' The short form.';
  return `${results.date}, ${processor}, ${cores} cores, ${system}, Node ${node}; ${apart}.${form}${others}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
