/** Scans objects in files: an export, a backup, or a repository that a cluster mirrors. */
import { type Dialect, dialectOf, dialects } from '../../api/dialects.ts';
import { at } from '../../base/json.ts';
import { type InputObject, type ReadProgress, readObjects, referenceTo } from '../../cluster/files/index.ts';
import { type CheckError, errorOf } from '../output/report.ts';
import { createResultStore } from '../output/results.ts';
import { createKindScan, type Findings, type KindScan, type Scan, type Stored } from './kind-scan.ts';
import { addServicesOf } from './services.ts';

interface FileScan extends Scan {
  /** Files and folders; `-` is standard input. */
  readonly state?: readonly string[];
  readonly stdin: () => Promise<Uint8Array>;
  readonly reading?: ((reading: ReadProgress) => void) | undefined;
}

/** Scans the objects. Bad input is an error of the findings, and the rest is evaluated. */
export async function scanFiles(scan: FileScan): Promise<Findings> {
  const results = createResultStore();
  const input = await readObjects(scan.state ?? [], scan);
  results.errors.push(...input.errors.map(errorOf));
  const unknown = input.errors.length > 0 ? 'part of --state could not be read' : undefined;
  let { skipped } = input;
  const kinds = new Map<Dialect, KindScan>();
  for (const object of input.objects) {
    const stored = storedIn(object);
    if (stored === undefined) skipped++;
    else if ('message' in stored) results.errors.push(stored);
    else {
      const { dialect } = stored;
      const kind = kinds.get(dialect) ?? createKindScan({ ...scan, dialect, results });
      kinds.set(dialect, kind);
      await kind.add(stored);
    }
  }
  for (const kind of kinds.values()) await kind.finish(unknown);
  const { cluster } = scan;
  // Nothing follows from the absence of a kind that the files do not contain at all.
  const absent = dialects.filter((dialect) => !kinds.has(dialect));
  scan.comparison
    .begin(cluster ?? '')
    .commit(new Map(absent.map((dialect) => [dialect, unknown ?? notThere(dialect)])));
  const errors = results.errors.map((error) => (cluster === undefined ? error : { cluster, ...error }));
  const { entries } = results;
  const addServices = (present: readonly Dialect[]) => {
    const none = absent.filter((dialect) => unknown === undefined && present.includes(dialect));
    scan.comparison.begin(cluster ?? '').commit(new Map(none.map((dialect) => [dialect, undefined])));
    return addServicesOf(input.context, scan, entries, unknown);
  };
  return { objects: entries, errors, notes: [], skipped, addServices };
}

function notThere({ kind, group }: Dialect): string {
  return `--state holds no ${kind} objects (${group}): add them to it`;
}

/** Undefined for a kind that muster does not evaluate. */
function storedIn(input: InputObject): Stored | CheckError | undefined {
  const { apiVersion, kind, object, source } = input;
  const [group = '', version, ...rest] = apiVersion.split('/');
  const dialect = dialectOf(group, kind);
  if (dialect === undefined || version === undefined || rest.length > 0) return undefined;
  const error = (path: readonly string[], message: string): CheckError => {
    const { line, column } = input.locate(path);
    return { file: source, line, column, message };
  };
  for (const key of ['name', 'namespace']) {
    const value = at(object, ['metadata', key]);
    if (value === undefined || typeof value === 'string') continue;
    return error(['metadata', key], `metadata.${key} must be a string, got ${typeof value}: quote it`);
  }
  if (referenceTo(dialect, object).name !== '') return { dialect, version, object, source, position: input };
  return error(
    ['metadata'],
    'the object has no metadata.name; a stored object has one (muster check evaluates objects before they are created)',
  );
}
