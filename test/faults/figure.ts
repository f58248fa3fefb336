/**
 * The figure of a row: told on stderr, and kept for docs/reliability.md. A row of several faults has several parts, each
 * with a sentence of its own; each row has a file of its own, since rows run side by side.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { say } from '../e2e/harness/say.ts';
import { ROWS, type RowId } from './rows.ts';

/** `short` is what continuous integration runs, `full` the matrix as it is written, `scheduled` the longest soak and fuzz. */
export type Form = 'short' | 'full' | 'scheduled';

export interface Figure {
  /** What came out, as a sentence without its full stop. */
  readonly figure: string;
  /** The day it was measured. */
  readonly date: string;
  readonly machine: string;
}

/** Figures of one row, by part and form. */
export type LastRun = Readonly<Record<string, Partial<Readonly<Record<Form, Figure>>>>>;

/** Characters of a figure that are kept: one that lists each failure is all told, and not all put into a table. */
const LONGEST = 600;

const FOLDER = new URL('./last-run/', import.meta.url);

/** The form of this run, from `FAULTS`; `full` where it is not set. @throws Error for any other word */
export function form(): Form {
  const word = process.env['FAULTS'] ?? 'full';
  if (word === 'short' || word === 'full' || word === 'scheduled') return word;
  throw new Error(`FAULTS is "${word}"; it takes short, full or scheduled`);
}

/** One of three values, by the form of this run. */
export function byForm<T>(values: Readonly<Record<Form, T>>): T {
  return values[form()];
}

/** Tells and keeps a figure. Call it before what it shows is expected, so that a red run has its figure too. */
export function record(row: RowId, part: string, figure: string): void {
  const { fault } = ROWS.find(({ id }) => id === row) ?? { fault: row };
  say(`[${row}] ${part === '' ? fault : part}: ${figure}`);
  const kept = figure.length > LONGEST ? `${figure.slice(0, LONGEST)} … (${figure.length} characters)` : figure;
  const known = lastRun(row);
  const machine = `${cpus().length} cores, Node ${process.versions.node}`;
  const latest: Figure = { figure: kept, date: new Date().toISOString().slice(0, 10), machine };
  const next = { ...known, [part]: { ...known[part], [form()]: latest } };
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(fileOf(row), `${JSON.stringify(next, null, 2)}\n`);
}

/** What the last runs of a row found; empty where none has. */
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
