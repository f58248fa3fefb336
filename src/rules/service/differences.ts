/** What a ServiceImport says otherwise than the constituents that it is derived from. */
import type { Path } from '../../base/json.ts';
import { type Conflict, MOST_RELATED } from '../rule.ts';
import { wasResolved } from './conditions.ts';
import type { Properties } from './constituent.ts';
import { type Constituent, clustersIn, conflictsAmong, isAffinity, isMetadata, valueKey } from './derivation.ts';
import type { Export, Import } from './facts.ts';
import { clustersText, valueText } from './outcomes.ts';

/** What an import says as its constituents do. */
const COMPARED = [
  ['type', ['spec', 'type']],
  ['ports', ['spec', 'ports']],
  ['sessionAffinity', ['spec', 'sessionAffinity']],
  ['timeoutSeconds', ['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds']],
] as const satisfies readonly (readonly [property: string, Path])[];

/** Exports of a service that agree. */
export interface Agreement {
  readonly exports: readonly Export[];
  readonly clusters: readonly string[];
  /** One of the constituents, and the properties on which all others say the same. */
  readonly first: Constituent;
  readonly agreed: ReadonlySet<string>;
}

/** Returns on what the constituents of a service agree; undefined where they do not, or may not have before. */
export function agreementOf(exports: readonly Export[]): Agreement | undefined {
  const constituents = exports.flatMap(({ constituent }) => constituent ?? []);
  const [first] = constituents;
  const isContested = [...conflictsAmong(constituents).keys()].some((property) => !isMetadata(property));
  // After a conflict, the import may remain as the conflict left it.
  if (first === undefined || isContested || exports.some(({ fact }) => wasResolved(fact.conditions))) return undefined;
  const agreed = COMPARED.filter(([property]) => {
    const expected = valueKey(first, property);
    return expected !== undefined && constituents.every((one) => valueKey(one, property) === expected);
  });
  const clusters = clustersIn(constituents);
  return { exports, clusters, first, agreed: new Set(agreed.map(([property]) => property)) };
}

/** Returns what an import says otherwise than all constituents. */
export function differencesOf({ object, fact }: Import, agreement: Agreement): readonly Conflict[] {
  const { exports, clusters, first, agreed } = agreement;
  const own: Constituent = { cluster: object.cluster, created: undefined, properties: fact as Properties };
  const isHeadless = [own, first].some(({ properties }) => properties.type === 'Headless');
  return COMPARED.flatMap(([property, path]): readonly Conflict[] => {
    const found = valueKey(own, property);
    if (!agreed.has(property) || found === undefined || found === valueKey(first, property)) return [];
    if (isHeadless && isAffinity(property)) return [];
    const [expected, shown] = [first, own].map((one) => valueText(one, property));
    const data = { expected, found: shown, clusters: clustersText(clusters) };
    const related = exports
      .slice(0, MOST_RELATED)
      .map((one) => ({ object: one.object, path: [], messageId: 'export' }));
    return [{ object, problem: { path, messageId: 'differs', data }, related }];
  });
}
