/** The table of docs/integrations/cilium.md, made of the pairs: `node test/system/e2e/cilium/table.ts` writes it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Page, pageOf } from '../field/tables.ts';
import { PAIRS, type Pair } from './pairs.ts';

const HEADS = ['what differs', 'Cilium reports', 'muster reports', 'the import', 'the import without the older export'];

export function ciliumPage(): Page {
  return pageOf('integrations/cilium.md', 'The table of the pairs', [HEADS, ...PAIRS.map(rowOf)]);
}

function rowOf({ title, conflict, invalid, muster, imported, later = imported }: Pair): string[] {
  const reported = invalid?.reason ?? conflict;
  const found = muster?.reasons ?? (reported === undefined ? [] : [reported]);
  return [title, codes(reported), codes(...found), codes(imported), invalid === undefined ? codes(later) : ''];
}

function codes(...texts: readonly (string | undefined)[]): string {
  return texts.map((text) => (text === undefined ? '' : `\`${text}\``)).join(', ') || '–';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, text, found } = ciliumPage();
  if (text !== found) writeFileSync(path, text);
}
