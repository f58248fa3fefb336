/** Words the errors of the npm package `yaml` for users. */
import type { YAMLParseError } from 'yaml';
import { ParseError } from '../source.ts';

/** Returns the parse error for an error of the package. */
export function parseErrorOf(error: YAMLParseError, text: string): ParseError {
  const found = WORDINGS[error.code]?.find(([pattern]) => pattern.test(error.message));
  const message = found?.[1] ?? `a key or a value expected here: ${INDENTATION}`;
  return new ParseError(Math.min(error.pos[0], text.length), message);
}

/** Adds a hint if the line looks like a template that was not rendered. */
export function withHint(error: ParseError, text: string): ParseError {
  const from = text.lastIndexOf('\n', error.offset - 1) + 1;
  const end = text.indexOf('\n', error.offset);
  if (!text.slice(from, end < 0 ? text.length : end).includes('{{')) return error;
  return new ParseError(error.offset, `${error.message} (a template? Render it first)`);
}

type Wording = readonly [pattern: RegExp, words: string];

const INDENTATION = 'check the indentation';

/** By the code of the error, the first pattern that its message matches. */
const WORDINGS: Readonly<Record<string, readonly Wording[]>> = {
  ALIAS_PROPS: [[/./, 'an alias (*name) takes no tag and no anchor']],
  BAD_ALIAS: [[/./, 'a name expected after * or &; quote the value if text is meant']],
  BAD_DQ_ESCAPE: [[/./, 'no such escape in double quotes: write a backslash as "\\\\", or use single quotes']],
  BAD_INDENT: [
    [/mapping items/, 'the keys of a mapping must begin in the same column: check the indentation'],
    [/sequence items/, 'the items of a list must begin in the same column: check the indentation'],
    [/Block scalar/, 'the lines of a text after | or > must be indented more than its key, none less than the first'],
    [/flow|Flow/, 'a line inside of {} or [] must be indented more than the key before it'],
  ],
  BAD_PROP_ORDER: [[/./, 'a tag or an anchor stands before "-", "?" or ":" where a value was expected']],
  BAD_SCALAR_START: [[/./, 'a value that begins with this character must be quoted']],
  BLOCK_AS_IMPLICIT_KEY: [
    [/compact/, 'a second ": " on one line: quote the value, or put the inner mapping on lines of its own'],
    [/./, `a key expected, found a list item: ${INDENTATION}`],
  ],
  BLOCK_IN_FLOW: [[/./, 'inside of {} and [] only "key: value" and values separated by commas may stand']],
  KEY_OVER_1024_CHARS: [[/./, 'a key may have at most 1024 characters']],
  MISSING_CHAR: [
    [/map values/, '":" expected after this key'],
    [/Missing , between|, or :/, '"," or a closing bracket expected here'],
    [/space after :/, 'a space expected after ":"'],
    [/Comments/, 'a space expected before "#"'],
    [/Tags and anchors/, 'a space expected after a tag or an anchor'],
    [/props/, 'a new line expected between a tag or an anchor and the first item of its list'],
    [/Sequence item/, `"- " expected before a list item: ${INDENTATION}`],
    [/Block scalars/, 'empty lines at the beginning of a text after | or > must not be indented more than the text'],
    [/directives-end/, 'a new line expected after ---'],
  ],
  MULTILINE_IMPLICIT_KEY: [[/./, 'a key must stand on one line: is a ":" missing, or a quote open, on a line above?']],
  MULTIPLE_ANCHORS: [[/./, 'a value may have one anchor only']],
  MULTIPLE_TAGS: [[/./, 'a value may have one tag only']],
  RESOURCE_EXHAUSTION: [[/./, 'too large or too deep to read']],
  TAB_AS_INDENT: [[/./, 'a tab indents this line: indent with spaces']],
  TAG_RESOLVE_FAILED: [[/./, 'an unknown tag: only those that begin with !! or a single ! can be read']],
  UNEXPECTED_TOKEN: [
    [/Unexpected ,|empty item/, 'a value expected before ","'],
    [/header/, 'a new line expected after | or > and its signs'],
    [/at node end/, `the end of the line expected: quote the value, or ${INDENTATION}`],
  ],
};
