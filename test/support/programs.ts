/** Programs of a test that are shell scripts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes scripts by name into a folder, as programs. */
export function writePrograms(folder: string, scripts: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
