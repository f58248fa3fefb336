/** `muster doctor`: a live registration held against what it should be. */
import type { Command } from 'commander';

/** Adds `doctor` to the program. */
export function registerDoctor(program: Command): void {
  program.command('doctor').summary('compares a live registration with what it should be');
}
