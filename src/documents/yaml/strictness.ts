/**
 * Refuses quotes and brackets that are not closed, and text that the npm package `yaml` (YAML 1.2) reads, but kubectl's
 * Go library (YAML 1.1) refuses or reads differently. Works on the lexemes of the package. The corpus in
 * test/unit/documents has a case for each.
 */
import { ParseError } from '../source.ts';

/** Lexemes that the lexer inserts. They have no width in the text. */
const DOCUMENT_BEGINS = '\x02';
const FLOW_BROKEN = '\x18';
const SCALAR_FOLLOWS = '\x1f';

const ANCHOR = /^[&*][\w-]+$/;
/** The escapes within each kind of quotes. (A pattern for the whole quoted text would overflow the stack.) */
const QUOTED: Readonly<Record<string, RegExp>> = { '"': /\\[\s\S]/g, "'": /''/g };
/** The core types of YAML. kubectl's library knows more, and decodes percent signs in tags. */
const TAG = /^!(?:!(?:str|int|float|bool|null|map|seq)|<tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)>)?$/;
/** A block scalar whose first line begins with a tab, so that its indentation is unclear. */
const TAB_FIRST = /^(?: *\n)* *\t/;
/** Escapes in double quotes; the group holds those that the Go library refuses or reads differently. */
const ESCAPE = /\\(?:(\/|(?:u|U0000)[dD][89a-fA-F]|\n[ \t]*\n)|[\s\S])/g;
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

export class Strictness {
  /** The open brackets. */
  readonly #open: { readonly at: number; readonly bracket: string }[] = [];
  #isBroken = false;
  /** Whether a key may begin here: at the beginning of a line, or after "- " or "? ". */
  #keyMayBegin = true;
  #scalarFollows = false;
  /** The header of the block scalar that follows, such as `|-`. */
  #header = '';
  /** Whether a line ended within, or since, the latest text, so that the text can't be a key. */
  #isBrokenLine = true;
  /** Where that text begins. */
  #brokenText: number | undefined;
  #hasExplicitKeys = false;
  #previous = '';

