/**
 * Reads the previous state of `check --live`, object by object as the run needs it, by the view of
 * `src/cluster/live/reader.ts`.
 */

import type { Resource } from '../api/dialects.ts';
import { limitConcurrency } from '../base/concurrency.ts';
import type { JsonObject } from '../base/json.ts';
import { escapeControls } from '../base/text.ts';
import type { ApiClient } from '../cluster/live/client.ts';
import { type ClusterReader, createClusterReader } from '../cluster/live/reader.ts';
import type { Reference } from '../rules/rule.ts';
import { dialectOfObject, type InputObject, referenceOf, withNamespace } from './objects.ts';
import type { RunViewOptions } from './view.ts';

export type Live = ReturnType<typeof openLive>;

/** Few, so that a check does not keep an API server busy. */
const READS_AT_A_TIME = 16;

/** Reads from a cluster, and closes its client in the end; `name` is for notes. Makes no call yet. */
export function openLive(client: ApiClient, name = '') {
  const reader = createClusterReader(client);
  // The kinds of the run's objects. Notes are about these only, though a run may read others.
  const kinds = new Set<Resource | undefined>();
  const qualified = (input: InputObject) => ({ ...input, object: withNamespace(client.namespace, input.object) });
  return {
    /** The namespace of objects that name none. */
    namespace: client.namespace,
    /** Reads these objects, in their order. */
    get: (references: readonly Reference<Resource>[]) => eachOf(references, (reference) => reader.get(reference)),
    /**
     * Reads what the cluster stores of these objects. Returns the objects with the namespace that kubectl would give
     * them, and a view of what was read.
     */
    async read(written: readonly InputObject[], deleted: readonly InputObject[]) {
      const objects: readonly InputObject[] = written.map(qualified);
      const deletions: readonly InputObject[] = deleted.map(qualified);
      const all = [...objects, ...deletions];
      for (const { object } of all) kinds.add(dialectOfObject(object));
      // Failed reads are among the reader's problems.
      const state = (await eachOf(all, (input) => storedOf(reader, input))).flat();
      const view: RunViewOptions = { state, behind: reader };
      return { objects, deletions, view };
    },
    /** Returns what could not be read. Call it once everything is evaluated. */
    errors: () => reader.problems().map((message) => ({ message })),
    /** Returns a note for each kind without a CRD: it may be installed later, or this is the wrong cluster. */
    notes() {
      const missing = reader.missingKinds().filter((kind) => kinds.has(kind));
      return missing.map(({ plural, group }) => {
        const where = name === '' ? '' : `${name}: `;
        return escapeControls(`note: ${where}the cluster does not serve ${plural} (${group}), so none exist there`);
      });
    },
    close: client.close,
  };
}

/** Makes a few calls at a time. Results are in the order of the items. */
function eachOf<Of, Result>(items: readonly Of[], call: (item: Of) => Promise<Result>): Promise<Result[]> {
  const inTurn = limitConcurrency(READS_AT_A_TIME);
  return Promise.all(items.map((item) => inTurn(() => call(item))));
}

async function storedOf(reader: ClusterReader, { object, apiVersion }: InputObject): Promise<readonly JsonObject[]> {
  const reference = referenceOf(object);
  if (!reference?.name) return [];
  const answer = await reader.get(reference, apiVersion.split('/')[1]);
  return answer.known && answer.value !== undefined ? [answer.value] : [];
}
