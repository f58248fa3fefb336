/** The rules' own examples, with the stored objects they begin from. */
import { readdirSync, readFileSync } from 'node:fs';
import { readDocuments } from '../../../src/documents/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import type { Write } from '../../rules/example.ts';
import type { ControlPlane } from '../harness/index.ts';
import { sees } from './world.ts';
import { remove, store } from './write.ts';

const ROOT = 'test/fixtures';

/** The files of a rule's examples, allowed and denied. */
export function examplesOf(id: string): string[] {
  const folders = ['allow', 'deny'].map((folder) => `${ROOT}/${id}/${folder}`);
  return folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
}

export function readExample(file: string): Write {
  const [document] = readDocuments(readFileSync(file, 'utf8'), file).documents;
  if (document === undefined) throw new Error(`${file} holds no document`);
  return document.value as unknown as Write;
}

/** Calls `use` with the example's objects stored and seen, and takes them away again. */
export async function withState<T>(
  controlPlane: ControlPlane,
  write: Write,
  use: (stored: unknown) => Promise<T>,
): Promise<T> {
  const { state = [], old, operation } = write;
  const others = state.filter((object) => keyOf(object) !== keyOf(old));
  try {
    for (const object of others) await store(controlPlane, object);
    const stored = old && operation !== 'CREATE' ? await store(controlPlane, old) : undefined;
    await sees(controlPlane);
    return await use(stored);
  } finally {
    await remove(controlPlane, [...others, ...(old ? [old] : [])]);
  }
}

/** Versions of a kind are one world. */
function keyOf(object: JsonObject | undefined): string {
  const { name, namespace } = (object?.['metadata'] ?? {}) as { name?: string; namespace?: string };
  return [String(object?.['apiVersion']).split('/')[0], object?.['kind'], namespace, name].join(' ');
}
