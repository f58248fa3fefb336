/** How a command that could not go on says so. */
import { plain } from '../engine/text.ts';
import { UsageError } from './usage-error.ts';

/** What the user can mend is one line a problem; anything else is our bug, and needs its stack. Exit code 2. */
export function tellFailure(error: unknown): void {
  process.exitCode = 2;
  if (error instanceof UsageError) process.stderr.write(`error: ${plain(error.message)}\n`);
  else if (isConfigError(error)) for (const problem of error.problems) process.stderr.write(`error: ${problem}\n`);
  else process.stderr.write(`error: a bug in muster: ${error instanceof Error ? (error.stack ?? error) : error}\n`);
}

/** Told by its shape: to import its class would load the configuration's schema with every command. */
function isConfigError(error: unknown): error is Error & { readonly problems: readonly string[] } {
  return error instanceof Error && error.name === 'ConfigError' && 'problems' in error;
}
