/** What may become of a file that a server watches, while it is written. */
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Contents by name of a file. */
export type Files = Readonly<Record<string, string>>;

/** Ways to do harm to the files of a folder, from good ones. */
export const HARM: Readonly<Record<string, (folder: string, good: Files) => void>> = {
  empty: (folder, good) => each(folder, good, () => ''),
  rubbish: (folder, good) => each(folder, good, () => '\u0000\u0001 no such thing {[\n'),
  'cut off': (folder, good) => each(folder, good, (text) => text.slice(0, text.length * 0.6)),
  removed: (folder, good) => {
    for (const name of Object.keys(good)) rmSync(join(folder, name), { recursive: true, force: true });
  },
  'a folder': (folder, good) => {
    for (const name of Object.keys(good)) {
      rmSync(join(folder, name), { recursive: true, force: true });
      mkdirSync(join(folder, name));
    }
  },
  'a link that leads nowhere': (folder, good) => {
    for (const name of Object.keys(good)) {
      rmSync(join(folder, name), { recursive: true, force: true });
      symlinkSync('nowhere', join(folder, name));
    }
  },
};

/** Ways to write good files. */
export const WRITE: Readonly<Record<string, (folder: string, good: Files) => Promise<void>>> = {
  'in place': async (folder, good) => put(folder, good),
  'bit by bit': async (folder, good) => {
    for (const [name, text] of Object.entries(good)) {
      put(folder, { [name]: '' });
      await sleep(150);
      put(folder, { [name]: text.slice(0, text.length / 2) });
      await sleep(150);
      put(folder, { [name]: text });
    }
  },
  'by a link, as a kubelet': async (folder, good) => {
    const data = mkdtempSync(join(folder, '..data-'));
    put(data, good);
    for (const name of Object.keys(good)) {
      symlinkSync(join(data, name), join(folder, `..${name}`));
      rmSync(join(folder, name), { recursive: true, force: true });
      renameSync(join(folder, `..${name}`), join(folder, name));
    }
  },
};

/** Puts contents in place, whatever was there. */
export function put(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    // Through a link it would be written in another folder, of which the server hears only when it looks by itself.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) rmSync(file, { recursive: true, force: true });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function each(folder: string, good: Files, change: (text: string) => string): void {
  put(folder, Object.fromEntries(Object.entries(good).map(([name, text]) => [name, change(text)])));
}
