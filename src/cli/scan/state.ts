/** Scans what files say is stored: an export, a backup, a repository that a cluster mirrors. */

import { type Dialect, dialectOf } from '../../api/dialects.ts';
import { type GivenObject, type Reading, readObjects, referenceTo } from '../../cluster/files/index.ts';
import { at } from '../../rules/json.ts';
import type { CheckError } from '../output/report.ts';
import { type Census, createCensus } from './census.ts';
import { createLedger, type Stored } from './ledger.ts';
import type { Findings, Scan } from './run.ts';

export interface StateScan extends Scan {
  /** Files and folders; `-` is standard input. */
  readonly state: readonly string[];
  readonly stdin: () => Promise<Uint8Array>;
  readonly reading?: ((reading: Reading) => void) | undefined;
}

/** Never rejects for bad input: what can't be read is an error of the findings, and the rest is judged. */
export async function scanState(scan: StateScan): Promise<Findings> {
  const ledger = createLedger();
  const given = await readObjects(scan.state, { stdin: scan.stdin, reading: scan.reading });
  for (const { source, line, column, message } of given.errors) ledger.fail({ file: source, line, column, message });
  const unknown = ledger.errors.length > 0 ? 'part of --state could not be read' : undefined;
  let { skipped } = given;
  const censuses = new Map<Dialect, Census>();
  for (const object of given.objects) {
    const stored = storedIn(object);
    if (stored === undefined) skipped++;
    else if ('message' in stored) ledger.fail(stored);
    else await censusOf(censuses, scan, stored.dialect, ledger).take(stored);
  }
  for (const census of censuses.values()) await census.finish(unknown);
  return { results: ledger.results, errors: ledger.errors, uids: [], notes: [], skipped };
}

function censusOf(
  censuses: Map<Dialect, Census>,
  scan: StateScan,
  dialect: Dialect,
  ledger: ReturnType<typeof createLedger>,
): Census {
  const census = censuses.get(dialect) ?? createCensus({ ...scan, dialect, ledger });
  censuses.set(dialect, census);
  return census;
}

/** Undefined: not of a kind muster judges. */
function storedIn(given: GivenObject): Stored | CheckError | undefined {
  const { apiVersion, kind, object, source, start, locate, sourceLine } = given;
  const [group, version, ...rest] = apiVersion.split('/');
  const dialect = version === undefined || rest.length > 0 ? undefined : dialectOf(group ?? '', kind);
  if (dialect === undefined || version === undefined) return undefined;
  for (const key of ['name', 'namespace']) {
    const value = at(object, ['metadata', key]);
    if (value === undefined || typeof value === 'string') continue;
    const message = `metadata.${key} must be a text, got ${typeof value}: quote it`;
    return { file: source, ...placed(locate(['metadata', key])), message };
  }
  if (referenceTo(dialect, object).name !== '') return { dialect, version, object, source, start, locate, sourceLine };
  const message = 'the object has no metadata.name; what is stored has one (muster check judges what is to be created)';
  return { file: source, ...placed(locate(['metadata'])), message };
}

function placed({ line, column }: { readonly line: number; readonly column: number }) {
  return { line, column };
}
