/** Reads one YAML document, with the npm package `yaml` for its structure. Offsets are those of the text given. */
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
import type { Json, Path } from '../rules/rule.ts';
import { MAX_DEPTH, TOO_DEEP } from './plain.ts';
import { Refusal, type Span } from './source-text.ts';
import { YamlGuard } from './yaml-guard.ts';
import { placeInYaml } from './yaml-locate.ts';
import { hinted, refusalOf } from './yaml-message.ts';
import { offsetOf, YamlValues } from './yaml-value.ts';

export interface YamlDocument {
  /** Null where the text has no content. */
  readonly value: Json;
  readonly start: number;
  readonly locate: (path: Path) => Span;
}

/** Tells the line of the file that an offset of the text lies on. */
type LineOf = (offset: number) => number;

/**
 * Scalars are left as text: yaml-scalar.ts knows what they mean to kubectl. One schema serves all documents, which
 * nothing changes, since no known tags are resolved. Keys are compared in yaml-value.ts, in linear time.
 */
const OPTIONS = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false, merge: false }),
  uniqueKeys: false,
  strict: true,
} as const;

/** The document and one list or scalar on top of the deepest nesting allowed: the exact limit is kept by yaml-value.ts. */
const STACK_LIMIT = MAX_DEPTH + 4;

/**
 * The one document of a text, as kubectl reads it, or why it has none. `rest` refuses what follows `...`: kubectl reads
 * no further, and would leave it out in silence.
 * @throws Refusal
 */
export function readYaml(text: string, lineOf: LineOf): { document: YamlDocument; rest?: Refusal } {
  try {
    return readOne(text, lineOf);
  } catch (error) {
    throw error instanceof Refusal ? hinted(error, text) : error;
  }
}

function readOne(text: string, lineOf: LineOf): { document: YamlDocument; rest?: Refusal } {
  refuseCharacters(text);
  const [first, second] = compose(text);
  if (!first) return { document: { value: null, start: 0, locate: () => ({ at: 0 }) } };
  const problem = earliest(first.errors);
  if (problem) throw refusalOf(problem, text);
  const contents = first.contents as Node | null;
  const values = new YamlValues(lineOf);
  const value = values.read(contents, 0);
  const start = offsetOf(contents);
  const document = { value, start, locate: (path: Path) => placeInYaml(contents, path, values.targets) };
  if (value === null && first.directives.docEnd)
    throw new Refusal(start, 'kubectl refuses "..." after nothing: remove it');
  if (!second) return { document };
  const at = isCollection(second.contents) ? offsetOf(second.contents) : (second.range?.[0] ?? 0);
  return {
    document,
    rest: new Refusal(at, 'kubectl reads nothing between "..." and the next ---: begin a document with ---'),
  };
}

const FORBIDDEN = /(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/u;

/** Control characters; and the line breaks of YAML 1.1 that nobody sees, which kubectl would break lines at. */
function refuseCharacters(text: string): void {
  const found = FORBIDDEN.exec(text);
  if (!found) return;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  throw new Refusal(
    found.index,
    `the invisible character U+${code} is not allowed: remove it, or write "\\u${code}" in quotes`,
  );
}

function compose(text: string): Document.Parsed[] {
  const composer = new Composer(OPTIONS);
  const documents: Document.Parsed[] = [];
  for (const token of tokensOf(text)) for (const document of composer.next(token)) documents.push(document);
  for (const document of composer.end()) documents.push(document);
  const stray = documents.length === 0 ? earliest(composer.streamInfo().errors) : undefined;
  if (stray) throw refusalOf(stray, text);
  return documents;
}

/** The tokens of a text, up to the first error; what stands before it may hold an earlier one, which composing finds. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  const guard = new YamlGuard();
  const lexer = new Lexer();
  const reins = new Reins(lexer);
  let broken = false;
  for (const lexeme of lexer.lex(text)) {
    guard.next(lexeme, parser.offset);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'directive') throw directiveRefused(token.offset);
      broken ||= token.type === 'error';
      yield token;
    }
    if (broken) break;
    reins.loose = guard.ignoresIndentation(text[parser.offset]);
    if (parser.stack.length > STACK_LIMIT) throw new Refusal(parser.offset, TOO_DEEP);
  }
  if (!broken) guard.end();
  yield* parser.end();
}

function directiveRefused(at: number): Refusal {
  return new Refusal(at, 'kubectl reads no YAML directives (%): remove this line');
}

/**
 * Lets the lexer pass lines in brackets and quotes that are not indented: YAML 1.2 wants them indented, the Go library
 * does not care, and JSON pasted into YAML looks so. It works by a field that the package keeps to itself; its version
 * is pinned, and the corpus fails when the field goes.
 */
class Reins {
  /** Whether indentation counts for nothing just now. */
  loose = false;

  constructor(lexer: Lexer) {
    let indentNext = 0;
    Object.defineProperty(lexer, 'indentNext', {
      get: () => (this.loose ? 0 : indentNext),
      set: (value: number) => {
        indentNext = value;
      },
    });
  }
}

function earliest(errors: readonly YAMLParseError[]): YAMLParseError | undefined {
  let found: YAMLParseError | undefined;
  for (const error of errors) if (!found || error.pos[0] < found.pos[0]) found = error;
  return found;
}
