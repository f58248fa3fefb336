/** Reads from an API server the objects that a run is compared with, and that its files may lack. */
import { type ClaimDialect, claimDialects, placementDecision, serviceExport } from '../../api/dialects.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Reference } from '../../rules/rule.ts';
import { dialectOfObject, keyOf, referenceOfObject } from '../objects.ts';
import type { RunView } from '../view.ts';
import type { ReadCluster } from './inputs.ts';

/** Returns the dialects of claims to compare: those of objects in the run, or all of them if it exports a Service. */
export function claimDialectsOf(clusters: readonly Pick<ReadCluster, 'objects'>[]): readonly ClaimDialect[] {
  const found = new Set(clusters.flatMap(({ objects }) => objects.map(({ object }) => dialectOfObject(object))));
  // A claim of any dialect may name the ClusterSet of an export.
  const isExporting = found.has(serviceExport);
  return claimDialects.filter((dialect) => isExporting || found.has(dialect));
}

/**
 * Stores in the view the cluster's ids and membership that the run did not change, and returns them. A failed read is
 * an error of the cluster.
 */
export async function readMembership(view: RunView, claims: readonly ClaimDialect[]): Promise<readonly JsonObject[]> {
  const references = claims.flatMap((dialect) => {
    const { idNames, membershipName } = dialect.claim;
    return [...idNames, membershipName].map((name) => ({ dialect, name }));
  });
  return readUnchanged(view, references);
}

/**
 * Stores in the view the cluster's objects of these names that the run did not change, and returns them. A failed read
 * is an error of the cluster.
 */
export async function readUnchanged(view: RunView, references: readonly Reference[]): Promise<readonly JsonObject[]> {
  const unchanged: JsonObject[] = [];
  for (const reference of references) {
    if (view.stored(reference) !== undefined) continue;
    const answer = await view.get(reference);
    if (!answer.known || answer.value === undefined) continue;
    const { group, versions, kind } = reference.dialect;
    // The API server may leave out the type of an object that it was asked for by kind.
    const object = { apiVersion: `${group}/${versions.at(-1)}`, kind, ...answer.value };
    view.store(reference, object);
    unchanged.push(object);
  }
  return unchanged;
}

/**
 * Stores in the view the slices of the namespaces in which the run has some, and returns those that the run did not
 * evaluate. A failed read is an error of the cluster.
 * @param evaluated keys of objects
 */
export async function readSlices(view: RunView, evaluated: Iterable<string>): Promise<ReadSlices> {
  const keys = new Set(evaluated);
  const slices = view.all().filter(({ reference }) => reference.dialect.name === placementDecision.name);
  const unchanged: JsonObject[] = [];
  let unread: string | undefined;
  for (const namespace of new Set(slices.map(({ reference }) => reference.namespace))) {
    const answer = await view.list(placementDecision, namespace);
    if (!answer.known) unread = answer.reason;
    for (const object of answer.known ? answer.value : [])
      if (!keys.has(keyOf(referenceOfObject(placementDecision, object)))) unchanged.push(object);
  }
  return { unchanged, unread };
}

/** The slices that an API server has besides those of a run. */
export interface ReadSlices {
  readonly unchanged: readonly JsonObject[];
  /** Why not all could be read; undefined if all were. */
  readonly unread: string | undefined;
}
