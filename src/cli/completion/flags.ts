/** The flags of `muster completion SHELL`. */
import { Argument, type Command } from 'commander';
import type { Shell } from './scripts.ts';

const EXAMPLES = `
Examples:
  eval "$(muster completion bash)"                                  # in ~/.bashrc
  muster completion zsh > "\${fpath[1]}/_muster"                     # then start a new zsh
  muster completion fish > ~/.config/fish/completions/muster.fish

Exit codes: 0 done, 2 bad usage.`;

/** Adds `completion` to the program, all of whose commands it completes. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print completion for a shell')
    .description('Prints a script that makes a shell complete commands, flags and their values.')
    .addArgument(new Argument('<shell>', 'which').choices(['bash', 'zsh', 'fish']))
    .argument('[words...]', 'after --: the words of a line, as the script passes them to learn what can follow')
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell, words: readonly string[]) => {
      const { answer } = await import('./scripts.ts');
      process.stdout.write(answer(shell, words, program));
    });
}
