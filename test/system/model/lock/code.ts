/** The code under test: src, or src with a fault planted in it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/**
 * Loads modules below `src`, with the edits in them: copies of the edited files and of what imports these. Everything
 * else is loaded once for all faults. @throws where the text of an edit does not occur once
 */
export async function loadModules<T>(modules: readonly string[], edits: readonly Edit[]): Promise<T> {
  const edited = new Map<string, string>();
  for (const { file, find, replace } of edits) {
    const { href } = new URL(file, SRC);
    const parts = (edited.get(href) ?? textOf(href)).split(find);
    if (parts.length !== 2) throw new Error(`${href} does not have this text once: ${find}`);
    edited.set(href, parts.join(replace));
  }
  const copies = new Map<string, string>();
  const folder = pathToFileURL(`${newFolder().path}/`).href;
  /** Returns where a module is loaded from: its copy, or its source. */
  const place = (href: string): string => {
    const known = copies.get(href);
    if (known !== undefined) return known;
    const text = edited.get(href) ?? textOf(href);
    const placed = text.replace(IMPORTED, (path) => place(new URL(path, href).href));
    const isCopied = edited.has(href) || placed.includes(folder);
    const copy = isCopied ? href.replace(SRC.href, folder) : href;
    copies.set(href, copy);
    if (isCopied) write(fileURLToPath(copy), placed);
    return copy;
  };
  write(fileURLToPath(new URL('package.json', folder)), '{"type":"module"}');
  const loaded = await Promise.all(modules.map((path) => import(place(new URL(path, SRC).href))));
  const missing = [...edited.keys()].filter((href) => !copies.has(href));
  if (missing.length > 0) throw new Error(`nothing imports ${missing.join(', ')}`);
  return Object.assign({}, ...loaded);
}

/** The paths of the modules that a module imports. */
const IMPORTED = /(?<=\b(?:from |import |import\()')\.{1,2}\/[^']+(?=')/g;

const texts = new Map<string, string>();

function textOf(href: string): string {
  const text = texts.get(href) ?? readFileSync(fileURLToPath(href), 'utf8');
  texts.set(href, text);
  return text;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
