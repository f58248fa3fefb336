/**
 * Runs `muster demo` and draws what it prints, for the README and the documentation. A step of `npm run generate` of
 * its own, after tools/generate/main.ts: it runs what that has generated.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runDemo } from '../../src/cli/demo/run.ts';
import { paintFor } from '../../src/report/terminal.ts';
import type { Artifact } from './artifact.ts';
import { terminalPicture } from './terminal-picture.ts';

const COLUMNS = 100;
const COMMAND = 'npx kube-muster demo';

/** Returns the picture of a run on a terminal of 100 columns. */
export async function demoPicture(): Promise<Artifact> {
  const paint = paintFor({ isTTY: true }, {});
  let printed = `${paint('$', 'dim')} ${paint(COMMAND, 'bold')}\n`;
  await runDemo({
    paint,
    width: COLUMNS,
    write: (text) => {
      printed += text;
    },
  });
  const title = `${COMMAND}: ten writes with the verdicts of muster, as kubectl prints them`;
  return { path: 'docs/public/images/demo.svg', text: terminalPicture(title, printed, COLUMNS) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, text } = await demoPicture();
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
