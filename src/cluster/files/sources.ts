/** From the paths a user names to the documents in them: files, folders (recursive, sorted), `-` for standard input. */
import { readInBatches, type SourceDocument, type SourceError } from '../../documents/index.ts';
import { readBytes } from './bytes.ts';
import { reasonOf } from './reason.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** The bytes of standard input; without it `-` is an error. Asked at most once. May reject, as a file may not be readable. */
  readonly stdin?: (() => Promise<Uint8Array>) | undefined;
  /** Told how far the reading is. */
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
  /** Paths that could not be read and documents that could not be parsed; the rest was read all the same. */
  readonly errors: readonly SourceError[];
}

/** How standard input is called in reports. */
export const STDIN = '<stdin>';

/** Reads all documents of the paths, in the order given. A file reached twice is read once. Never throws on bad input. */
export async function readSources(paths: readonly string[], options: SourcesOptions = {}): Promise<Sources> {
  const documents: SourceDocument[] = [];
  const errors: SourceError[] = [];
  for await (const read of readEach(paths, options)) {
    for (const document of read.documents) documents.push(document);
    for (const error of read.errors) errors.push(error);
  }
  return { documents, errors };
}

/** The same, some documents at a time: whoever lets go of them has their memory back. Paths that can't be read come first. */
export async function* readEach(paths: readonly string[], options: SourcesOptions = {}): AsyncGenerator<Sources> {
  const { files, problems } = filesUnder(paths);
  yield { documents: [], errors: problems.map(({ path, message }) => errorIn(path, message)) };
  for (const [index, file] of files.entries()) {
    const source = file === '-' ? STDIN : file;
    const tell = (share: number) => options.reading?.({ source, file: index + 1, files: files.length, share });
    tell(0);
    const read = file === '-' ? await readStdin(options) : readFile(file);
    if ('message' in read) yield { documents: [], errors: [read] };
    else yield* readInBatches(read.text, source, options.reading && tell);
  }
}

async function readStdin({ stdin }: SourcesOptions): Promise<{ text: string } | SourceError> {
  if (stdin === undefined) return errorIn('-', 'standard input can be named once only, and not here');
  try {
    return decode(await stdin(), STDIN);
  } catch (error) {
    return errorIn(STDIN, `can't read it: ${reasonOf(error)}`);
  }
}

function readFile(file: string): { text: string } | SourceError {
  try {
    return decode(readBytes(file), file);
  } catch (error) {
    return errorIn(file, `can't read it: ${reasonOf(error)}`);
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
