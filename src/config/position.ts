/** Where a problem stands in the text of a configuration. */
import type { Path } from '../rules/rule.ts';
import type { ConfigProblem } from './place.ts';

/** Line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What knows the place of each value: a document as read from a text. */
export interface Locator {
  locate(path: Path): Position;
}

/** The place of the offending value, or of the key where it is the key that is wrong. */
export function positionOf(problem: ConfigProblem, text: string, document: Locator): Position {
  const position = document.locate(problem.path);
  const key = problem.path.at(-1);
  return problem.ofKey && typeof key === 'string' ? (keyBefore(text, position, key) ?? position) : position;
}

/**
 * The place of a key, given that of its value. Between the two stand but blanks and comments; so where the value begins
 * a line, the key is on the last line before that says anything. Undefined when it is not there (an alias).
 */
function keyBefore(text: string, value: Position, key: string): Position | undefined {
  const lines = text.split(/\r\n|\r|\n/, value.line);
  const before = (lines[value.line - 1] ?? '').slice(0, value.column - 1);
  const sameLine = before.lastIndexOf(key);
  if (sameLine >= 0) return { line: value.line, column: opening(before, sameLine) + 1 };
  if (before.trim() !== '') return undefined;
  for (let line = value.line - 1; line > 0; line--) {
    const said = lines[line - 1] ?? '';
    if (/^\s*(#|$)/.test(said)) continue;
    const at = said.indexOf(key);
    return at < 0 ? undefined : { line, column: opening(said, at) + 1 };
  }
  return undefined;
}

/** A quoted key begins at its quote. */
function opening(line: string, at: number): number {
  return /["']/.test(line[at - 1] ?? '') ? at - 1 : at;
}
