/** The flags of a program of the tests: a benchmark, the model. */
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
