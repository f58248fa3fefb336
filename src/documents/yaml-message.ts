/** Says in plain words what the npm package `yaml` found wrong. */
import type { YAMLParseError } from 'yaml';
import { Refusal } from './source-text.ts';

/** The refusal for an error of the parser. */
export function refusalOf(error: YAMLParseError, text: string): Refusal {
  const found = WORDINGS[error.code]?.find(([pattern]) => pattern.test(error.message));
  const words = found?.[1] ?? `a key or a value expected here: ${INDENTATION}`;
  return new Refusal(Math.min(error.pos[0], text.length), words);
}

/** The same refusal; and a hint where the line looks like a template that nobody rendered. */
export function hinted(refusal: Refusal, text: string): Refusal {
  if (!lineAt(text, refusal.offset).includes('{{')) return refusal;
  return new Refusal(refusal.offset, `${refusal.message} (a template? Render it first)`);
}

type Wording = readonly [pattern: RegExp, words: string];

const INDENTATION = 'check the indentation';

/** By the parser's code, the first pattern that its message matches. */
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

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end);
}
