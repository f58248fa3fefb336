/**
 * `node published-types.ts FOLDER`, a step of the build: of the declarations in the folder only those stay that `index.d.ts`
 * leads to. The others describe what nobody can import, since the package's exports name the entry alone.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { declarationsFrom } from './reach.ts';

const folder = resolve(process.argv[2] ?? 'dist');
const kept = declarationsFrom(join(folder, 'index.d.ts'), (path) => readFileSync(path, 'utf8'));
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.d.ts') && !kept.has(join(folder, name))) rmSync(join(folder, name));
}
