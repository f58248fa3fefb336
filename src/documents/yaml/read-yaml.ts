/** Reads one YAML document as kubectl does, with the lexer, parser and composer of the npm package `yaml`. */
import {
  Composer,
  type CST,
  type Document,
  isCollection,
  Lexer,
  type Node,
  Parser,
  Schema,
  type YAMLParseError,
} from 'yaml';
import { type Json, MAX_DEPTH, type Path } from '../../base/json.ts';
import type { Chunk } from '../source.ts';
import {
  MAX_LENGTH,
  type Parsed,
  ParseError,
  readAgain,
  refuseCharacters,
  type Span,
  TOO_DEEP,
  tooLarge,
} from '../source.ts';
import { toParseError, withHint } from './messages.ts';
import { Strictness } from './strictness.ts';
import { offsetOf, YamlValues } from './values.ts';

/** Returns the line of an offset of the file. */
type LineOf = (offset: number) => number;

/**
 * Scalars stay text, since values.ts resolves them as kubectl does. It also finds duplicate keys, in linear time. All
 * documents share one schema.
 */
const OPTIONS = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false, merge: false }),
  uniqueKeys: false,
  prettyErrors: false,
  strict: true,
} as const;

/**
 * Yields the document of a chunk of a file.
 * @throws ParseError also after the document, for content after `...`, which kubectl would silently leave out
 */
export function* readYaml(file: string, { from, to }: Chunk, lineOf: LineOf): Generator<Parsed> {
  const text = file.slice(from, to).replaceAll('\r', '\n');
  const known = repeated.get(text);
  if (known !== undefined) {
    yield { value: known.value, start: from + known.start, locate: locator(from, parsedAgain(text)) };
    return;
  }
  try {
    yield* readOne(text, from, (offset) => lineOf(from + offset));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { offset, message } = withHint(error, text);
    throw new ParseError(from + offset, message);
  }
}

/**
 * Documents that were parsed, by their text: the folders of many clusters hold the same ones. For 50 clusters with the
 * same 2,000 documents each, this saves two thirds of the time.
 */
const repeated = new Map<string, { readonly value: Json; readonly start: number }>();
/** The most characters of a document that is kept, and of all of them together. */
const MAX_REPEATED = { one: 4096, all: 2 ** 22 };
let repeatedLength = 0;

function keep(text: string, value: Json, start: number): void {
  if (text.length > MAX_REPEATED.one) return;
  if (repeatedLength + text.length > MAX_REPEATED.all) {
    repeated.clear();
    repeatedLength = 0;
  }
  repeated.set(text, { value, start });
  repeatedLength += text.length;
}

function* readOne(text: string, from: number, lineOf: LineOf): Generator<Parsed> {
  if (text.length > MAX_LENGTH.YAML) throw new ParseError(text.search(/[^\n]/), tooLarge('YAML'));
  refuseCharacters(text);
  const [first, second] = compose(text);
  if (!first) return;
  const problem = earliest(first.errors);
  if (problem) throw toParseError(problem, text);
  const contents = first.contents as Node | null;
  const values = new YamlValues(contents, lineOf);
  const value = values.read();
  const start = offsetOf(contents);
  if (value === null && first.directives.docEnd)
    throw new ParseError(start, 'kubectl refuses "..." after nothing: remove it');
  const isList = typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value['items']);
  if (!second && !isList) keep(text, value, start);
  // The values of a list are kept, since each of its items will be located.
  yield { value, start: from + start, locate: locator(from, isList ? () => values : parsedAgain(text)) };
  if (!second) return;
  const at = isCollection(second.contents) ? offsetOf(second.contents) : (second.range?.[0] ?? 0);
  throw new ParseError(at, SECOND);
}

const SECOND =
  'kubectl reads nothing between "..." and the next ---, and no --- behind a lone carriage return: begin a ' +
  'document with ---';

function locator(from: number, read: () => YamlValues): (path: Path) => Span {
  return (path) => {
    const { start, end } = read().locate(path);
    return { start: from + start, end: end === undefined ? undefined : from + end };
  };
}

/** Returns a function that parses a text again, which is known to have no error. */
function parsedAgain(text: string): () => YamlValues {
  return readAgain(text.length, () => {
    const values = new YamlValues((compose(text)[0]?.contents ?? null) as Node | null, () => 1);
    values.read();
    return values;
  });
}

/**
 * The height of the parser's stack at the deepest nesting allowed, with the document and one scalar. values.ts checks
 * the exact limit.
 */
const STACK_LIMIT = MAX_DEPTH + 4;

/** Composes the documents of a text, up to the first error of the parser. @throws ParseError */
function compose(text: string): Document.Parsed[] {
  const composer = new Composer(OPTIONS);
  const parser = new Parser();
  const strictness = new Strictness();
  const documents: Document.Parsed[] = [];
  let isBroken = false;
  const add = (token: CST.Token) => {
    if (token.type === 'directive')
      throw new ParseError(token.offset, 'kubectl reads no YAML directives (%): remove this line');
    isBroken ||= token.type === 'error';
    for (const document of composer.next(token)) documents.push(document);
  };
  for (const lexeme of new Lexer().lex(text)) {
    strictness.next(lexeme, parser.offset);
    for (const token of parser.next(lexeme)) add(token);
    if (isBroken) break;
    if (parser.stack.length > STACK_LIMIT) throw new ParseError(parser.offset, TOO_DEEP);
  }
  if (!isBroken) strictness.end();
  for (const token of parser.end()) add(token);
  for (const document of composer.end()) documents.push(document);
  const stray = documents.length === 0 ? earliest(composer.streamInfo().errors) : undefined;
  if (stray) throw toParseError(stray, text);
  return documents;
}

/**
 * Returns the first error of a document. A list item in brackets (`[- a]`) has two at one place; the one on a key over
 * several lines only follows from the other.
 */
function earliest(errors: readonly YAMLParseError[]): YAMLParseError | undefined {
  let found: YAMLParseError | undefined;
  for (const error of errors) if (!found || error.pos[0] < found.pos[0]) found = error;
  if (found?.code !== 'MULTILINE_IMPLICIT_KEY') return found;
  const [at] = found.pos;
  return errors.find(({ code, pos }) => code === 'BLOCK_IN_FLOW' && pos[0] === at) ?? found;
}
