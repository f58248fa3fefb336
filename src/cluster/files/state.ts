/** What exists, as files tell it: for `serve --state`, `check --state`. */
import type { SourceDocument } from '../../documents/index.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { type ObjectError, objectsIn } from './objects.ts';
import { readSources, type SourcesOptions } from './sources.ts';

export interface State {
  /** Of any kind, in the order read. None and no error: an empty world. */
  readonly objects: readonly JsonObject[];
  /** Files or documents that could not be read. The rest was read all the same. */
  readonly errors: readonly ObjectError[];
}

/** Reads the objects that exist from files and folders, as `check` reads its input. Never throws on bad input. */
export async function readState(paths: readonly string[], options: SourcesOptions = {}): Promise<State> {
  const { documents, errors } = await readSources(paths, options);
  const objects: JsonObject[] = [];
  const all: ObjectError[] = [...errors];
  let foreign: SourceDocument | undefined;
  for (const document of documents) {
    const found = objectsIn(document);
    objects.push(...found.objects.map(({ object }) => object));
    all.push(...found.errors);
    foreign ??= found.foreign > 0 ? document : undefined;
  }
  // Somebody else's file must not pass for an empty world.
  if (objects.length === 0 && foreign !== undefined) all.push(errorAt(foreign));
  return { objects, errors: all };
}

function errorAt({ source, start }: SourceDocument): ObjectError {
  return { source, line: start.line, column: start.column, message: 'this state holds no Kubernetes object' };
}
