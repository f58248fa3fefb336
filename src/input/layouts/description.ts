/** Reads the files that describe a layout, `kustomization.yaml` and `Chart.yaml`: the first document of each. */

import { isObject, type Json, type Path } from '../../base/json.ts';
import { quoted } from '../../base/text.ts';
import {
  type DocumentBatch,
  LINE_BREAK,
  readDocuments,
  readManifests,
  type SourceDocument,
  type SourceError,
} from '../../documents/index.ts';
import { evaluatedIn } from '../objects.ts';
import type { Tree } from './tree.ts';

/**
 * Returns the value of the first document of a file, if it is a description. If it can't be read, `tree.broken` says
 * why. Documents after it describe nothing, and are read like any others.
 * @param isDescription is given the value with field names in lower case, and as it is written
 */
export function descriptionAt(
  file: string,
  tree: Tree,
  isDescription: (lower: Json, written: Json) => boolean,
): Json | undefined {
  const read = tree.read(file);
  if (read === undefined) return undefined;
  const { document, errors } = 'message' in read ? { errors: [read] } : firstDocument(read.text, tree.nameOf(file));
  const written = document?.value ?? {};
  if (errors.length === 0 && !isDescription(withLowerKeys(written), written)) return undefined;
  const clash = document && sameFieldTwice(document);
  const problems = clash ? [clash] : errors;
  if (problems.length === 0) return written;
  tree.broken.set(file, problems);
  return undefined;
}

function firstDocument(text: string, name: string): { document?: SourceDocument; errors: readonly SourceError[] } {
  for (const batch of readManifests(text, name)) {
    const { documents, errors } = batch.skipped[0]?.read() ?? batch;
    const [document] = documents;
    if (errors.length > 0) return { errors };
    if (document !== undefined) return { document, errors };
  }
  return { errors: [] };
}

/** Returns the text that describes the layout: all before the second document. */
export function descriptionIn(text: string, name: string): string {
  const [, second] = readDocuments(text, name).documents;
  return second === undefined ? text : text.split(LINE_BREAK, second.start.line - 1).join('\n');
}

/** Leaves the description out of the documents of a file, unless kubectl would read it as a manifest. */
export function* withoutDescription(batches: Iterable<DocumentBatch>): Generator<DocumentBatch> {
  let isFirst = true;
  for (const batch of batches) {
    const [description, ...documents] = batch.documents;
    const isLeftOut = isFirst && description !== undefined && evaluatedIn(description).length === 0;
    yield { ...batch, ...(isLeftOut && { documents }), ...(isFirst && { skipped: [] }) };
    isFirst &&= description === undefined && batch.skipped.length === 0;
  }
}

/**
 * Returns an error if a mapping has two keys that differ in case only. kustomize and Helm read them as one field, whose
 * value depends on the order in which they sort keys.
 */
function sameFieldTwice({ value, file, locate }: SourceDocument): SourceError | undefined {
  const [earlier = '', path = []] = clashIn(value, []) ?? [];
  if (path.length === 0) return undefined;
  const [one, other] = [earlier, `${path.at(-1)}`].map((key) => `"${quoted(key)}"`);
  const { line, column } = locate(path);
  const message = `the keys ${one} and ${other} differ in case only, and are one field to the program that reads them`;
  return { file, line, column, message: `${message}: remove one` };
}

/** Fields of mappings whose keys are no fields, such as those of labels: two that differ in case are two. */
const WITH_FREE_KEYS = new Set(['labels', 'annotations', 'commonlabels', 'commonannotations', 'pairs', 'valuesinline']);

/** Returns the first key that differs from an earlier one in case only: the earlier one, and its own path. */
function clashIn(value: Json, path: Path): readonly [earlier: string, path: Path] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isMapping = isObject(value);
  const first = new Map<string, string>();
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, isMapping ? key : Number(key)];
    const earlier = first.get(fieldName(key));
    if (earlier !== undefined) return [earlier, here];
    first.set(fieldName(key), key);
    if (isMapping && isObject(inner) && WITH_FREE_KEYS.has(fieldName(key))) continue;
    const found = clashIn(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the value with field names in lower case. Go decodes them in any case, such as `Resources` and `reſources`.
 */
export function withLowerKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withLowerKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fieldName(key), withLowerKeys(inner)]));
}

/** Returns the name of a field as Go compares it. */
export function fieldName(key: string): string {
  return key.toUpperCase().toLowerCase();
}
