/** The flags of a benchmark, and the command that it measures. */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Ends the run with exit code 2 and one line where one is unknown, or `problem` finds something in them that can't be
 * meant.
 */
export function flagsOf<const T extends ParseArgsOptionsConfig>(
  options: T,
  problem: (values: Flags<T>) => string | undefined = () => undefined,
): Flags<T> {
  try {
    const { values } = parseArgs({ options });
    const found = problem(values);
    if (found === undefined) return values;
    throw new Error(found);
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
    return process.exit(2);
  }
}

export type Flags<T extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

/** Says so where one of these flags is no count from 1. */
export function countProblem(counts: Readonly<Record<string, string>>): string | undefined {
  const wrong = Object.entries(counts).find(([, text]) => !/^[1-9]\d{0,8}$/.test(text));
  return wrong && `--${wrong[0]} takes a whole number from 1, not "${wrong[1]}"`;
}

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Builds the command from the sources, as it is published, into a folder; returns the path of the program. */
export function buildCommand(folder: string): string {
  copyFileSync(join(CHECKOUT, 'package.json'), join(folder, 'package.json'));
  execFileSync(process.execPath, [join(CHECKOUT, 'tools/generate/bundle.ts'), join(folder, 'dist')]);
  return join(folder, 'dist/cli/main.js');
}
