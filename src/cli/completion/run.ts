/** Runs `muster completion`: builds the script of a shell from the program's own commands and flags. */
import type { Command } from 'commander';
import { ruleIds } from '../../rules/index.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type Completable, completableOf } from './model.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<'bash' | 'zsh' | 'fish', (program: Completable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Returns the script. A new command or flag is completed without a change here. */
export function completionFor(shell: keyof typeof SCRIPTS, program: Command): string {
  return SCRIPTS[shell](completableOf(program, [...ruleIds]));
}
