/** Compares a ServiceImport with the constituents that it is derived from. */
import type { Path } from '../../base/json.ts';
import type { Phrases } from '../../base/text.ts';
import { type Conflict, MOST_RELATED } from '../rule.ts';
import { type Constituent, clustersIn, conflictsAmong, isAffinity, isMetadata, valueKey } from './derivation.ts';
import { type Condition, constituentsIn, type Export, type Import } from './fleet-services.ts';
import { clustersText, valueText } from './outcomes.ts';
import type { Properties } from './service-properties.ts';

/** The properties of an import that are compared, with their paths. */
const COMPARED = [
  ['type', ['spec', 'type']],
  ['ports', ['spec', 'ports']],
  ['sessionAffinity', ['spec', 'sessionAffinity']],
  ['timeoutSeconds', ['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds']],
] as const satisfies readonly (readonly [property: string, Path])[];

/** Exports of a service that agree. */
export interface Agreement {
  readonly exports: readonly Export[];
  readonly clusters: Phrases;
  /** One of the constituents, and the properties in which all agree with it. */
  readonly first: Constituent;
  readonly agreed: ReadonlySet<string>;
}

/** Returns in what the constituents of a service agree; undefined if they conflict, or did so before. */
export function agreementOf(exports: readonly Export[]): Agreement | undefined {
  const constituents = constituentsIn(exports);
  const [first] = constituents;
  const isConflicting = [...conflictsAmong(constituents).keys()].some((property) => !isMetadata(property));
  // After a conflict was resolved, the import may not be updated yet.
  if (first === undefined || isConflicting || exports.some(({ fact }) => wasResolved(fact.conditions)))
    return undefined;
  const agreed = COMPARED.filter(([property]) => {
    const expected = valueKey(first, property);
    return expected !== undefined && constituents.every((one) => valueKey(one, property) === expected);
  });
  const clusters = clustersText(clustersIn(constituents));
  return { exports, clusters, first, agreed: new Set(agreed.map(([property]) => property)) };
}

/**
 * Whether a conflict was resolved: `Conflict` became false after `Valid` was set. Without a conflict, it is false from
 * the beginning.
 */
function wasResolved(conditions: readonly Condition[]): boolean {
  const [conflict, valid] = ['Conflict', 'Valid'].map((type) => conditions.find((one) => one.type === type));
  if (conflict?.status !== 'False' || conflict.changed === undefined || valid?.changed === undefined) return false;
  return conflict.changed > valid.changed;
}

/** Reports the properties in which an import differs from all constituents. */
export function differencesOf({ object, fact }: Import, agreement: Agreement): readonly Conflict[] {
  const { exports, clusters, first, agreed } = agreement;
  const own: Constituent = { cluster: object.cluster, created: undefined, properties: fact as Properties };
  const isHeadless = [own, first].some(({ properties }) => properties.type === 'Headless');
  return COMPARED.flatMap(([property, path]): readonly Conflict[] => {
    const found = valueKey(own, property);
    if (!agreed.has(property) || found === undefined || found === valueKey(first, property)) return [];
    if (isHeadless && isAffinity(property)) return [];
    const [expected, shown] = [first, own].map((one) => valueText(one, property));
    const data = { expected, found: shown, clusters };
    // In a run of one cluster, that cluster has no name.
    const messageId = object.cluster === '' ? 'differsHere' : 'differs';
    const related = exports
      .slice(0, MOST_RELATED)
      .map((one) => ({ object: one.object, path: [], messageId: 'export' }));
    return [{ object, problem: { path, messageId, data }, related }];
  });
}
