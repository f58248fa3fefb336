/** Every regular expression of the sources that a review, a request's head, a configuration or a manifest can reach. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const SOURCES = fileURLToPath(new URL('../../../../src/', import.meta.url));
/** What these match is typed by whoever runs them, or is our own text; all others meet input from outside. */
const LEFT_OUT = /^(?:(?:cli|manifests|rules\/cel)\/|(?:report\/(?:sarif-rules|rule-text)|rules\/documentation)\.ts$)/;

export interface Expression {
  /** From `src/`. */
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

/**
 * Found in the sources themselves, so that a new one can't be forgotten: literals, and texts given to `new RegExp` or a
 * schema.
 */
export function expressionsInSources(): Expression[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file))
    .sort()
    .flatMap((file) => expressionsIn(file));
}

function expressionsIn(file: string): Expression[] {
  const found = new Map<string, Expression>();
  const keep = (pattern: string, flags: string) => found.set(`/${pattern}/${flags}`, { file, pattern, flags });
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const {
      type,
      pattern,
      flags,
      callee,
      arguments: given,
    } = node as Record<string, unknown> & { callee?: { value?: string }; arguments?: unknown[] };
    if (type === 'RegExpLiteral') keep(String(pattern), String(flags));
    const name = String(callee?.value);
    // ajv calls `boundedPattern` by a name of its own.
    const isCompiled = file.endsWith('.generated.ts') && /^func\d+$/.test(name);
    const made = isCompiled || ['RegExp', 'boundedPattern'].includes(name);
    const [source, mode] = (Array.isArray(given) ? given : []).map(
      (one) => (one as { expression?: { type?: string; value?: string } }).expression,
    );
    if (made && source?.type === 'StringLiteral') keep(String(source.value), String(mode?.value ?? ''));
    for (const member of Object.values(node))
      for (const inner of Array.isArray(member) ? member : [member]) visit(inner);
  };
  visit(parseSync(readFileSync(`${SOURCES}${file}`, 'utf8'), { syntax: 'typescript', target: 'es2023' }));
  return [...found.values()];
}
