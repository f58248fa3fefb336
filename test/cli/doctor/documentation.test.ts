/** Every check is in the documentation, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const SOURCES = new URL('../../../src/cli/doctor/', import.meta.url);
const DOCUMENT = new URL('../../../docs/doctor.md', import.meta.url);

test('the table of checks has each id: if you made a new check, add its row to docs/doctor.md', () => {
  const sources = readdirSync(SOURCES).map((name) => readFileSync(new URL(name, SOURCES), 'utf8'));
  const made = sources.flatMap((text) =>
    [...text.matchAll(/\bresultsOf\(\s*['`]([^'`]+)['`]/g)].map(([, id = '']) => id),
  );
  const ids = new Set(made.map((id) => id.replace(/\$\{[^}]+\}/g, '*')));
  const rows = readFileSync(DOCUMENT, 'utf8').match(/^\| `[a-z]+(?:-[a-z]+)?(?:\/[^`]+)?` \|/gm) ?? [];
  const documented = rows.map((row) => row.slice(3, -3)).filter((id) => !id.startsWith('-'));
  expect(documented.sort()).toEqual([...ids].sort());
});
