/**
 * What reading costs anyway: the npm package `yaml` as it comes, over a file or all files of a folder, to plain values.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

let count = 0;
for (const file of filesOf(process.argv[2] ?? '')) {
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
    try {
      document.toJS();
    } catch {
      // A broken document has no value, but costs its reading.
    }
    count += 1;
  }
}
process.stdout.write(`${count}\n`);

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
