/** Checks the definitions of the kinds (ours have to be as we publish them, those of other projects may be missing), and the Leases. */
import { type Dialect, dialects, lockLeaseOf } from '../../api/dialects.ts';
import { kinds } from '../../api/index.ts';
import { at, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { definition } from '../../manifests/crds.ts';
import { applyCommand, BY_FORCE, type DoctorContext } from './context.ts';
import { differences } from './differences.ts';
import { dryRunApply, read } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

const MOST_DETAILS = 20;

/** Returns one check for each dialect, in the order of the catalogue. */
export function checkCrds(context: DoctorContext): Promise<readonly Check[]> {
  return Promise.all(dialects.map((dialect) => checkCrd(context, dialect)));
}

/** Checks the Leases that hold the locks of identity writes: one for each claim dialect. */
export function checkLeases(context: DoctorContext): Promise<readonly Check[]> {
  const { client, namespace } = context;
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  return Promise.all(
    claims.map(async (dialect) => {
      const name = lockLeaseOf(dialect);
      const results = resultsOf(`lease/${dialect.name}`, `Lease ${namespace}/${name}`);
      const lease = await read(client, { apiVersion: 'coordination.k8s.io/v1', plural: 'leases', namespace, name });
      if (lease.kind === 'unknown') return results.unknown(lease.reason, lease.remedy);
      if (lease.kind === 'found') return results.ok('there');
      const message = `is missing: writes of a ${dialect.kind}'s identity are refused with 503`;
      return results.fail(message, applyCommand(context, 'leases'));
    }),
  );
}

async function checkCrd(context: DoctorContext, dialect: Dialect): Promise<Check> {
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
  if (!dialect.ours || kind === undefined) return checkForeign(results, dialect, crd.body);
  const applied = await dryRunApply(context.client, resource, definition(kind));
  if (applied.kind === 'unknown') return results.unknown(applied.reason, applied.remedy);
  const found = differences('spec', applied.body['spec'], crd.body['spec']);
  if (found.length === 0) return results.ok('as it should be');
  const message = `differs from this muster's: ${found[0]?.path}${found.length > 1 ? ' and more' : ''}`;
  return results.fail(message, applyCommand(context, 'crds', BY_FORCE), found.slice(0, MOST_DETAILS));
}

/** muster evaluates every version by the schema of the newest. */
function checkForeign(results: CheckResults, { versions }: Dialect, crd: JsonObject): Check {
  const served = listAt(crd, ['spec', 'versions']).filter((version) => at(version, ['served']) === true);
  const names = served.map((version) => textAt(version, ['name']) ?? '');
  if (names.some((name) => versions.includes(name))) return results.ok(`serves ${names.join(', ')}`);
  const message = `serves ${names.join(', ') || 'nothing'}, none of which this muster knows (${versions.join(', ')})`;
  return results.warn(message, 'see whether a newer muster knows it');
}
