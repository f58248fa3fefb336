/** The flags of `muster rules` and `muster explain`. */
import type { Command } from 'commander';
import { outputFlag } from '../flags.ts';
import { FORMATS } from '../output/formats.ts';

const RULES_EXAMPLES = `
Examples:
  muster rules
  muster rules -o json | jq -r '.[] | select(.level == "MUST") | .id'`;

const EXPLAIN_EXAMPLES = `
Examples:
  muster explain claim/id-syntax
  muster explain feature/transition -o json`;

interface Flags {
  readonly output?: readonly string[];
}

/** Adds `rules` to the program. */
export function registerRules(program: Command): void {
  program
    .command('rules')
    .summary('list the rules')
    .description('Lists all rules, in the order of the catalogue. More on one rule: muster explain ID.')
    .addOption(outputFlag(FORMATS))
    .addHelpText('after', RULES_EXAMPLES)
    .action(async ({ output }: Flags) => (await import('./run.ts')).listRules(output));
}

/** Adds `explain` to the program. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .summary('explain one rule')
    .description('Explains one rule: the norm, its source, the default action, an allowed and a denied example.')
    .argument('<id>', 'the rule, as muster rules lists it')
    .addOption(outputFlag(FORMATS))
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(async (id: string, { output }: Flags) => (await import('./run.ts')).explainRule(id, output));
}
