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
import type { Answer, Reference } from '../rules/rule.ts';
import { dialectOfObject, type InputObject, referenceOf, withNamespace } from './objects.ts';
import type { PlacedMessage } from './place.ts';
import type { RunViewOptions } from './view.ts';

export interface Live {
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /**
   * Reads what the cluster stores of these objects. Returns the objects with the namespace that kubectl would give
   * them, and a view of what was read.
   */
  read(
    objects: readonly InputObject[],
    deletions: readonly InputObject[],
  ): Promise<{ objects: readonly InputObject[]; deletions: readonly InputObject[]; view: RunViewOptions }>;
  /** Reads these objects, in their order. */
  get(references: readonly Reference<Resource>[]): Promise<readonly Answer<JsonObject | undefined>[]>;
  /** Returns what could not be read. Call it once everything is evaluated. */
  errors(): readonly PlacedMessage[];
  /** Returns a note for each kind without a CRD: it may be installed later, or this is the wrong cluster. */
  notes(): readonly string[];
  close(): void;
}

/** Few, so that a check does not keep an API server busy. */
const READS_AT_A_TIME = 16;

/** Reads from a cluster, and closes its client in the end; `name` is for notes. Makes no call yet. */
export function openLive(client: ApiClient, name = ''): Live {
  const reader = createClusterReader(client);
  // The kinds of the run's objects. Notes are about these only, though a run may read others.
  const kinds = new Set<Resource | undefined>();
  const qualified = (input: InputObject) => ({ ...input, object: withNamespace(client.namespace, input.object) });
  return {
    namespace: client.namespace,
    get: (references) => eachOf(references, (reference) => reader.get(reference)),
    async read(written, deleted) {
      const objects = written.map(qualified);
      const deletions = deleted.map(qualified);
      const all = [...objects, ...deletions];
      for (const { object } of all) kinds.add(dialectOfObject(object));
      // Failed reads are among the reader's problems.
      const state = (await eachOf(all, (input) => storedOf(reader, input))).flat();
      return { objects, deletions, view: { state, behind: reader } };
    },
    errors: () => reader.problems().map((message) => ({ message })),
    notes: () =>
      reader
        .missingKinds()
        .filter((kind) => kinds.has(kind))
        .map(({ plural, group }) => {
          const where = name === '' ? '' : `${name}: `;
          return escapeControls(`note: ${where}the cluster does not serve ${plural} (${group}), so none exist there`);
        }),
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
