/** Bad states of watched files, and the ways in which good files are written. */
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueCertificates } from '../../../../src/certificates/issue.ts';

/** Contents by file name. */
export type Files = Readonly<Record<string, string>>;

export interface Pair {
  readonly files: Files;
  /** PEM; each pair has its own CA. */
  readonly ca: string;
}

/** Issues a serving certificate that is valid from an hour before `now`. */
export async function issuePair(now = new Date()): Promise<Pair> {
  const { cert, key, ca } = await issueCertificates({ names: ['127.0.0.1', 'localhost'], now });
  return { files: { 'tls.crt': cert, 'tls.key': key }, ca };
}

/** Replaces whatever has these names by files. */
export function put(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    // Not through a link: its folder is not watched.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Bad states that any file can be in, made from good files. */
export const BAD: Readonly<Record<string, (folder: string, good: Files) => void>> = {
  empty: (folder, good) => change(folder, good, () => ''),
  corrupt: (folder, good) => change(folder, good, () => '\u0000\u0001 no such thing {[\n'),
  truncated: (folder, good) => change(folder, good, (text) => text.slice(0, text.length * 0.6)),
  removed: (folder, good) => replace(folder, good, () => {}),
  'a folder': (folder, good) => replace(folder, good, mkdirSync),
};

/** Ways to write good files. */
export const WRITE: readonly ((folder: string, good: Files) => Promise<void>)[] = [
  async (folder, good) => put(folder, good),
  // Bit by bit.
  async (folder, good) => {
    for (const [name, text] of Object.entries(good))
      for (const part of ['', text.slice(0, text.length / 2), text]) {
        put(folder, { [name]: part });
        await sleep(150);
      }
  },
  // By a link, as a kubelet does.
  async (folder, good) => {
    const data = mkdtempSync(join(folder, '..data-'));
    put(data, good);
    for (const name of Object.keys(good)) {
      symlinkSync(join(data, name), join(folder, `..${name}`));
      rmSync(join(folder, name), { recursive: true, force: true });
      renameSync(join(folder, `..${name}`), join(folder, name));
    }
  },
];

function change(folder: string, good: Files, to: (text: string) => string): void {
  put(folder, Object.fromEntries(Object.entries(good).map(([name, text]) => [name, to(text)])));
}

function replace(folder: string, good: Files, by: (file: string) => void): void {
  for (const name of Object.keys(good)) {
    rmSync(join(folder, name), { recursive: true, force: true });
    by(join(folder, name));
  }
}
