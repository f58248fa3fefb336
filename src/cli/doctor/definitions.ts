/** Checks the definitions of the kinds: ours have to be as we publish them, those of other projects may be missing. */
import { type Dialect, dialects } from '../../api/dialects.ts';
import { kinds } from '../../api/index.ts';
import { at, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { definition } from '../../manifests/crds.ts';
import { VERSION } from './causes.ts';
import { compare, read } from './read.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { type CheckResults, type Finding, resultsOf } from './report.ts';

const MOST_DETAILS = 20;

/** Returns one check for each dialect, in the order of the catalogue. */
export function checkCrds(context: DoctorContext): Promise<readonly Finding[]> {
  return Promise.all(dialects.map((dialect) => checkCrd(context, dialect)));
}

async function checkCrd(context: DoctorContext, dialect: Dialect): Promise<Finding> {
  const name = dialect.resource;
  const results = resultsOf(`crd/${dialect.name}`, `CustomResourceDefinition ${name}`);
  const resource = { apiVersion: 'apiextensions.k8s.io/v1', plural: 'customresourcedefinitions', name };
  const crd = await read(context.client, resource);
  if (crd.kind === 'unknown') return results.unknown(crd.reason, crd.remedy);
  if (crd.kind === 'missing') return results.ok('not installed: nothing to guard');
  const conditions = listAt(crd.body, ['status', 'conditions']);
  const established = conditions.find((condition) => textAt(condition, ['type']) === 'Established');
  if (textAt(established, ['status']) !== 'True') {
    const why = textAt(established, ['message']) ?? 'it has no such condition yet';
    return results.fail(`is not established: ${why}`, `see why: kubectl describe crd ${name}`);
  }
  const kind = kinds.find((each) => each.dialect === dialect);
  return dialect.ours && kind ? compareOwn(context, results, kind, crd.body) : checkForeign(results, dialect, crd.body);
}

async function compareOwn(
  context: DoctorContext,
  results: CheckResults,
  kind: (typeof kinds)[number],
  stored: JsonObject,
): Promise<Finding> {
  const result = await compare(context.client, definition(kind), { kind: 'found', body: stored });
  if (result.kind !== 'compared') throw new Error('an object that was read is compared');
  const byReading = result.byReading === undefined ? {} : { byReading: [result.byReading] };
  const found = result.differences.filter(({ path }) => path.startsWith('spec'));
  if (found.length === 0) return { ...results.ok('as it should be'), ...byReading };
  const message = `differs from this muster's: ${found[0]?.path}${found.length > 1 ? ' and more' : ''}`;
  // One that Helm has not installed is not in the chart's values.
  const isHelms = textAt(stored, ['metadata', 'labels', 'app.kubernetes.io/managed-by']) === 'Helm';
  const way = isHelms ? context.way : ({ kind: 'manifests' } as const);
  const more = { details: found.slice(0, MOST_DETAILS), after: [VERSION] };
  return { ...results.fail(message, restore({ ...context, way }, 'crds'), more), ...byReading };
}

/** muster evaluates every version by the schema of the newest. */
function checkForeign(results: CheckResults, { versions }: Dialect, crd: JsonObject): Finding {
  const served = listAt(crd, ['spec', 'versions']).filter((version) => at(version, ['served']) === true);
  const names = served.map((version) => textAt(version, ['name']) ?? '');
  if (names.some((name) => versions.includes(name))) return results.ok(`serves ${names.join(', ')}`);
  const message = `serves ${names.join(', ') || 'nothing'}, none of which this muster knows (${versions.join(', ')})`;
  return results.warn(message, 'see whether a newer muster knows it');
}
