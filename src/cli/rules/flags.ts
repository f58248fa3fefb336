/** The flags of `muster rules` and `muster explain`. */
import type { Command } from 'commander';
import { SOON_DAYS } from '../../engine/policy.ts';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { colorFlag, numberIn, outputFlag, refuseIdle } from '../flags.ts';

const RULES_EXAMPLES = `
Examples:
  muster rules
  muster rules -o json | jq -r '.[] | select(.level == "MUST") | .id'
  muster rules --exceptions --config muster.yaml --ending-within 30

Exit codes:
  0  done; with --exceptions: all exceptions apply, and none ends soon
  1  with --exceptions: some have ended, end soon or have no effect
  2  bad usage, or a configuration that is refused`;

const EXPLAIN_EXAMPLES = `
Examples:
  muster explain claim/id-syntax
  muster explain feature/transition -o json

Exit codes: 0 done, 2 bad usage, such as a rule that does not exist.`;

interface Flags {
  readonly output?: readonly string[];
}

interface RulesFlags extends Flags {
  readonly exceptions?: boolean;
  readonly config?: string;
  readonly endingWithin: number;
}

/** Adds `rules` to the program. */
export function registerRules(program: Command): void {
  program
    .command('rules')
    .summary('list the rules, or the exceptions of a configuration')
    .description(
      'Lists all rules, in the order of the catalogue. More on one rule: muster explain ID. With --exceptions, ' +
        'lists the exceptions of a configuration instead.',
    )
    .option('--exceptions', 'list the exceptions of the configuration, those that end first at the top')
    .option('--config <file>', 'the MusterConfiguration, for --exceptions')
    .option('--ending-within <days>', 'mark exceptions that end within this time', numberIn(0, 3650), SOON_DAYS)
    .addOption(outputFlag(PLAIN_FORMATS))
    .addOption(colorFlag())
    .addHelpText('after', RULES_EXAMPLES)
    .action(async ({ exceptions, config, endingWithin, output }: RulesFlags, command: Command) => {
      if (exceptions) return (await import('./exceptions.ts')).listExceptions(config, endingWithin, output);
      refuseIdle(command, ['--config', '--ending-within'], 'needs --exceptions');
      return (await import('./run.ts')).listRules(output);
    });
}

/** Adds `explain` to the program. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .summary('explain one rule')
    .description('Explains one rule: the norm, its source, the default action, an allowed and a denied example.')
    .argument('<id>', 'the rule, as muster rules lists it, or the address of its page')
    .addOption(outputFlag(PLAIN_FORMATS))
    .addOption(colorFlag())
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(async (id: string, { output }: Flags) => (await import('./run.ts')).explainRule(id, output));
}
