/** Splits a file into documents as kubectl does: line by line, before any YAML is read. */
import type { DocumentProblem } from './source.ts';

/** A part of the file between two separators, by offsets. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
}

const SEPARATOR = '---';
const BAD_SEPARATOR =
  'a line that begins with --- separates documents, and only a comment may follow on it: put the content on the ' +
  'next line';
/** What ends a comment in YAML 1.1, and no line for the splitter: kubectl can read what follows as content. */
const BREAK = /[\r\x85\u2028\u2029]/;

/**
 * Yields the chunks of a text, and a problem for each separator that kubectl refuses. A separator is a line that begins
 * with `---`; only white space and a comment may follow. (k8s.io/apimachinery, util/yaml, YAMLReader)
 */
export function* splitChunks(text: string): Generator<Chunk | DocumentProblem> {
  let from = 0;
  for (let at = nextSeparator(text, 0); at >= 0; at = nextSeparator(text, from)) {
    if (at > from) yield { from, to: at };
    const lineEnd = endOfLine(text, at);
    const rest = text.slice(at + SEPARATOR.length, lineEnd).trim();
    if (rest !== '' && (!rest.startsWith('#') || BREAK.test(rest))) yield { offset: at, message: BAD_SEPARATOR };
    from = Math.min(lineEnd + 1, text.length);
  }
  if (from < text.length) yield { from, to: text.length };
}

/** Returns the offset of the next separator, from the beginning of a line; -1 if there is none. */
function nextSeparator(text: string, from: number): number {
  if (text.startsWith(SEPARATOR, from)) return from;
  const found = text.indexOf(`\n${SEPARATOR}`, from);
  return found < 0 ? -1 : found + 1;
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}
