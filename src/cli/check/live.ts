/** Reads the previous state from a cluster (`--live`), object by object as the run needs it. */

import { at, isObject, type JsonObject, textAt } from '../../base/json.ts';
import { plain } from '../../base/text.ts';
import { dialectOfObject, type FilesViewOptions, type InputObject, referenceTo } from '../../cluster/files/index.ts';
import type { AccessFlags } from '../../cluster/live/access-flags.ts';
import type { ClusterReader } from '../../cluster/live/reader.ts';
import type { CheckError } from '../output/report.ts';
import { openClient } from '../shared.ts';

type Inputs = readonly InputObject[];

export interface Live {
  /** Reads those of the objects that the cluster has, and gives each the namespace that kubectl would give it. */
  read(documents: Inputs, deletions: Inputs): Promise<{ documents: Inputs; deletions: Inputs; view: FilesViewOptions }>;
  /** Returns what could not be read, once everything is evaluated. */
  errors(): readonly CheckError[];
  /** Returns a note for each kind without a CRD in the cluster: it may be yet to come, or this is the wrong cluster. */
  notes(): readonly string[];
  close(): void;
}

/** A check must not be what keeps an API server busy. */
const READS_AT_A_TIME = 16;

/** Opens a cluster without a call to it; `name` is for notes. Throws UsageError if the kubeconfig names none. */
export async function openLive(flags: AccessFlags, name = ''): Promise<Live> {
  // It takes long to load, so only --live imports it.
  const { createClusterReader } = await import('../../cluster/index.ts');
  const client = await openClient(flags);
  const reader = createClusterReader(client);
  return {
    async read(...inputs) {
      // Objects that name no namespace are in that of the kubeconfig's context.
      const qualified = inputs.map((all) => all.map((one) => withNamespace(client.namespace, one)));
      const [documents = [], deletions = []] = qualified;
      const state = await readStored(reader, [...documents, ...deletions]);
      return { documents, deletions, view: { state, behind: reader } };
    },
    errors: () => reader.problems().map((message) => ({ message })),
    notes: () =>
      reader.missingKinds().map(({ plural, group }) => {
        return plain(
          `note: ${name === '' ? '' : `${name}: `}the cluster does not serve ${plural} (${group}), so none exist there`,
        );
      }),
    close: client.close,
  };
}

function withNamespace(namespace: string, input: InputObject): InputObject {
  const metadata = at(input.object, ['metadata']);
  const isFinal = dialectOfObject(input.object)?.scope !== 'Namespaced' || !isObject(metadata);
  if (isFinal || (at(metadata, ['namespace']) ?? '') !== '') return input;
  return { ...input, object: { ...input.object, metadata: { ...metadata, namespace } } };
}

/** Failures are among the reader's problems. */
async function readStored(reader: ClusterReader, inputs: Inputs): Promise<readonly JsonObject[]> {
  const found: (readonly JsonObject[])[] = [];
  const waiting = inputs.entries();
  const work = async () => {
    for (const [index, input] of waiting) found[index] = await storedOf(reader, input);
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, work));
  return found.flat();
}

async function storedOf(reader: ClusterReader, { object, apiVersion }: InputObject): Promise<readonly JsonObject[]> {
  const dialect = dialectOfObject(object);
  if (dialect === undefined || !textAt(object, ['metadata', 'name'])) return [];
  const answer = await reader.get(referenceTo(dialect, object), apiVersion.split('/')[1]);
  return answer.known && answer.value !== undefined ? [answer.value] : [];
}
