/**
 * Refuses what is left open, and what the npm package `yaml` (YAML 1.2) reads and kubectl's Go library (YAML 1.1) refuses
 * or reads otherwise. Works on the pieces of text that the lexer yields. Found by comparing the two on mutated documents;
 * the corpus in test/documents holds a case for each.
 */
import { Refusal } from './source-text.ts';

/** Marks that the lexer puts between pieces of the text; they take no room in it. */
const DOCUMENT_BEGINS = '\x02';
const FLOW_BROKEN = '\x18';
const SCALAR_FOLLOWS = '\x1f';

const ANCHOR = /^[&*][\w-]+$/;
const TAG = /^![\w\-;/?:@&=+$.!~*'()%<>,]*$/;
/** A block text whose first line begins with a tab, so that its indentation can't be told. */
const TAB_FIRST = /^(?: *\n)* *\t/;
/** In double quotes: every escape; behind the bar what the Go library refuses, or reads otherwise, among them. */
const ESCAPE = /\\(?:(\/|u[dD][89a-fA-F]|\n[ \t]*\n)|[\s\S])/g;
const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

export class YamlGuard {
  /** The brackets that are open. */
  readonly #open: { readonly at: number; readonly bracket: string }[] = [];
  #broken = false;
  #lineStart = 0;
  /** Spaces at the beginning of this line; and of the line that the innermost block collection was last seen on. */
  #spaces = 0;
  #indent = -1;
  /** A key may begin here: at the beginning of a line, and after "- " and "? ". The Go library allows no tab there. */
  #keyMayBegin = true;
  /** Only white space stands between here and a plain scalar; the Go library takes tabs along with that. */
  #afterPlain = false;
  #plainFollows = false;
  /** The header of the block text that follows, such as `|-`. */
  #header = '';
  /** A line ends within, or after, what may turn out to be a key. */
  #brokenLine = true;
  #textOverLines: number | undefined;
  #explicitKeys = false;
  #previous = '';

  /** Looks at the next piece, which stands at this offset. @throws Refusal */
  next(piece: string, offset: number): void {
    if (piece === SCALAR_FOLLOWS) this.#plainFollows = true;
    else if (piece === FLOW_BROKEN) this.#broken = true;
    else if (this.#broken) this.#leaveOpen(piece, offset);
    else if (this.#plainFollows) this.#scalar(piece, offset);
    else if (piece !== DOCUMENT_BEGINS) this.#mark(piece[0] ?? '', piece, offset);
  }

  /** Whether indentation means nothing to the Go library in what begins with this character: brackets and quotes. */
  ignoresIndentation(next: string | undefined): boolean {
    return this.#open.length > 0 || ((next === '"' || next === "'") && this.#header === '' && !this.#plainFollows);
  }

  /** At the end of the document. @throws Refusal */
  end(): void {
    if (this.#open.length > 0) this.#leaveOpen('', 0);
  }

  #leaveOpen(piece: string, offset: number): never {
    if (piece.startsWith('\t')) throw tabRefused(offset);
    const { at, bracket } = this.#open.at(-1) ?? { at: offset, bracket: '{' };
    const closer = CLOSERS[bracket];
    throw new Refusal(at, `no closing ${closer} for this ${bracket}: is it missing?`);
  }

  #scalar(text: string, offset: number): void {
    const header = this.#header;
    this.#plainFollows = false;
    this.#header = '';
    if (text === '') return;
    if (header !== '' && !/[1-9]/.test(header) && TAB_FIRST.test(text)) throw tabRefused(offset + text.indexOf('\t'));
    if (this.#open.length > 0 && (text.includes('?') || text.startsWith(':'))) {
      throw new Refusal(offset, 'inside of {} and [] a value with "?", or with ":" at its beginning, must be quoted');
    }
    this.#previous = 'plain';
    this.#afterPlain = header === '';
    this.#keyMayBegin = false;
    this.#content(text, offset);
    if (header !== '') this.#lineBreak(offset + text.length);
  }

  #mark(first: string, piece: string, offset: number): void {
    if (this.#open.length > 0 && ',[]{}'.includes(first)) this.#closeTo(offset);
    if (first === ' ' || first === '\t') this.#blank(piece, offset);
    else if (first === '\n') this.#lineBreak(offset + piece.length);
    else if (first !== '#') this.#sign(first, piece, offset);
    this.#previous = first === ':' && this.#previous === 'plain' ? 'plain:' : first;
  }

  /** What stands directly before a bracket or a comma: the Go library takes it for a part of the text or the tag. */
  #closeTo(offset: number): void {
    if (this.#previous === 'plain:')
      throw new Refusal(offset - 1, 'a space expected after ":"; or quote the text before it');
    if (this.#previous === '!') throw new Refusal(offset, 'a space expected after a tag');
  }

  #blank(piece: string, offset: number): void {
    if (offset === this.#lineStart) this.#spaces = piece.search(/[^ ]|$/);
    if (!piece.includes('\t')) return;
    const tab = offset + piece.indexOf('\t');
    const refused = this.#afterPlain
      ? this.#keyMayBegin && tab - this.#lineStart <= this.#indent
      : this.#keyMayBegin && this.#open.length === 0;
    if (refused) throw tabRefused(tab);
  }

  #content(piece: string, offset: number): void {
    this.#brokenLine = piece.includes('\n');
    this.#textOverLines = this.#brokenLine ? offset : undefined;
  }

  #close(piece: string, offset: number): void {
    const opened = this.#open.at(-1);
    if (opened && CLOSERS[opened.bracket] !== piece) this.#leaveOpen(piece, offset);
    this.#open.pop();
  }

  #lineBreak(next: number): void {
    this.#lineStart = next;
    this.#spaces = 0;
    this.#keyMayBegin = true;
    this.#brokenLine = true;
  }

  #sign(first: string, piece: string, offset: number): void {
    this.#afterPlain = false;
    this.#keyMayBegin = first === '-' || first === '?';
    if (this.#open.length === 0 && (this.#keyMayBegin || first === ':')) this.#indent = this.#spaces;
    if (first === ':') {
      if (this.#brokenLine && !this.#explicitKeys) throw keyMissing(this.#textOverLines ?? offset);
      return;
    }
    this.#content(piece, offset);
    if (first === '?') this.#explicitKeys = true;
    else if (first === '|' || first === '>') this.#header = piece;
    else if (first === '{' || first === '[') this.#open.push({ at: offset, bracket: first });
    else if (first === '}' || first === ']') this.#close(piece, offset);
    else checkForm(first, piece, offset);
  }
}

/** Whether a quoted scalar is closed, and names and tags are made of what the Go library allows. */
function checkForm(first: string, piece: string, offset: number): void {
  if ((first === '"' || first === "'") && isOpen(piece, first)) {
    throw new Refusal(offset, `no closing ${first} for this one: is it missing?`);
  }
  if (first === '"' && piece.includes('\\')) checkEscapes(piece, offset);
  if ((first === '&' || first === '*') && !ANCHOR.test(piece)) {
    throw new Refusal(
      offset,
      `the name of an anchor or alias has only letters, digits, "-" and "_"; or quote the value`,
    );
  }
  if (first === '!' && !TAG.test(piece)) throw new Refusal(offset, 'a space expected after a tag');
}

function checkEscapes(piece: string, offset: number): void {
  for (const match of piece.matchAll(ESCAPE)) {
    const [, bad] = match;
    if (bad === undefined) continue;
    const remedy =
      bad[0] === '/' ? 'write "/"' : bad[0] === 'u' ? 'write the character' : 'write "\\n" and no empty line';
    throw new Refusal(offset + match.index, `kubectl does not read this escape in YAML: ${remedy} instead`);
  }
}

function isOpen(piece: string, quote: string): boolean {
  if (piece.length === 1 || !piece.endsWith(quote)) return true;
  if (quote === "'") return (piece.length - piece.replaceAll("'", '').length) % 2 === 1;
  let backslashes = 0;
  while (piece[piece.length - 2 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function tabRefused(at: number): Refusal {
  return new Refusal(at, 'a tab stands before the content of this line: use spaces');
}

function keyMissing(at: number): Refusal {
  return new Refusal(at, 'a key and its ":" must stand on one line: is a key, a ":" or a comma missing here?');
}
