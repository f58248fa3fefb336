/** Reads the documents of the paths that a user names: files, folders (recursive, sorted), `-` for standard input. */
import { readInBatches, type SourceDocument, type SourceError } from '../../documents/index.ts';
import { readBytes, reasonOf } from './bytes.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** Reads standard input; called once at most, and may reject. Without it `-` is an error. */
  readonly stdin?: (() => Promise<Uint8Array>) | undefined;
  /** Called with the progress. */
  readonly reading?: ((reading: Reading) => void) | undefined;
}

export interface Reading {
  readonly source: string;
  /** Which of the files it is, from 1, and how many there are. */
  readonly file: number;
  readonly files: number;
  /** How much of it is read, from 0 to 1. */
  readonly share: number;
}

export interface Sources {
  readonly documents: readonly SourceDocument[];
  /** Paths that could not be read and documents that could not be parsed; all others were read. */
  readonly errors: readonly SourceError[];
}

/** The name of standard input in reports. */
export const STDIN = '<stdin>';

/**
 * Reads the documents of the paths in order, some at a time, so that not all are in memory. A file reached twice is read once. Errors of paths that
 * can't be read come first. Never throws on bad input.
 */
export async function* readEach(paths: readonly string[], options: SourcesOptions = {}): AsyncGenerator<Sources> {
  const { files, problems } = filesUnder(paths);
  yield { documents: [], errors: problems.map(({ path, message }) => errorIn(path, message)) };
  for (const [index, file] of files.entries()) {
    const source = file === '-' ? STDIN : file;
    const report = (share: number) => options.reading?.({ source, file: index + 1, files: files.length, share });
    report(0);
    const read = await readSource(file, source, options);
    if ('message' in read) yield { documents: [], errors: [read] };
    else yield* readInBatches(read.text, source, options.reading && report);
  }
}

async function readSource(
  file: string,
  source: string,
  { stdin }: SourcesOptions,
): Promise<{ text: string } | SourceError> {
  if (file === '-' && stdin === undefined) return errorIn('-', 'standard input can be named once only, and not here');
  try {
    return decode(file === '-' && stdin ? await stdin() : readBytes(file), source);
  } catch (error) {
    return errorIn(source, `can't read it: ${reasonOf(error)}`);
  }
}

/** The text of a file, or why it has none. */
export function decode(bytes: Uint8Array, source: string): { text: string } | SourceError {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return errorIn(source, 'the text is not UTF-8: save the file in that encoding');
  }
}

function errorIn(source: string, message: string): SourceError {
  return { source, line: 1, column: 1, message };
}
