/** `-o FORMAT` and `-o FORMAT=FILE`: what to write, and where. */
import { resolve } from 'node:path';
import { didYouMean } from '../../config/suggest.ts';
import { UsageError } from '../usage-error.ts';
import { type Paint, paintFor, plainly } from './colour.ts';
import { FORMATS } from './formats.ts';
import { jsonPieces } from './json-pieces.ts';
import { replaceFile } from './safe-file.ts';

export interface Output {
  readonly format: string;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/** Reads the flags' values; none means the first format on standard output. Throws UsageError. */
export function parseOutputs(values: readonly string[] = [], formats: readonly string[] = FORMATS): readonly Output[] {
  if (values.length === 0) return [{ format: formats[0] ?? '', file: undefined }];
  const outputs = values.map((value) => parseOutput(value, formats));
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError('standard output can hold one report only: write the others to files, as in -o json=FILE');
  }
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : resolve(file)));
  if (new Set(files).size < files.length) throw new UsageError('two reports go to the same file: give each its own');
  return outputs;
}

/** A whole text, or its pieces in order, made while they are written. */
export type Pieces = string | Iterable<string>;

/** How a command's result looks in each format it has. Only what is asked for is made. */
export interface Renderings {
  text(paint: Paint): Pieces;
  /** Plain JSON data. Whatever can be iterated and is no text becomes a list. */
  json(): unknown;
  junit?(): Pieces;
  /** Plain JSON data, as `json`. */
  sarif?(): unknown;
  github?(): Pieces;
}

/**
 * Writes each report where it goes: files first, so that a reader of standard output who has seen enough costs none of
 * them. Where a file can't be written the others still are; then throws UsageError.
 */
export function emit(outputs: readonly Output[], renderings: Renderings): void {
  const problems: string[] = [];
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    const problem = replaceFile(file, chunksOf(rendered(format, renderings, plainly)));
    if (problem !== undefined) problems.push(`can't write ${file}: ${problem}`);
  }
  for (const { format, file } of outputs) {
    if (file === undefined) print(rendered(format, renderings, paintFor(process.stdout, process.env)));
  }
  if (problems.length > 0) throw new UsageError(problems.join('; '));
}

function rendered(format: string, renderings: Renderings, paint: Paint): Pieces {
  switch (format) {
    case 'json':
      return jsonPieces(renderings.json());
    case 'sarif':
      return jsonPieces(renderings.sarif?.());
    case 'junit':
      return renderings.junit?.() ?? '';
    case 'github':
      return renderings.github?.() ?? '';
    default:
      return renderings.text(paint);
  }
}

function print(pieces: Pieces): void {
  for (const chunk of chunksOf(pieces)) {
    process.stdout.write(chunk);
    if (process.stdout.errored) return;
  }
}

const CHUNK = 65_536;

/** Few writes, and never a report's whole text at once. */
function* chunksOf(pieces: Pieces): Generator<string> {
  if (typeof pieces === 'string') return yield pieces;
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function parseOutput(value: string, formats: readonly string[]): Output {
  const equals = value.indexOf('=');
  const format = equals < 0 ? value : value.slice(0, equals);
  if (!formats.includes(format)) {
    const known = `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
    throw new UsageError(`unknown output "${format}": use ${known}${didYouMean(format, formats)}`);
  }
  if (equals < 0) return { format, file: undefined };
  const file = value.slice(equals + 1);
  if (file === '') throw new UsageError(`-o ${value} names no file`);
  return { format, file: file === '-' ? undefined : file };
}
