/**
 * Any text as a manifest: documents or errors with their locations, and a location for whatever stands in a document.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json, Path } from '../../../../src/base/json.ts';
import { readDocuments, type SourceDocument } from '../../../../src/documents/index.ts';
import { ensure, type Target } from '../target.ts';

const CORPUS = fileURLToPath(new URL('../../../unit/documents/corpus/', import.meta.url));
const MOST_PATHS = 24;
const MOST_DOCUMENTS = 50;

export const yaml: Target = {
  name: 'yaml',
  prefix: 0,
  longest: 4096,
  seeds: () =>
    readdirSync(CORPUS)
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => readFileSync(`${CORPUS}${file}`, 'utf8').split(/^---$/m))
      .map((text) => Buffer.from(text)),
  run(input) {
    const text = input.toString('utf8');
    const { documents, errors } = readDocuments(text, 'fuzz');
    const lines = text.split(/\r\n|\r|\n/).length;
    for (const { line, column } of [...errors, ...documents.map(({ start }) => start)])
      ensure(line >= 1 && line <= lines && column >= 1, `each stands within the text, not at ${line}:${column}`);
    for (const { message } of errors) ensure(!message.includes('a bug'), message);
    for (const document of documents.slice(0, MOST_DOCUMENTS))
      for (const path of pathsIn(document.value)) located(document, path);
  },
};

function located(document: SourceDocument, path: Path): void {
  const { line, column } = document.locate(path);
  ensure(line >= 1 && column >= 1, `${JSON.stringify(path)} stands somewhere, not at ${line}:${column}`);
  ensure(document.sourceLine(line).length >= column - 1, `${JSON.stringify(path)} stands within its line`);
}

/** Some paths of a value, those that lead nowhere too. What aliases share would be too much to walk. */
function pathsIn(value: Json): Path[] {
  const paths: Path[] = [[]];
  for (let index = 0; index < paths.length && paths.length < MOST_PATHS; index++) {
    const path = paths[index] ?? [];
    const here = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], value);
    ensure(typeof here !== 'number' || Number.isFinite(here), 'a number is one that JSON has');
    ensure(here !== undefined && typeof here !== 'function', 'what is read is plain data');
    if (typeof here !== 'object' || here === null) continue;
    for (const key of Object.keys(here).slice(0, MOST_PATHS))
      paths.push([...path, Array.isArray(here) ? Number(key) : key]);
  }
  return [...paths, ['nowhere', 0, '__proto__']];
}
