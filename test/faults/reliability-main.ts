/** After the fault matrix: writes docs/reliability.md. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { reliability } from './reliability.ts';

const FILE = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url));

export default async function write(): Promise<void> {
  writeFileSync(FILE, reliability());
}

// No await at the top: Jest loads this file as one that has none.
if (process.argv[1] === fileURLToPath(import.meta.url)) write();
