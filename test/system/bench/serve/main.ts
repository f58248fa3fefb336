/**
 * `npm run bench`: muster beside what one would use instead, in one run: a bare `node:https` server, a fastify echo
 * and, where Go is, a controller-runtime webhook with equal checks. Figures on standard output; the full form keeps
 * them in last-run.json and writes docs/performance.md.
 *
 *     npm run bench -- [--short] [--keep] [--guard] [--only muster,echo] [--cli dist/cli/main.js]
 *
 * `--keep` keeps those of the short form, too. `--guard` ends with exit code 1 where a ratio is far below its target.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDevelopmentCertificates } from '../../../../src/certificates/development.ts';
import { flagsOf } from '../../../support/flags.ts';
import { newFolder } from '../../../support/folder.ts';
import { buildCommand } from '../../../support/main.ts';
import { goPeer } from '../go-peer.ts';
import { type Contender, contenders } from './contenders.ts';
import { measure } from './measure.ts';
import { writePage } from './page.ts';
import { full, type Plan, short } from './plan.ts';
import { keep, type Results } from './results.ts';
import type { Site } from './server.ts';
import { createsTable, figuresTable, identityTable, targetsTable } from './tables.ts';
import { type Reached, reached } from './targets.ts';

const OPTIONS = {
  short: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  guard: { type: 'boolean', default: false },
  only: { type: 'string' },
  cli: { type: 'string' },
} as const;
const SERVERS = ['bare', 'echo', 'go', 'muster'];
const WEBHOOK = { name: 'webhook', module: new URL('webhook-go/', import.meta.url), package: '.' };
const values = flagsOf(OPTIONS, problem);

const folder = newFolder().path;
process.exitCode = await bench(values.short ? short : full);

/** A name of no server would measure nothing, and a guard without its peers guard nothing. */
function problem({ only, guard }: { only?: string | undefined; guard: boolean }): string | undefined {
  const strange = only?.split(',').find((id) => !SERVERS.includes(id));
  if (strange !== undefined) return `--only takes ${SERVERS.join(', ')}, not "${strange}"`;
  return guard && only !== undefined ? '--guard compares all servers; leave --only away' : undefined;
}

async function bench(plan: Plan): Promise<number> {
  const all = contenders(values.cli ?? buildCommand(folder), goPeer(WEBHOOK, log));
  const chosen = all.filter(({ id }) => values.only?.split(',').includes(id) ?? true);
  const site = await prepare();
  const results = await round(chosen, plan, site);
  if (values.keep || (plan.form === 'full' && values.only === undefined)) {
    keep(results);
    writePage();
  }
  if (!values.guard) return 0;
  const low = reached(results).filter(({ isLow }) => isLow);
  for (const reach of low) log(`the benchmark fails: ${inWords(reach)}`);
  return low.length === 0 ? 0 : 1;
}

async function prepare(): Promise<Site> {
  const site = { folder, certs: join(folder, 'certs'), state: join(folder, 'state') };
  mkdirSync(site.state);
  await ensureDevelopmentCertificates(site.certs);
  return site;
}

async function round(chosen: readonly Contender[], plan: Plan, site: Site): Promise<Results> {
  const results = await measure(chosen, plan, site, log);
  const tables = [figuresTable(results), targetsTable(results)];
  if (results.creates !== undefined) tables.push(createsTable(results));
  if (results.identityWrites !== undefined) tables.push(identityTable(results));
  process.stdout.write(`\n${tables.join('\n\n')}\n`);
  return results;
}

function inWords({ target, ratio }: Reached): string {
  const bound = target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
  return `${target.what} is ${ratio.toFixed(2)}, and should be ${bound}`;
}

function log(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
