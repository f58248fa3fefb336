/**
 * The published code as the bundler prints it, indented by tabs and without the comments that it keeps: of a package that must stay small they are a
 * twentieth. Lines of code stay lines, so that a stack trace can be read beside them.
 */
import { parseSync } from '@swc/core';

/** The same code, narrower. What stands within a text over several lines is no indentation, and no comment. */
export function narrow(code: string): string {
  const texts = textsOverLines(parseSync(code, { syntax: 'ecmascript', target: 'es2023' }));
  // The parser counts bytes: here each is one character.
  const bytes = Buffer.from(code).toString('latin1');
  const narrowed = bytes.replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n|^(?: {2})+/gm, (found, at: number) => {
    if (texts.some(({ start, end }) => start <= at && at < end)) return found;
    return found.endsWith('\n') ? '' : '\t'.repeat(found.length / 2);
  });
  return Buffer.from(narrowed, 'latin1').toString();
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Template texts may span lines as they are, quoted ones by a backslash at the end. The parser counts from one. */
function textsOverLines(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, raw, span } = node as { type?: unknown; raw?: unknown; span?: Span };
  const isText = type === 'TemplateElement' || type === 'StringLiteral';
  if (isText && span && String(raw).includes('\n')) return [{ start: span.start - 1, end: span.end - 1 }];
  return Object.values(node).flatMap(textsOverLines);
}
