/** The code under test: src, or a copy of it in which a fault is planted. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClusterError, statusError } from '../../../../src/cluster/live/errors.ts';
import type { createLiveClusterState } from '../../../../src/cluster/live-cluster-state.ts';
import type { findIdentityWrite } from '../../../../src/cluster/locks/find-identity-write.ts';
import type { ATTEMPTS } from '../../../../src/cluster/locks/identity-write.ts';
import type { lockIn, withLock } from '../../../../src/cluster/locks/lock.ts';
import type { createExpiry } from '../../../../src/cluster/locks/lock-state.ts';
import type { createEngine } from '../../../../src/engine/index.ts';
import type { defaultPolicy } from '../../../../src/engine/policy.ts';
import { newFolder } from '../../../support/folder.ts';

/** What the model calls of it. */
export interface Code {
  readonly createLiveClusterState: typeof createLiveClusterState;
  readonly createExpiry: typeof createExpiry;
  readonly createEngine: typeof createEngine;
  readonly defaultPolicy: typeof defaultPolicy;
  readonly ClusterError: typeof ClusterError;
  readonly statusError: typeof statusError;
  readonly findIdentityWrite: typeof findIdentityWrite;
  readonly lockIn: typeof lockIn;
  readonly withLock: typeof withLock;
  readonly ATTEMPTS: typeof ATTEMPTS;
}

/** A change of one file below `src`. `find` occurs in it once. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const SRC = new URL('../../../../src/', import.meta.url);
const MODULES = [
  'cluster/live-cluster-state.ts',
  'cluster/live/errors.ts',
  'cluster/locks/identity-write.ts',
  'cluster/locks/lock.ts',
  'cluster/locks/lock-state.ts',
  'cluster/locks/find-identity-write.ts',
  'engine/index.ts',
  'engine/policy.ts',
];

/** Loads the code, with the edits in it. @throws where the text of an edit does not occur once */
export function loadCode(edits: readonly Edit[] = []): Promise<Code> {
  return loadModules<Code>(MODULES, edits);
}

/** Loads modules below `src`, with the edits in them. @throws where the text of an edit does not occur once */
export async function loadModules<T>(modules: readonly string[], edits: readonly Edit[]): Promise<T> {
  if (edits.length === 0) return load(SRC, modules);
  const folder = newFolder().path;
  for (const part of ['api', 'base', 'schema', 'rules', 'engine', 'cluster'])
    cpSync(new URL(part, SRC), join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { file, find, replace } of edits) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2) throw new Error(`${fileURLToPath(SRC)}${file} does not have this text once: ${find}`);
    writeFileSync(path, parts.join(replace));
  }
  return await load(pathToFileURL(`${folder}/`), modules);
}

async function load<T>(root: URL, paths: readonly string[]): Promise<T> {
  const modules = await Promise.all(paths.map((path) => import(new URL(path, root).href)));
  return Object.assign({}, ...modules);
}