  /** Checks the next lexeme. @throws ParseError */
  next(lexeme: string, offset: number): void {
    if (lexeme === SCALAR_FOLLOWS) this.#scalarFollows = true;
    else if (lexeme === FLOW_BROKEN) this.#isBroken = true;
    else if (this.#isBroken) throw this.#unclosed(lexeme, offset);
    else if (this.#scalarFollows) this.#scalar(lexeme, offset);
    else if (lexeme !== DOCUMENT_BEGINS) this.#other(lexeme[0] ?? '', lexeme, offset);
  }

  /** Checks the end of the document. @throws ParseError */
  end(): void {
    if (this.#open.length > 0) throw this.#unclosed('', 0);
  }

  #unclosed(lexeme: string, offset: number): ParseError {
    if (lexeme.startsWith('\t')) return tabError(offset);
    const { at, bracket } = this.#open.at(-1) ?? { at: offset, bracket: '{' };
    const hint = 'is it missing, or is a line inside not indented?';
    return new ParseError(at, `no closing ${CLOSERS[bracket]} for this ${bracket}: ${hint}`);
  }

  #scalar(text: string, offset: number): void {
    const header = this.#header;
    this.#scalarFollows = false;
    this.#header = '';
    if (text === '') return;
    if (header !== '' && !/[1-9]/.test(header) && TAB_FIRST.test(text)) throw tabError(offset + text.indexOf('\t'));
    if (this.#open.length > 0 && (text.includes('?') || text.startsWith(':'))) {
      throw new ParseError(
        offset,
        'inside of {} and [] a value with "?", or with ":" at its beginning, must be quoted',
      );
    }
    this.#previous = 'plain';
    this.#content(text, offset);
    this.#keyMayBegin = header !== '';
    if (header !== '') this.#isBrokenLine = true;
  }

  #other(first: string, lexeme: string, offset: number): void {
    if (this.#open.length > 0 && ',[]{}'.includes(first)) this.#beforeBracket(offset);
    if (first === '\n') {
      this.#keyMayBegin = true;
      this.#isBrokenLine = true;
    } else if (first === ' ' || first === '\t') {
      const isRefused = lexeme.includes('\t') && this.#keyMayBegin && this.#open.length === 0;
      if (isRefused) throw tabError(offset + lexeme.indexOf('\t'));
    } else if (first !== '#') this.#sign(first, lexeme, offset);
    this.#previous = first === ':' && this.#previous === 'plain' ? 'plain:' : first;
  }

  /** Checks the text before a bracket or a comma: without a space, the Go library takes these for a part of it. */
  #beforeBracket(offset: number): void {
    if (this.#previous === 'plain:')
      throw new ParseError(offset - 1, 'a space expected after ":"; or quote the text before it');
    if (this.#previous === '!') throw new ParseError(offset, 'a space expected after a tag');
  }

  #content(lexeme: string, offset: number): void {
    this.#isBrokenLine = lexeme.includes('\n');
    this.#brokenText = this.#isBrokenLine ? offset : undefined;
  }

  #sign(first: string, lexeme: string, offset: number): void {
    this.#keyMayBegin = first === '-' || first === '?';
    if (first === ':') {
      if (this.#isBrokenLine && !this.#hasExplicitKeys) throw keyError(this.#brokenText ?? offset);
      return;
    }
    this.#content(lexeme, offset);
    if (first === '?') this.#hasExplicitKeys = true;
    else if (first === '|' || first === '>') this.#header = lexeme;
    else if (first === '{' || first === '[') this.#open.push({ at: offset, bracket: first });
    else if (first === '}' || first === ']') {
      const opened = this.#open.at(-1);
      if (opened && CLOSERS[opened.bracket] !== lexeme) throw this.#unclosed(lexeme, offset);
      this.#open.pop();
    } else checkForm(first, lexeme, offset);
  }
}

/** Checks that a quoted scalar is closed, and that names and tags have only characters that the Go library allows. */
function checkForm(first: string, lexeme: string, offset: number): void {
  const quoted = QUOTED[first];
  if (quoted && !lexeme.slice(1).replaceAll(quoted, '').endsWith(first))
    throw new ParseError(offset, `no closing ${first} for this one: is it missing, or is a line inside not indented?`);
  if (first === '"' && lexeme.includes('\\')) checkEscapes(lexeme, offset);
  if ((first === '&' || first === '*') && !ANCHOR.test(lexeme)) {
    const rule = 'the name of an anchor or alias has only letters, digits, "-" and "_"; or quote the value';
    throw new ParseError(offset, rule);
  }
  if (first === '!' && !TAG.test(lexeme)) throw new ParseError(offset, tagProblem(lexeme));
}

function tagProblem(tag: string): string {
  const known = /^!!(?:str|int|float|bool|null|map|seq)(?=[^\w])/.test(tag);
  return known ? 'a space expected after a tag' : `the tag ${tag} is not supported: remove it, and quote the value`;
}

function checkEscapes(lexeme: string, offset: number): void {
  for (const match of lexeme.matchAll(ESCAPE)) {
    const [, bad] = match;
    if (bad === undefined) continue;
    const fix =
      bad[0] === '/' ? 'write "/"' : /^u/i.test(bad) ? 'write the character' : 'write "\\n" and no empty line';
    throw new ParseError(offset + match.index, `kubectl does not read this escape in YAML: ${fix} instead`);
  }
}

function tabError(at: number): ParseError {
  return new ParseError(at, 'a tab before the content of this line: use spaces instead');
}

function keyError(at: number): ParseError {
  return new ParseError(at, 'a key and its ":" must be on one line: is a key, a ":" or a comma missing here?');
}
