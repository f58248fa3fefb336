/** Reads one YAML document, with the npm package `yaml` for its structure. Offsets are those of the text given. */
import { Composer, type Document, isCollection, type Node, Schema, type YAMLParseError } from 'yaml';
import type { Json, Path } from '../rules/rule.ts';
import { isAskedFor, onDemand } from './on-demand.ts';
import { MAX_LENGTH, tooLarge } from './plain.ts';
import { Refusal, type Span } from './source-text.ts';
import { placeInYaml } from './yaml-locate.ts';
import { hinted, refusalOf } from './yaml-message.ts';
import { tokensOf } from './yaml-tokens.ts';
import { offsetOf, type Targets, YamlValues } from './yaml-value.ts';

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
  if (text.length > MAX_LENGTH.YAML) throw new Refusal(text.search(/[^\n]/), tooLarge('YAML'));
  refuseCharacters(text);
  const [first, second] = compose(text);
  if (!first) return { document: { value: null, start: 0, locate: () => ({ at: 0 }) } };
  const problem = earliest(first.errors);
  if (problem) throw refusalOf(problem, text);
  const { value, ...nodes } = jsonOf(first, lineOf);
  const start = offsetOf(nodes.contents);
  const document = { value, start, locate: locator(text, isAskedFor(value) ? nodes : undefined) };
  if (value === null && first.directives.docEnd)
    throw new Refusal(start, 'kubectl refuses "..." after nothing: remove it');
  if (!second) return { document };
  const at = isCollection(second.contents) ? offsetOf(second.contents) : (second.range?.[0] ?? 0);
  return {
    document,
    rest: new Refusal(at, 'kubectl reads nothing between "..." and the next ---: begin a document with ---'),
  };
}

/** What a document was read from. It takes some thirty times the room of the text. */
interface Nodes {
  readonly contents: Node | null;
  readonly targets: Targets;
}

function jsonOf(document: Document.Parsed, lineOf: LineOf): Nodes & { readonly value: Json } {
  const contents = document.contents as Node | null;
  const values = new YamlValues(lineOf);
  const value = values.read(contents, 0);
  return { value, contents, targets: values.targets };
}

/** Finds places in a text that was read without a refusal. Holds on to no nodes unless they are given. */
function locator(text: string, ready: Nodes | undefined): (path: Path) => Span {
  let nodes = ready && onDemand(text.length, () => nodesOf(text), ready);
  return (path) => {
    nodes ??= onDemand(text.length, () => nodesOf(text));
    const { contents, targets } = nodes();
    return placeInYaml(contents, path, targets);
  };
}

function nodesOf(text: string): Nodes {
  const [first] = compose(text);
  return first ? jsonOf(first, () => 1) : { contents: null, targets: new Map() };
}

const FORBIDDEN = /(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/u;
/** These, and surrogates that may be in order. Without the flag `u` a text is searched several times faster. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]/;

/** Control characters; and the line breaks of YAML 1.1 that nobody sees, which kubectl would break lines at. */
function refuseCharacters(text: string): void {
  if (!SUSPECT.test(text)) return;
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

function earliest(errors: readonly YAMLParseError[]): YAMLParseError | undefined {
  let found: YAMLParseError | undefined;
  for (const error of errors) if (!found || error.pos[0] < found.pos[0]) found = error;
  return found;
}
