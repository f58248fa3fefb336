/** What exists, as files tell it: for `serve --state`, `check --state`. */
import type { SourceDocument } from '../../documents/index.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { isJudged } from './input.ts';
import { type GivenObject, type ObjectError, objectsIn } from './objects.ts';
import { readEach, type SourcesOptions } from './sources.ts';

export interface State {
  /** Of any kind, in the order read. None and no error: an empty world. */
  readonly objects: readonly JsonObject[];
  /** Files or documents that could not be read. The rest was read all the same. */
  readonly errors: readonly ObjectError[];
}

/** Reads the objects that exist from files and folders, as `check` reads its input. Never throws on bad input. */
export async function readState(paths: readonly string[], options: SourcesOptions = {}): Promise<State> {
  const objects: JsonObject[] = [];
  const [unread, wrong]: [ObjectError[], ObjectError[]] = [[], []];
  let foreign: ObjectError | undefined;
  for await (const { documents, errors } of readEach(paths, options)) {
    for (const error of errors) unread.push(error);
    for (const document of documents) {
      const found = objectsIn(document);
      for (const given of found.objects) objects.push(keptOf(given));
      for (const error of found.errors) wrong.push(error);
      foreign ??= found.foreign > 0 ? noObject(document) : undefined;
    }
  }
  // Somebody else's file must not pass for an empty world.
  if (objects.length === 0 && foreign !== undefined) wrong.push(foreign);
  return { objects, errors: [...unread, ...wrong] };
}

/** Of a kind that muster does not judge it counts that there is one; a whole cluster's export is full of them. */
function keptOf(given: GivenObject): JsonObject {
  return isJudged(given) ? given.object : { apiVersion: given.apiVersion, kind: given.kind };
}

function noObject({ source, start }: SourceDocument): ObjectError {
  return { source, line: start.line, column: start.column, message: 'this state holds no Kubernetes object' };
}
