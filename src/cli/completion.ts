/** `muster completion SHELL`: prints what makes a shell complete muster's commands, flags and values. */
import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const EXAMPLES = `
Examples:
  source <(muster completion bash)                                  # in ~/.bashrc
  muster completion zsh > "\${fpath[1]}/_muster"                     # then start a new zsh
  muster completion fish > ~/.config/fish/completions/muster.fish`;

/** Adds the command to the program. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print completion for a shell')
    .description('Prints a script that makes a shell complete commands, flags and their values.')
    .addArgument(new Argument('<shell>', 'which').choices(SHELLS))
    .addHelpText('after', EXAMPLES)
    .action(async (shell: (typeof SHELLS)[number], _, command: Command) => {
      const { completionFor } = await import('./completion/script.ts');
      command.configureOutput().writeOut?.(await completionFor(shell));
    });
}
