/** Rewrites the errors of the npm package `yaml` for users. */
import type { YAMLParseError } from 'yaml';
import { ParseError } from '../source.ts';

/** Returns the parse error for an error of the package. */
export function toParseError({ code, message, pos }: YAMLParseError, text: string): ParseError {
  const found = WORDINGS.find(([pattern]) => pattern.test(`${code} ${message}`));
  return new ParseError(Math.min(pos[0], text.length), found?.[1] ?? message);
}

/** Adds a hint if the line looks like a template that was not rendered. */
export function withHint(error: ParseError, text: string): ParseError {
  const from = text.lastIndexOf('\n', error.offset - 1) + 1;
  const end = text.indexOf('\n', error.offset);
  if (!/{[{%]/.test(text.slice(from, end < 0 ? text.length : end))) return error;
  return new ParseError(error.offset, `${error.message} (a template? Render it first)`);
}

/** Patterns of code and message, with the text for each. An error without a pattern keeps the text of the package. */
const WORDINGS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^BAD_DQ_ESCAPE/, 'no such escape in double quotes: write a backslash as "\\\\", or use single quotes'],
  [/^BAD_INDENT .*mapping/, 'the keys of a mapping must begin in the same column: check the indentation'],
  [/^BAD_INDENT .*sequence/, 'the items of a list must begin in the same column: check the indentation'],
  [
    /^BAD_INDENT Block/,
    'the lines of a text after | or > must be indented more than its key, none less than the first',
  ],
  [/^BAD_INDENT/, 'a line inside of {} or [] must be indented more than the key before it'],
  [/^BAD_SCALAR_START/, 'a value that begins with this character must be quoted'],
  [
    /^BLOCK_AS_IMPLICIT_KEY .*compact/,
    'a second ": " on one line: quote the value, or put the inner mapping on lines of its own',
  ],
  [/^BLOCK_AS_IMPLICIT_KEY/, 'a key expected, found a list item: check the indentation'],
  [/^BLOCK_IN_FLOW/, 'inside of {} and [] only "key: value" and values separated by commas are allowed'],
  [/^MISSING_CHAR .*map values/, '":" expected after this key'],
  [/^MISSING_CHAR .*(Missing , between|, or :)/, '"," or a closing bracket expected here'],
  [/^MISSING_CHAR .*space after :/, 'a space expected after ":"'],
  [/^MISSING_CHAR Comments/, 'a space expected before "#"'],
  [/^MULTILINE_IMPLICIT_KEY/, 'a key must be on one line: is a ":" missing, or a quote open, on a line above?'],
  [/^TAB_AS_INDENT/, 'a tab indents this line: indent with spaces'],
  [/^UNEXPECTED_TOKEN .*at node end/, 'the end of the line expected: quote the value, or check the indentation'],
  [/^(UNEXPECTED_TOKEN|IMPOSSIBLE)/, 'a key or a value expected here: check the indentation'],
];
