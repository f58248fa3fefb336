/** Go and what is built with it: for the control plane of the end-to-end tests, and for a peer of the benchmark. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Go's path, if it is there: its own installer leaves it to the user to put its folder on PATH. */
export function goProgram(): string | undefined {
  return installed('go', ['/usr/local/go/bin']);
}

/** The path of a program on PATH or in these folders. */
export function installed(name: string, folders: readonly string[] = []): string | undefined {
  const all = [...(process.env['PATH'] ?? '').split(delimiter), ...folders];
  return all.map((folder) => join(folder, name)).find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where a kind of programs is kept, outside of the checkout. */
export function cacheOf(kind: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'muster', kind);
}
