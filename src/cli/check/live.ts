/** `--live`: what exists before is what the cluster has, read object by object as the run needs it. */
import { type GivenObject, referenceTo } from '../../cluster/files/index.ts';
import type { ClusterReader } from '../../cluster/live/reader.ts';
import { plain } from '../../engine/text.ts';
import { at, isObject, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { CheckError } from './report.ts';
import { dialectOfGiven } from './session.ts';

export interface Live {
  readonly reader: ClusterReader;
  /** Where a namespaced object stands that names no namespace: that of the kubeconfig's context. */
  readonly namespace: string;
}

/** How the cluster is called where an error has no file. */
const CLUSTER = '<cluster>';

/** The objects with the namespace that kubectl would give them. */
export function placedIn({ namespace }: Live, objects: readonly GivenObject[]): readonly GivenObject[] {
  return objects.map((given) => {
    const metadata = at(given.object, ['metadata']);
    const isPlaced = dialectOfGiven(given)?.scope !== 'Namespaced' || !isObject(metadata);
    if (isPlaced || (at(metadata, ['namespace']) ?? '') !== '') return given;
    return { ...given, object: { ...given.object, metadata: { ...metadata, namespace } } };
  });
}

/** Those of the objects that the cluster has, as it has them. What can't be read is among the reader's problems. */
export async function readStored({ reader }: Live, objects: readonly GivenObject[]): Promise<readonly JsonObject[]> {
  const answers = await Promise.all(objects.map((given) => storedOf(reader, given)));
  return answers.flat();
}

async function storedOf(reader: ClusterReader, given: GivenObject): Promise<readonly JsonObject[]> {
  const dialect = dialectOfGiven(given);
  if (dialect === undefined || !textAt(given.object, ['metadata', 'name'])) return [];
  const answer = await reader.get(referenceTo(dialect, given.object), given.apiVersion.split('/')[1]);
  return answer.known && answer.value !== undefined ? [answer.value] : [];
}

/** What could not be read, after all was judged. */
export function liveErrors({ reader }: Live): readonly CheckError[] {
  return reader.problems().map((message) => ({ file: CLUSTER, line: 1, column: 1, message }));
}

/** A kind whose CRD is yet to come has no objects; it may also be the wrong cluster. */
export function liveNotes({ reader }: Live): readonly string[] {
  return reader.missingKinds().map(({ plural, group }) => {
    return plain(`${CLUSTER}: note: it does not serve ${plural} (${group}), so none exist there`);
  });
}
