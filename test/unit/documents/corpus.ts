/**
 * The differential corpus: what kubectl's own libraries read, written down by test/support/yaml-oracle, so that no test
 * needs Go.
 *
 * corpus/NAME.yaml holds cases: a line `#### case` and, up to the next one, its text. Characters that a file can't show
 * are written `<TAB>`; `<EOF>` ends the text without a line break. Line N of corpus/NAME.expected.jsonl says what the
 * N-th case reads as: its documents in order, each a value or an error. After a change to a corpus file:
 *
 *     cd test/support/yaml-oracle && go run . ../documents/corpus
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Json } from '../../../src/base/json.ts';

export interface CorpusCase {
  /** `file/case`. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly Json[];
  readonly errors: number;
}

const FOLDER = new URL('corpus/', import.meta.url);

const HIDDEN: Readonly<Record<string, string>> = {
  '<TAB>': '\t',
  '<CR>': '\r',
  '<BOM>': '\ufeff',
  '<NUL>': '\0',
  '<BEL>': '\x07',
  '<DEL>': '\x7f',
  '<NEL>': '\x85',
  '<LS>': '\u2028',
  '<NBSP>': '\xa0',
  '<SP>': ' ',
};

/** All cases of all files, with what is expected of them. */
export function readCorpus(): CorpusCase[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  return files.sort().flatMap((file) => readCorpusFile(file.slice(0, -'.yaml'.length)));
}

function readCorpusFile(name: string): CorpusCase[] {
  const texts = `\n${readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8')}`.split('\n#### ').slice(1);
  const lines = readFileSync(new URL(`${name}.expected.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n');
  if (texts.length !== lines.length) throw new Error(`${name}.expected.jsonl is stale: run test/support/yaml-oracle`);
  return texts.map((text, index) => readCase(name, text, lines[index] ?? ''));
}

function readCase(file: string, block: string, line: string): CorpusCase {
  const end = `${block}\n`.indexOf('\n');
  const expected = JSON.parse(line) as { name: string; documents: { value?: Json; error?: boolean }[] };
  const name = block.slice(0, end);
  if (expected.name !== name)
    throw new Error(`${file}.expected.jsonl is stale at "${name}": run test/support/yaml-oracle`);
  return {
    name: `${file}/${name}`,
    text: unveil(`${block.slice(end + 1)}\n`),
    values: expected.documents.flatMap((document) => (document.error ? [] : [document.value as Json])),
    errors: expected.documents.filter((document) => document.error).length,
  };
}

function unveil(text: string): string {
  const [kept = ''] = text.split('<EOF>');
  return kept.replace(/<[A-Z]+>/g, (name) => HIDDEN[name] ?? name);
}
