/** What the Dockerfile puts into its last stage, laid out in a folder, and how a container starts there. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Layout {
  /** The file that the entry point runs. */
  readonly main: string;
  /** The arguments of `CMD`, with `certificates` in place of the mounted folder. */
  readonly args: readonly string[];
}

/**
 * Copies the files of the last stage from an installed package. Throws where the Dockerfile names one that it does not
 * have.
 */
export function layOut(installed: string, folder: string, certificates: string): Layout {
  const dockerfile = readFileSync('tools/image/Dockerfile', 'utf8');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const at = /^WORKDIR (.*)$/m.exec(last)?.[1] ?? '';
  mkdirSync(join(folder, at), { recursive: true });
  for (const [, words = ''] of last.matchAll(/^COPY (?:--from=build )?(.*)$/gm)) {
    const sources = words.split(' ').slice(0, -1);
    for (const source of sources.map((path) => basename(path)))
      cpSync(join(installed, source), join(folder, at, source), { recursive: true });
  }
  const [, main = ''] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(last)?.[1] ?? '[]');
  const args: readonly string[] = JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '[]');
  return { main: join(folder, main), args: args.map((arg) => arg.replace('=/tls/', `=${certificates}/`)) };
}
