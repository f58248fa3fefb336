/**
 * The published code, indented by tabs where the compiler writes four spaces each: a tenth of the package was indentation. Lines stay lines, so
 * that a stack trace leads to them. A file with a text over several lines stays as it is.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

/** The same code, narrower; or as it is, where an indentation may be part of a text. */
export function narrow(code: string): string {
  const program = parseSync(code, { syntax: 'ecmascript', target: 'es2023' });
  if (hasTextOverLines(program)) return code;
  return code.replaceAll(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}

/** Template texts may span lines as they are, quoted ones by a backslash at the end. */
function hasTextOverLines(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type, raw } = node as { type?: unknown; raw?: unknown };
  if ((type === 'TemplateElement' || type === 'StringLiteral') && String(raw).includes('\n')) return true;
  return Object.values(node).some(hasTextOverLines);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? 'dist';
  for (const name of globSync('**/*.js', { cwd: folder })) {
    const file = join(folder, name);
    writeFileSync(file, narrow(readFileSync(file, 'utf8')));
  }
}
