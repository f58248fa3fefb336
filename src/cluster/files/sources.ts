/** From the paths a user names to the documents in them: files, folders (recursive, sorted), `-` for standard input. */
import { readFileSync } from 'node:fs';
import { readDocuments, type SourceDocument, type SourceError } from '../../documents/index.ts';
import { reasonOf } from './reason.ts';
import { filesUnder } from './walk.ts';

export interface SourcesOptions {
  /** The bytes of standard input; without it `-` is an error. Asked at most once. */
  readonly stdin?: () => Promise<Uint8Array>;
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
  const { files, problems } = filesUnder(paths);
  for (const { path, message } of problems) errors.push(errorIn(path, message));
  for (const file of files) {
    const read = file === '-' ? await readStdin(options) : readFile(file);
    if ('message' in read) errors.push(read);
    else {
      const found = readDocuments(read.text, file === '-' ? STDIN : file);
      documents.push(...found.documents);
      errors.push(...found.errors);
    }
  }
  return { documents, errors };
}

async function readStdin({ stdin }: SourcesOptions): Promise<{ text: string } | SourceError> {
  if (stdin === undefined) return errorIn('-', 'standard input can be named once only, and not here');
  return decode(await stdin(), STDIN);
}

function readFile(file: string): { text: string } | SourceError {
  try {
    return decode(readFileSync(file), file);
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
