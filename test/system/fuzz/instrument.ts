/**
 * Counts which pieces of the sources run: each function, block, case, side of a condition and right-hand side of a
 * logical operator gets a counter of its own as the module is loaded. Reading the counters costs microseconds, which
 * V8's own coverage does not allow; a fuzzer reads them after every execution.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

export interface Coverage {
  /** How often each piece ran since the last `clear`; counts wrap at 256. */
  readonly counters: Uint8Array;
  /** Texts that the sources compare with: names, words, messages. */
  readonly literals: ReadonlySet<string>;
  clear(): void;
  /** Marks what ran since the last `clear`: it ran because modules were loaded. */
  loaded(): void;
  /** Returns the pieces that an input has to reach: those that loading did not. */
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
  let pieces = 0;
  const literals = new Set<string>();
  const loading = new Set<number>();
  Object.assign(globalThis, { [COUNTERS]: counters });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith('file:') || !pattern.test(url)) return loaded;
      const count = () => {
        if (pieces === MOST_PIECES) throw new Error(`more than ${MOST_PIECES} pieces to count`);
        return `${COUNTERS}[${pieces++}]++`;
      };
      return { ...loaded, source: counted(readFileSync(fileURLToPath(url)), count, literals) };
    },
  });
  return {
    counters,
    literals,
    clear: () => void counters.fill(0),
    loaded: () => {
      for (let index = 0; index < pieces; index++) if (counters[index] !== 0) loading.add(index);
    },
    left: () => [...Array(pieces).keys()].filter((index) => !loading.has(index)),
  };
}

type Count = () => string;

function counted(source: Buffer, count: Count, literals: Set<string>): string {
  const tree = parseSync(source.toString('utf8'), { syntax: 'typescript', target: 'es2023' });
  const insertions: Insertions = [];
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

function visit(node: Node, into: Insertions, count: Count, literals: Set<string>): void {
  if (UNREAD.has(node.type ?? '')) return;
  const text = node.type === 'StringLiteral' ? String(node['value']) : '';
  if (text.length > 0 && text.length <= LONGEST_LITERAL) literals.add(text);
  const close = open(node, into, count);
  for (const [key, member] of Object.entries(node)) {
    if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeParams') continue;
    // Arguments and list entries stand in a wrapper that has no type.
    for (const child of Array.isArray(member) ? member : [member])
      if (typeof child === 'object' && child !== null) visit(child as Node, into, count, literals);
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
    into.push([node.span.start, `${count()};`]);
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
    if (first) into.push([first.start - 1, `${count()};`]);
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
  into.push([span.start - 1, `${begin}${count()}${then}`]);
  return () => void into.push([span.end - 1, end]);
}
