/**
 * Counts which pieces of the sources run: each function, block, case, side of a condition and right-hand side of a logical
 * operator gets a counter of its own as the module is loaded. Reading the counters costs microseconds, which V8's own
 * coverage does not allow; a fuzzer reads them after every execution.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

/** A piece of a source that is counted: the module and the offset it begins at, in bytes. */
export interface Piece {
  readonly file: string;
  readonly offset: number;
}

export interface Coverage {
  /** How often each piece ran since the last `clear`; counts wrap at 256. */
  readonly counters: Uint8Array;
  /** The pieces, by their counter. They grow as modules are loaded. */
  readonly pieces: readonly Piece[];
  /** Texts that the sources compare with: names, words, messages. */
  readonly literals: ReadonlySet<string>;
  clear(): void;
  /** What ran since the last `clear` ran because modules were loaded: no merit of an input. */
  loaded(): void;
  /** The pieces that an input has to reach: those that loading did not. */
  left(): number[];
}

interface Node {
  readonly type?: string;
  readonly span?: { readonly start: number; readonly end: number };
  readonly [key: string]: unknown;
}

/** What is put where, by the offset in bytes. */
type Insertions = [number, string][];

const MOST_PIECES = 32_768;
const COUNTERS = '__musterCovered';
const LONGEST_LITERAL = 64;
/** Texts of no use as input: what an import or a type says. */
const UNREAD: ReadonlySet<string> = new Set(['ImportDeclaration', 'TsInterfaceDeclaration', 'TsTypeAliasDeclaration']);

/** From here on, modules whose file matches `pattern` are counted as they are loaded. Call it before importing them. */
export function instrument(pattern: RegExp): Coverage {
  const counters = new Uint8Array(MOST_PIECES);
  const pieces: Piece[] = [];
  const literals = new Set<string>();
  const loading = new Set<number>();
  Object.assign(globalThis, { [COUNTERS]: counters });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || !pattern.test(url)) return loaded;
      const file = fileURLToPath(url);
      const source = readFileSync(file);
      return { ...loaded, source: counted(file, source, pieces, literals) };
    },
  });
  return {
    counters,
    pieces,
    literals,
    clear: () => void counters.fill(0),
    loaded: () => {
      for (const index of pieces.keys()) if (counters[index] !== 0) loading.add(index);
    },
    left: () => [...pieces.keys()].filter((index) => !loading.has(index)),
  };
}

function counted(file: string, source: Buffer, pieces: Piece[], literals: Set<string>): string {
  const tree = parseSync(source.toString('utf8'), { syntax: 'typescript', target: 'es2023' });
  const insertions: Insertions = [];
  const count = (offset: number): string => {
    if (pieces.push({ file, offset }) > MOST_PIECES) throw new Error(`more than ${MOST_PIECES} pieces to count`);
    return `${COUNTERS}[${pieces.length - 1}]++`;
  };
  visit(tree as unknown as Node, insertions, count, literals);
  // A stable sort: what is within stands within, since an outer piece begins its insertion first and ends it last.
  insertions.sort(([a], [b]) => a - b);
  const parts: Buffer[] = [];
  let from = 0;
  for (const [at, text] of insertions) {
    parts.push(source.subarray(from, at), Buffer.from(text));
    from = at;
  }
  return Buffer.concat([...parts, source.subarray(from)]).toString('utf8');
}

type Count = (offset: number) => string;

function visit(node: Node, into: Insertions, count: Count, literals: Set<string>): void {
  if (UNREAD.has(node.type ?? '')) return;
  if (node.type === 'StringLiteral') keep(String(node['value']), literals);
  const close = open(node, into, count);
  for (const [key, member] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParams') continue;
    for (const child of Array.isArray(member) ? member : [member]) {
      if (typeof child !== 'object' || child === null) continue;
      // Arguments and list entries stand in a wrapper that has no type.
      visit(child as Node, into, count, literals);
    }
  }
  close();
}

/** Puts counters where this node has pieces; gives back what to put behind its children. */
function open(node: Node, into: Insertions, count: Count): () => void {
  const ends: (() => void)[] = [];
  const value = (child: unknown) => ends.push(around(child as Node | undefined, into, '(', ',', ')', count));
  const statement = (child: unknown) => {
    const inner = child as Node | undefined;
    if (!isBlock(inner)) ends.push(around(inner, into, '{', ';', '}', count));
  };
  if (isBlock(node) && node.span) {
    // Spans count from 1.
    into.push([node.span.start, `${count(node.span.start)};`]);
  } else if (node.type === 'ArrowFunctionExpression') {
    if (!isBlock(node['body'] as Node)) value(node['body']);
  } else if (node.type === 'ConditionalExpression') {
    value(node['consequent']);
    value(node['alternate']);
  } else if (node.type === 'BinaryExpression') {
    if (['&&', '||', '??'].includes(String(node['operator']))) value(node['right']);
  } else if (node.type === 'IfStatement') {
    statement(node['consequent']);
    statement(node['alternate'] ?? undefined);
  } else if (['ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement'].includes(node.type ?? '')) {
    statement(node['body']);
  } else if (node.type === 'SwitchCase') {
    const first = (node['consequent'] as Node[])[0]?.span;
    if (first) into.push([first.start - 1, `${count(first.start)};`]);
  }
  return () => {
    for (const end of ends.reverse()) end();
  };
}

/** The body of an arrow function has statements, and no type. */
function isBlock(node: Node | undefined): boolean {
  return node !== undefined && 'stmts' in node;
}

function around(node: Node | undefined, into: Insertions, begin: string, then: string, end: string, count: Count) {
  const span = node?.span;
  if (span === undefined) return () => {};
  into.push([span.start - 1, `${begin}${count(span.start)}${then}`]);
  return () => void into.push([span.end - 1, end]);
}

function keep(text: string, literals: Set<string>): void {
  if (text.length > 0 && text.length <= LONGEST_LITERAL) literals.add(text);
}
