/** Reads from an API server what objects of the run are compared with, and which no file of the run may hold. */
import { type Dialect, dialects, placementDecision } from '../../../api/dialects.ts';
import type { JsonObject } from '../../../base/json.ts';
import { dialectOfObject, type FilesView, keyOf, referenceTo } from '../../../cluster/files/index.ts';
import type { ReadCluster } from './inputs.ts';

/** Returns the APIs whose claims the documents of the run hold: of others nothing is compared. */
export function claimsIn(clusters: readonly Pick<ReadCluster, 'documents'>[]): readonly Dialect[] {
  const found = new Set(clusters.flatMap(({ documents }) => documents.map(({ object }) => dialectOfObject(object))));
  return dialects.filter((dialect) => dialect.claim && found.has(dialect));
}

/**
 * Stores in the view the cluster's ids and membership that the run did not change, and returns them. A failed read is
 * an error of the cluster.
 */
export async function readMembership(view: FilesView, claims: readonly Dialect[]): Promise<readonly JsonObject[]> {
  const unchanged: JsonObject[] = [];
  for (const dialect of claims) {
    for (const name of [...(dialect.claim?.idNames ?? []), dialect.claim?.membershipName ?? '']) {
      const reference = { dialect, name };
      if (view.stored(reference) !== undefined) continue;
      const answer = await view.get(reference);
      if (!answer.known || answer.value === undefined) continue;
      // The API server may leave out the type of an object that it was asked for by kind.
      const object = { apiVersion: `${dialect.group}/${dialect.versions.at(-1)}`, kind: dialect.kind, ...answer.value };
      view.store(reference, object);
      unchanged.push(object);
    }
  }
  return unchanged;
}

/**
 * Stores in the view the slices of the namespaces in which the run has some, and returns those that the run did not
 * evaluate. A failed read is an error of the cluster.
 * @param evaluated keys of objects
 */
export async function readSlices(view: FilesView, evaluated: Iterable<string>): Promise<readonly JsonObject[]> {
  const keys = new Set(evaluated);
  const slices = view.all().filter(({ reference }) => reference.dialect.name === placementDecision.name);
  const unchanged: JsonObject[] = [];
  for (const namespace of new Set(slices.map(({ reference }) => reference.namespace))) {
    const answer = await view.list(placementDecision, namespace);
    for (const object of answer.known ? answer.value : [])
      if (!keys.has(keyOf(referenceTo(placementDecision, object)))) unchanged.push(object);
  }
  return unchanged;
}
