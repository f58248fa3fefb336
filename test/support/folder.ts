/** Folders of tests and benchmarks. All of a run are in one, which is removed when the run ends. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder {
  readonly path: string;
  /** Writes a file and returns its path. */
  put(name: string, text: string | Buffer): string;
  /** Renames a file into place, as editors and kubelets do, and returns its path; writes what is no text as JSON. */
  replace(name: string, content: unknown, mode?: number): string;
}

/** Jest sets it before its tests, and their processes inherit it. */
const VARIABLE = 'TEST_FOLDERS';

/** Creates a folder, which is removed when the run ends: that of Jest, or of the program that calls this. */
export function newFolder(): Folder {
  const path = mkdtempSync(join(process.env[VARIABLE] ?? parentOfAll(), 'muster-'));
  return {
    path,
    put(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    replace(name, content, mode = 0o600) {
      const file = join(path, name);
      writeFileSync(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content), { mode });
      renameSync(`${file}.new`, file);
      return file;
    },
  };
}

function parentOfAll(): string {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'muster-tests-')));
  // Some tests give up root's rights and then read their own folder.
  chmodSync(parent, 0o711);
  process.on('exit', () => rmSync(parent, { recursive: true, force: true }));
  process.env[VARIABLE] = parent;
  return parent;
}

/** As a user to whom file modes apply; root is none. */
export async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  const NOBODY = 65_534;
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
