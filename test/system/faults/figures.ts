/**
 * The figures of each row, kept in `last-run/ROW.json` for the pages in docs. A row has several parts, each with its
 * own figure, and a file of its own because rows run side by side.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { say } from '../e2e/harness/index.ts';
import type { RowId } from './rows.ts';

/**
 * `short`: continuous integration. `full`: the matrix as written. `scheduled`: the longest soak and the most random
 * input.
 */
export type Form = 'short' | 'full' | 'scheduled';

export interface Figure {
  /** What was found, as a sentence without its full stop. */
  readonly figure: string;
  /** The same in a few words, for the summary; absent for parts that the summary leaves out. */
  readonly result?: string;
  /** The day of the measurement. */
  readonly date: string;
}

/** Figures of one row, by part and form. */
type LastRun = Readonly<Record<string, Partial<Readonly<Record<Form, Figure>>>>>;

/** Characters of a figure that are kept: one that lists each failure is printed in full and kept in part. */
const LONGEST = 600;
const FOLDER = new URL('./last-run/', import.meta.url);

/** Returns the form of this run from `FAULTS`, by default `full`. @throws Error for any other word */
export function form(): Form {
  const word = process.env['FAULTS'] ?? 'full';
  if (word === 'short' || word === 'full' || word === 'scheduled') return word;
  throw new Error(`FAULTS is "${word}"; it takes short, full or scheduled`);
}

/** Returns one of two values: the short form's, or that of the others. */
export function byForm<T>(short: T, full: T): T {
  return form() === 'short' ? short : full;
}

/**
 * Returns a limit in milliseconds: the target, and in the short form, which shares whatever machine with other rows,
 * four times as long.
 */
export function limitMs(target: number): number {
  return byForm(4 * target, target);
}

/** Prints and keeps a figure. Call it before the assertions about it, so that a failed run has its figure too. */
export function record(row: RowId, part: string, figure: string, result?: string): void {
  say(`[${row}] ${part}: ${figure}`);
  const known = lastRun(row);
  const latest: Figure = {
    figure: figure.length > LONGEST ? `${figure.slice(0, LONGEST)} …` : figure,
    ...(result === undefined ? {} : { result }),
    date: new Date().toISOString().slice(0, 10),
  };
  mkdirSync(FOLDER, { recursive: true });
  const next = { ...known, [part]: { ...known[part], [form()]: latest } };
  writeFileSync(fileOf(row), `${JSON.stringify(next, null, 2)}\n`);
}

/** Returns the kept figures of a row; empty where there are none. */
export function lastRun(row: RowId): LastRun {
  try {
    return JSON.parse(readFileSync(fileOf(row), 'utf8'));
  } catch {
    return {};
  }
}

function fileOf(row: RowId): string {
  return fileURLToPath(new URL(`${row}.json`, FOLDER));
}
