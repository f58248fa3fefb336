/** What the probes write in dry run: for each dialect one object that muster refuses, and one that it takes. */

import type { ClaimFacts, Dialect } from '../../api/dialects.ts';
import { MANAGER_LABEL } from '../../rules/inventory/reading.ts';
import type { JsonObject } from '../../rules/rule.ts';

/** The part of every name, so that whoever finds it in an audit log knows. */
export const PROBER = 'muster-doctor';
/** Exists everywhere, and is not exempt by default. */
const NAMESPACE = 'default';

export interface Probe {
  readonly object: JsonObject;
  /** The rule that refuses it; undefined where none should. */
  readonly rule: string | undefined;
}

/** Where objects of a dialect in a version are created. */
export function collectionOf({ group, plural, scope }: Dialect, version: string): string {
  const where = scope === 'Namespaced' ? `namespaces/${NAMESPACE}/` : '';
  return `/apis/${group}/${version}/${where}${plural}`;
}

/** Refused by what no CRD's own schema says. Undefined for features: none of their rules speaks of a new one. */
export function badProbe(dialect: Dialect, version: string): Probe | undefined {
  if (dialect.claim) return badClaim(dialect, dialect.claim, version);
  if (dialect.concept !== 'inventory') return undefined;
  const labels = { [MANAGER_LABEL]: `${PROBER}-other` };
  return {
    object: { ...inventory(dialect, version), ...named(dialect, PROBER, labels) },
    rule: 'inventory/cluster-manager-label',
  };
}

/** Refused by nothing that holds without a configuration. */
export function goodProbe(dialect: Dialect, version: string): Probe {
  const type = typeOf(dialect, version);
  if (dialect.claim) {
    return {
      object: { ...type, ...named(dialect, `${PROBER}.example.com`), spec: { value: PROBER } },
      rule: undefined,
    };
  }
  if (dialect.concept === 'inventory')
    return { object: { ...inventory(dialect, version), ...named(dialect, PROBER) }, rule: undefined };
  return { object: { ...type, ...named(dialect, PROBER), spec: {} }, rule: undefined };
}

/** Reserved names pass with a warning in OCM's dialect: there it is the id's syntax, of which OCM's CRD says nothing. */
function badClaim(dialect: Dialect, { idNames }: ClaimFacts, version: string): Probe {
  const ocm = dialect.name === 'ocm-cluster-claim';
  const name = ocm ? (idNames[0] ?? '') : `${PROBER}.k8s.io`;
  const spec = { value: ocm ? `${PROBER}_is_no_label` : PROBER };
  const rule = ocm ? 'claim/id-syntax' : 'claim/reserved-name';
  return { object: { ...typeOf(dialect, version), ...named(dialect, name), spec }, rule };
}

function inventory(dialect: Dialect, version: string): JsonObject {
  return { ...typeOf(dialect, version), spec: { clusterManager: { name: PROBER } } };
}

function typeOf({ group, kind }: Dialect, version: string): JsonObject {
  return { apiVersion: `${group}/${version}`, kind };
}

function named({ scope }: Dialect, name: string, labels?: JsonObject): JsonObject {
  const namespace = scope === 'Namespaced' ? { namespace: NAMESPACE } : {};
  return { metadata: { name, ...namespace, ...(labels === undefined ? {} : { labels }) } };
}
