/** Checks the definitions of the kinds: ours have to be as we publish them, those of other projects may be missing. */
import { type Dialect, dialects } from '../../api/dialects.ts';
import { kinds } from '../../api/index.ts';
import { definition } from '../../manifests/crds.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { applyByForceCommand, type DoctorContext } from './context.ts';
import { differences, dryRunApply } from './differences.ts';
import { read } from './read.ts';
import { type Check, type CheckResults, resultsOf } from './report.ts';

const MOST_DETAILS = 20;

/** Returns one check for each dialect, in the order of the catalogue. */
export function checkCrds(context: DoctorContext): Promise<readonly Check[]> {
  return Promise.all(dialects.map((dialect) => checkCrd(context, dialect)));
}

async function checkCrd(context: DoctorContext, dialect: Dialect): Promise<Check> {
  const name = `${dialect.plural}.${dialect.group}`;
  const results = resultsOf(`crd/${dialect.name}`, `CustomResourceDefinition ${name}`);
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  const crd = await read(context.client, path, `get customresourcedefinitions.apiextensions.k8s.io ${name}`);
  if (crd.kind === 'unknown') return results.unknown(crd.reason, crd.remedy);
  if (crd.kind === 'missing') {
    if (!dialect.ours) return results.ok('not installed: nothing to guard');
    return results.fail(`is missing: no ${dialect.kind} can be stored`, applyByForceCommand(context, 'crds'));
  }
  const conditions = listAt(crd.body, ['status', 'conditions']);
  const established = conditions.find((condition) => textAt(condition, ['type']) === 'Established');
  if (textAt(established, ['status']) !== 'True') {
    const why = textAt(established, ['message']) ?? 'it has no such condition yet';
    return results.fail(`is not established: ${why}`, `see why: kubectl describe crd ${name}`);
  }
  return dialect.ours
    ? compare(results, context, dialect, { path, crd: crd.body })
    : checkForeign(results, dialect, crd.body);
}

/** muster evaluates every version by the schema of the newest. */
function checkForeign(results: CheckResults, { versions }: Dialect, crd: JsonObject): Check {
  const served = listAt(crd, ['spec', 'versions']).filter((version) => at(version, ['served']) === true);
  const names = served.map((version) => textAt(version, ['name']) ?? '');
  if (names.some((name) => versions.includes(name))) return results.ok(`serves ${names.join(', ')}`);
  const message = `serves ${names.join(', ') || 'nothing'}, none of which this muster knows (${versions.join(', ')})`;
  return results.warn(message, 'see whether a newer muster knows it');
}

async function compare(
  results: CheckResults,
  context: DoctorContext,
  dialect: Dialect,
  { path, crd }: { readonly path: string; readonly crd: JsonObject },
): Promise<Check> {
  const kind = kinds.find((each) => each.dialect === dialect);
  if (kind === undefined) return results.ok('there');
  const applied = await dryRunApply(context.client, path, definition(kind) as unknown as JsonObject);
  const found = differences('spec', applied.object['spec'], crd['spec'], applied.isComplete);
  if (found.length === 0) return results.ok('as it should be');
  const message = `differs from this muster's: ${found[0]?.path}${found.length > 1 ? ' and more' : ''}`;
  return results.fail(message, applyByForceCommand(context, 'crds'), found.slice(0, MOST_DETAILS));
}
