/** `-o FORMAT` and `-o FORMAT=FILE`: what to write, and where. */
import { writeFileSync } from 'node:fs';
import { reasonOf } from '../../cluster/files/reason.ts';
import { didYouMean } from '../../config/suggest.ts';
import { UsageError } from '../usage-error.ts';
import { type Paint, paintFor, plainly } from './colour.ts';

/** What every command can write; the first is the default. */
export const FORMATS: readonly string[] = ['text', 'json'];

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
  const files = outputs.flatMap(({ file }) => file ?? []);
  if (new Set(files).size < files.length) throw new UsageError('two reports go to the same file: give each its own');
  return outputs;
}

/** How a command's result looks in each format. Only what is asked for is made. */
export interface Renderings {
  text(paint: Paint): string;
  /** Plain JSON data. */
  json(): unknown;
}

/** Writes each report where it goes. Throws UsageError where a file can't be written. */
export function emit(outputs: readonly Output[], renderings: Renderings): void {
  for (const { format, file } of outputs) {
    const paint = file === undefined ? paintFor(process.stdout, process.env) : plainly;
    const text = format === 'json' ? `${JSON.stringify(renderings.json(), null, 2)}\n` : renderings.text(paint);
    if (file === undefined) process.stdout.write(text);
    else writeFile(file, text);
  }
}

function writeFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`can't write ${file}: ${reasonOf(error)}`);
  }
}

function parseOutput(value: string, formats: readonly string[]): Output {
  const equals = value.indexOf('=');
  const format = equals < 0 ? value : value.slice(0, equals);
  if (!formats.includes(format)) {
    throw new UsageError(`unknown output "${format}": use ${formats.join(' or ')}${didYouMean(format, formats)}`);
  }
  if (equals < 0) return { format, file: undefined };
  const file = value.slice(equals + 1);
  if (file === '') throw new UsageError(`-o ${value} names no file`);
  return { format, file: file === '-' ? undefined : file };
}
