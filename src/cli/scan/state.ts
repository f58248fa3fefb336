/** Scans what files say is stored: an export, a backup, a repository that a cluster mirrors. */
import { type GivenObject, objectsIn, readSources, referenceTo } from '../../cluster/files/index.ts';
import { at } from '../../rules/json.ts';
import { type Dialect, dialectOf } from '../../schemas/dialects.ts';
import type { CheckError } from '../check/report.ts';
import { type Census, createCensus } from './census.ts';
import { createLedger, type Stored } from './ledger.ts';
import type { Findings, Scan } from './run.ts';

export interface StateScan extends Scan {
  /** Files and folders; `-` is standard input. */
  readonly state: readonly string[];
  readonly stdin: () => Promise<Uint8Array>;
}

/** Never rejects for bad input: what can't be read is an error of the findings, and the rest is judged. */
export async function scanState(scan: StateScan): Promise<Findings> {
  const ledger = createLedger();
  const { documents, errors } = await readSources(scan.state, { stdin: scan.stdin });
  const found = documents.map(objectsIn);
  for (const { source, line, column, message } of [...errors, ...found.flatMap((one) => one.errors)])
    ledger.fail({ file: source, line, column, message });
  const unknown = ledger.errors.length > 0 ? 'part of --state could not be read' : undefined;
  let skipped = found.reduce((sum, { foreign }) => sum + foreign, 0);
  const censuses = new Map<Dialect, Census>();
  for (const given of found.flatMap(({ objects }) => objects)) {
    const stored = storedIn(given);
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
