/** Paths that a user names. */
import { lstatSync } from 'node:fs';

/** Returns whether a path exists, also as a link that leads nowhere or without permission to read it. */
export function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
