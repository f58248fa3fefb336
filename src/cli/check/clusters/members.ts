/** Reads from an API server what rules need to compare its cluster with others: the id and the membership, which no file of the run may hold. */
import { type Dialect, dialects } from '../../../api/dialects.ts';
import { dialectOfObject, type FilesView } from '../../../cluster/files/index.ts';
import type { JsonObject } from '../../../rules/rule.ts';
import type { ReadCluster } from './inputs.ts';

/** Returns the APIs whose claims the documents of the run hold: of others nothing is compared. */
export function claimsIn(clusters: readonly Pick<ReadCluster, 'documents'>[]): readonly Dialect[] {
  const found = new Set(clusters.flatMap(({ documents }) => documents.map(({ object }) => dialectOfObject(object))));
  return dialects.filter((dialect) => dialect.claim && found.has(dialect));
}

/**
 * Stores in the view the ids and the membership that the cluster has and the run did not change, and returns them. What can't be
 * read is an error of the cluster.
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
