/** Reads the previous state from a cluster (`--live`), object by object as the run needs it. */
import { type InputObject, referenceTo } from '../../cluster/files/index.ts';
import type { AccessFlags } from '../../cluster/live/access.ts';
import type { ClusterReader } from '../../cluster/live/reader.ts';
import { plain } from '../../engine/text.ts';
import { at, isObject, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { CheckError } from '../output/report.ts';
import { UsageError } from '../shared.ts';
import { dialectOfInput } from './operations.ts';

export interface Live {
  readonly reader: ClusterReader;
  /** The namespace of namespaced objects that name none: that of the kubeconfig's context. */
  readonly namespace: string;
}

/** A check must not be what keeps an API server busy. */
const READS_AT_A_TIME = 16;
/** What stands for a file in errors about the cluster. */
const CLUSTER = '<cluster>';

/** Opens a cluster without a call to it. Throws UsageError if the kubeconfig names none. */
export async function openLive(flags: AccessFlags): Promise<Live & { close(): void }> {
  // The client takes long to load, so only --live imports it.
  const { ClusterError, createClusterReader, openCluster } = await import('../../cluster/live/index.ts');
  try {
    const client = await openCluster(flags);
    return { reader: createClusterReader(client), namespace: client.namespace, close: client.close };
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(`--live: ${error.message}`);
    throw error;
  }
}

/** Returns the objects with the namespace that kubectl would give them. */
export function withNamespace({ namespace }: Live, objects: readonly InputObject[]): readonly InputObject[] {
  return objects.map((input) => {
    const metadata = at(input.object, ['metadata']);
    const isFinal = dialectOfInput(input)?.scope !== 'Namespaced' || !isObject(metadata);
    if (isFinal || (at(metadata, ['namespace']) ?? '') !== '') return input;
    return { ...input, object: { ...input.object, metadata: { ...metadata, namespace } } };
  });
}

/** Reads those of the objects that the cluster has. Failures are among the reader's problems. */
export async function readStored({ reader }: Live, objects: readonly InputObject[]): Promise<readonly JsonObject[]> {
  const found: (readonly JsonObject[])[] = [];
  const waiting = objects.entries();
  const work = async () => {
    for (const [index, input] of waiting) found[index] = await storedOf(reader, input);
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, work));
  return found.flat();
}

async function storedOf(reader: ClusterReader, input: InputObject): Promise<readonly JsonObject[]> {
  const dialect = dialectOfInput(input);
  if (dialect === undefined || !textAt(input.object, ['metadata', 'name'])) return [];
  const answer = await reader.get(referenceTo(dialect, input.object), input.apiVersion.split('/')[1]);
  return answer.known && answer.value !== undefined ? [answer.value] : [];
}

/** Returns what could not be read, once everything is evaluated. */
export function liveErrors({ reader }: Live): readonly CheckError[] {
  return reader.problems().map((message) => ({ file: CLUSTER, line: 1, column: 1, message }));
}

/** Returns a note for each kind without a CRD in the cluster: it may be yet to come, or this is the wrong cluster. */
export function liveNotes({ reader }: Live): readonly string[] {
  return reader.missingKinds().map(({ plural, group }) => {
    return plain(`${CLUSTER}: note: it does not serve ${plural} (${group}), so none exist there`);
  });
}
