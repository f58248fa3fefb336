/** Errors of the file system in words. */
import { MAX_BYTES } from './bytes.ts';

/** What went wrong with a file, without the path that the message names anyway. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return REASONS[code ?? ''] ?? code ?? String(error);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EBUSY: 'it is in use, or mounted by itself: name a file in a folder',
  EISDIR: 'it is a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  ENOTDIR: 'part of its path is not a folder',
  ELOOP: 'its symbolic links run in a circle',
  EFBIG: `it is larger than ${MAX_BYTES / 2 ** 20} MiB: split it`,
  EAGAIN: 'nothing can be read from it just now: use - for standard input',
  ERR_STRING_TOO_LONG: 'it is too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};
