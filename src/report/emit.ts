/** Reads `-o FORMAT` and `-o FORMAT=FILE`, and writes each output to its destination. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { didYouMean } from '../base/suggest.ts';
import { namedPath, safeText } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { nearestRealPath } from '../documents/files.ts';
import { ENDS_WITH_SUMMARY, PLAIN_FORMATS, REPORT_RENDERERS, type Rendered } from './formats.ts';
import { type CheckReport, exitCodeOf, type FailOn, sourceRoot } from './report.ts';
import { replaceFile } from './safe-file.ts';
import { escapeFile, noColor, type Paint, paintFor } from './terminal.ts';
import { errorLine, summaryLine, warningLine } from './text.ts';

export interface Output {
  readonly format: string;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * Reads the values of `-o`; none means the first format on standard output.
 * @param inputs files that the command reads, which no report may replace; also as `NAME=PATH`
 * @throws UsageError
 */
export function parseOutputs(
  values: readonly string[] = [],
  formats: readonly string[] = PLAIN_FORMATS,
  inputs: readonly (string | undefined)[] = [],
): readonly Output[] {
  if (values.length === 0) return [{ format: formats[0] ?? '', file: undefined }];
  const outputs = values.map((value) => parseOutput(value, formats));
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw new UsageError('standard output can hold one report only: write the others to files, as in -o json=FILE');
  }
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : canonicalPath(file)));
  if (new Set(files).size < files.length) throw new UsageError('two reports go to the same file: give each its own');
  refuseInputs(inputs, outputs);
  return outputs;
}

/** Refuses a report that would replace one of these files, also as `NAME=PATH`. @throws UsageError */
export function refuseInputs(inputs: readonly (string | undefined)[] | undefined, outputs: readonly Output[]): void {
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : canonicalPath(file)));
  if (files.length === 0) return;
  const isReplaced = (input = '') => input !== '' && files.includes(canonicalPath(input));
  const replaced = inputs?.find((input = '') => isReplaced(input) || isReplaced(namedPath(input)?.path));
  if (replaced !== undefined) throw wouldReplace(replaced);
}

function wouldReplace(input: string): UsageError {
  return new UsageError(`the report would replace ${safeText(input, 200)}, which is read: give it another name`);
}

/** Returns the absolute path of a file without links, whether it exists or not. */
const canonicalPath = (file: string) => nearestRealPath(resolve(file));

interface ReportOptions {
  /** `muster check` or `muster scan`. */
  readonly command: string;
  readonly failOn: FailOn;
  readonly outputs: readonly Output[];
}

/**
 * Writes a report to its outputs; to standard error these notes, warnings about the input, and errors. Sets the
 * process's exit code.
 * @param noteLines for people; the notes of the report are in its outputs
 * @throws UsageError
 */
export async function emitReport(
  report: CheckReport,
  noteLines: readonly string[],
  options: ReportOptions,
): Promise<void> {
  const { command, failOn, outputs } = options;
  const exitCode = exitCodeOf(report, failOn);
  // Set before anything is written: if the reader closes the pipe, the process ends with this code.
  process.exitCode = exitCode;
  writeToStderr(report, noteLines);
  const root = sourceRoot(process.env, process.cwd());
  const context = { command, failOn, exitCode, root };
  const renderings: Record<string, Rendering> = {};
  for (const { format } of outputs) {
    const render = await REPORT_RENDERERS[format]?.();
    if (render) renderings[format] = (paint) => render(report, context, paint);
  }
  emitWithSummary(outputs, summaryLine(report), renderings);
}

/**
 * Refuses a report that would replace a manifest or a suite that was read, such as one found in a folder. An earlier
 * report of muster in such a folder may be replaced.
 * @throws UsageError
 */
export function refuseToReplace(files: Iterable<string>, outputs: readonly Output[]): void {
  const written = outputs.flatMap(({ file }) => file ?? []);
  const isWritten = (file: string) =>
    written.some((output) => basename(file) === basename(output) && canonicalPath(file) === canonicalPath(output));
  const replaced = [...files].find((file) => isWritten(file) && !isReport(file));
  if (replaced !== undefined) throw wouldReplace(replaced);
}

/** Returns whether a file is an earlier report of muster, empty, or gone. */
function isReport(file: string): boolean {
  const text = existsSync(file) ? readFileSync(file, 'utf8').slice(0, 500).trim() : '';
  return text === '' || /"kind": *"(CheckReport|TestReport|ServiceExplanation)"|sarif/.test(text);
}

/** Writes notes, and the warnings and errors of a report, to standard error. */
export function writeToStderr({ warnings = [], errors }: CheckReport, noteLines: readonly string[]): void {
  const lines = [...noteLines.map(escapeFile), ...warnings.map(warningLine), ...errors.map(errorLine)];
  for (const line of lines) process.stderr.write(`${line}\n`);
}

/**
 * Writes each output, and the summary to standard error if no format on standard output ends with it, so that a failed
 * step of CI shows why.
 * @throws UsageError
 */
export function emitWithSummary(
  outputs: readonly Output[],
  summary: string,
  renderings: Readonly<Record<string, Rendering>>,
): void {
  try {
    emit(outputs, renderings);
  } finally {
    const isShown = outputs.some(({ format, file }) => file === undefined && ENDS_WITH_SUMMARY.has(format));
    if (!isShown) process.stderr.write(`${summary}\n`);
  }
}

/** Renders a command's result in one format. */
type Rendering = (paint: Paint) => Rendered;

/**
 * Writes each output, files first, so that a closed pipe on standard output loses no file. If a file can't be written,
 * the others still are.
 * @throws UsageError if a file can't be written
 */
export function emit(outputs: readonly Output[], renderings: Readonly<Record<string, Rendering>>): void {
  const problems: string[] = [];
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    const problem = replaceFile(file, chunksOf(renderings[format]?.(noColor) ?? ''));
    if (problem !== undefined) problems.push(`can't write ${file}: ${problem}`);
  }
  for (const { format, file } of outputs) {
    if (file !== undefined) continue;
    const text = renderings[format]?.(paintFor(process.stdout, process.env)) ?? '';
    for (const chunk of chunksOf(text)) if (!process.stdout.errored) process.stdout.write(chunk);
  }
  if (problems.length > 0) throw new UsageError(problems.join('; '));
}

const CHUNK = 65_536;

/** Joins the pieces of a text into chunks of this many characters, without building the whole text. */
function* chunksOf(text: Rendered): Generator<string> {
  if (typeof text === 'string') return yield text;
  let chunk = '';
  for (const piece of text) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function parseOutput(value: string, formats: readonly string[]): Output {
  // `-o=json`, as for kubectl, arrives as `=json`.
  const [format = '', ...rest] = value.replace(/^=/, '').split('=');
  if (!formats.includes(format)) {
    const known = `${formats.slice(0, -1).join(', ')} or ${formats.at(-1)}`;
    throw new UsageError(`unknown --output "${format}": use ${known}${didYouMean(format, formats)}`);
  }
  if (rest.length === 0) return { format, file: undefined };
  const file = rest.join('=');
  if (file === '') throw new UsageError(`-o ${value} names no file`);
  return { format, file: file === '-' ? undefined : file };
}
