/** A scan of objects in memory, an API server that serves such, and results with a finding each. */

import { type Dialect, dialectOf, dialects } from '../../../../src/api/dialects.ts';
import { type JsonObject, textAt } from '../../../../src/base/json.ts';
import { createKindScan, type KindScan, type Stored } from '../../../../src/cli/scan/kind-scan.ts';
import type { ApiClient, ApiResponse } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';
import type { Policy } from '../../../../src/engine/index.ts';
import { referenceOfObject } from '../../../../src/engine/review.ts';
import { createStoredEngine } from '../../../../src/engine/stored-objects.ts';
import { createResultStore, NOWHERE, type ResultStore } from '../../../../src/evaluation/results.ts';
import { createRunComparison } from '../../../../src/evaluation/run-comparison.ts';

import type { CheckFinding, CheckResult } from '../../../../src/report/report.ts';
import { NOW } from '../../../support/command-line.ts';
import { finding as findingOf, result } from '../../report/fixtures.ts';

/** Serves the kinds for which there is a list; a list that is an error fails. */
export function cluster(
  lists: Partial<Record<Dialect['name'] | 'service', readonly JsonObject[] | ClusterError>>,
  calls: string[] = [],
): ApiClient {
  const served = dialects.filter(({ name }) => lists[name] !== undefined);
  const listOf = (items: readonly JsonObject[] | ClusterError = []): JsonObject => {
    if (items instanceof ClusterError) throw items;
    return { metadata: {}, items };
  };
  const answer = (path: string): JsonObject => {
    calls.push(path.split('?')[0] ?? '');
    if (path === '/version') return {};
    if (path.startsWith('/api/v1/services?')) return listOf(lists.service);
    const [, , group, version, plural] = (path.split('?')[0] ?? '').split('/');
    const kinds = served.filter((dialect) => dialect.group === group);
    if (kinds.length === 0) throw new ClusterError('not-found', 'no such kind', { status: 404, absent: 'kind' });
    if (version === undefined)
      return { versions: kinds.flatMap(({ versions }) => versions.map((one) => ({ version: one }))) };
    if (plural === undefined) return { resources: kinds.map(({ plural: name }) => ({ name })) };
    return listOf(lists[kinds.find((dialect) => dialect.plural === plural)?.name ?? 'feature']);
  };
  const call: ApiClient['call'] = async (request) => answered(answer(request.path));
  return { server: '', namespace: '', call, close: () => undefined };
}
export function answered(body: JsonObject): ApiResponse {
  return { body, date: undefined };
}

function storedOf(object: JsonObject): Stored {
  const [group = '', version = ''] = (textAt(object, ['apiVersion']) ?? '').split('/');
  const dialect = dialectOf(group, textAt(object, ['kind']) ?? '');
  if (dialect === undefined) throw new Error('not of a kind that muster evaluates');
  const reference = referenceOfObject(dialect, object);
  return { reference, version, object, place: { file: `${dialect.plural}/${reference.name}` }, position: NOWHERE };
}

/** Scans the objects as one cluster. `unknown`: not all could be read. */
export async function scanAll(
  objects: readonly JsonObject[],
  { policy, unknown }: { readonly policy?: Policy; readonly unknown?: string } = {},
): Promise<ResultStore> {
  const results = createResultStore();
  const comparison = createRunComparison({ policy, point: 'scan', clock: () => NOW });
  const engine = createStoredEngine(policy, () => NOW);
  const kinds = new Map<Dialect, KindScan>();
  for (const stored of objects.map(storedOf)) {
    const { dialect } = stored.reference;
    const kind = kinds.get(dialect) ?? createKindScan({ engine, dialect, results, comparison });
    kinds.set(dialect, kind);
    await kind.add(stored);
  }
  for (const kind of kinds.values()) await kind.finish(unknown);
  comparison.finish();
  return results;
}

/** `NAME: ACTION RULE` of every finding; the action of an indeterminate one is `unknown`. */
export function findingsIn({ entries }: ResultStore): readonly string[] {
  return entries.flatMap(({ result: { name, findings } }) =>
    findings.map(({ ruleId, action, outcome }) => `${name}: ${outcome ? 'unknown' : action} ${ruleId}`),
  );
}

export const finding = (more: Partial<CheckFinding> = {}): CheckFinding =>
  findingOf({ ruleId: 'claim/reserved-name', field: 'metadata.name', message: 'is reserved', ...more });
export const resultOf = (name: string, more: Partial<CheckResult> = {}): CheckResult =>
  result({ file: name, name, operation: 'SCAN', findings: [finding()], ...more });
