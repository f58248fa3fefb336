/**
 * The tokens of a YAML document, by lexer and parser of the npm package `yaml`, each changed in one thing. Both changes
 * reach into what the package keeps to itself; its version is pinned, and the corpus in test/documents would tell.
 */
import { CST, Lexer, Parser } from 'yaml';
import { MAX_DEPTH, TOO_DEEP } from './plain.ts';
import { Refusal } from './source-text.ts';
import { YamlGuard } from './yaml-guard.ts';

/** The document and one list or scalar on top of the deepest nesting allowed: the exact limit is kept by yaml-value.ts. */
const STACK_LIMIT = MAX_DEPTH + 4;

/**
 * The tokens, up to the first error; what stands before it may hold an earlier one, which composing finds.
 * @throws Refusal
 */
export function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new QuickParser();
  const guard = new YamlGuard();
  const lexer = new LooseLexer();
  let broken = false;
  for (const lexeme of lexer.lex(text)) {
    guard.next(lexeme, parser.offset);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'directive') throw directiveRefused(token.offset);
      broken ||= token.type === 'error';
      yield token;
    }
    if (broken) break;
    lexer.loose = guard.ignoresIndentation(text[parser.offset]);
    if (parser.stack.length > STACK_LIMIT) throw new Refusal(parser.offset, TOO_DEEP);
  }
  if (!broken) guard.end();
  yield* parser.end();
}

function directiveRefused(at: number): Refusal {
  return new Refusal(at, 'kubectl reads no YAML directives (%): remove this line');
}

/**
 * Passes lines in brackets and quotes that are not indented: YAML 1.2 wants them indented, the Go library does not care,
 * and JSON pasted into YAML looks so.
 */
class LooseLexer extends Lexer {
  /** Whether indentation counts for nothing just now. */
  loose = false;
  /** How far a line must be indented to belong to the value before it. */
  limit = 0;
}

// On the prototype: a property defined on each lexer makes all its members slow.
Object.defineProperty(LooseLexer.prototype, 'indentNext', {
  get(this: LooseLexer) {
    return this.loose ? 0 : this.limit;
  },
  set(this: LooseLexer, value: number) {
    this.limit = value;
  },
});

/** What `Parser` keeps to itself, as far as reading one more lexeme takes it. */
interface Inside {
  source: string;
  type: CST.TokenType;
  indent: number;
  atNewLine: boolean;
  atScalar: boolean;
  step(): Generator<CST.Token>;
  pop(error: CST.ErrorToken): Generator<CST.Token>;
}

/** Reads as `Parser` does, but asks no environment variable at every lexeme: in Node that costs more than the rest. */
class QuickParser extends Parser {
  override *next(source: string): Generator<CST.Token> {
    const inside = this as unknown as Inside;
    inside.source = source;
    if (inside.atScalar) {
      inside.atScalar = false;
      yield* inside.step();
      this.offset += source.length;
      return;
    }
    const type = CST.tokenType(source);
    if (type === 'scalar') {
      inside.atNewLine = false;
      inside.atScalar = true;
      inside.type = type;
    } else if (type === null) {
      yield* inside.pop({ type: 'error', offset: this.offset, message: `Not a YAML token: ${source}`, source });
      this.offset += source.length;
    } else {
      inside.type = type;
      yield* inside.step();
      if (type === 'doc-mode' || type === 'flow-error-end') return;
      note(inside, type, source);
      this.offset += source.length;
    }
  }
}

/** Keeps account of the line: whether it has only begun, and how far it is indented. */
function note(inside: Inside, type: CST.TokenType, source: string): void {
  if (type === 'newline') {
    inside.atNewLine = true;
    inside.indent = 0;
  } else if (type === 'space') {
    if (inside.atNewLine && source[0] === ' ') inside.indent += source.length;
  } else if (type === 'explicit-key-ind' || type === 'map-value-ind' || type === 'seq-item-ind') {
    if (inside.atNewLine) inside.indent += source.length;
  } else {
    inside.atNewLine = false;
  }
}
