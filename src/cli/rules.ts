/** `muster rules`: the catalogue. */
import type { Command } from 'commander';
import { formatted, listed } from './environment.ts';
import { FORMATS } from './output/formats.ts';

const EXAMPLES = `
Examples:
  muster rules
  muster rules -o json | jq -r '.[] | select(.level == "MUST") | .id'`;

/** Adds the command to the program. */
export function registerRules(program: Command): void {
  program
    .command('rules')
    .summary('list the rules')
    .description('Lists every rule, in catalogue order. More of one: muster explain ID.')
    .addOption(
      formatted(listed('-o, --output <format>', 'text or json, to a file with FORMAT=FILE (default: text)'), FORMATS),
    )
    .addHelpText('after', EXAMPLES)
    .action(listRules);
}

async function listRules({ output }: { readonly output?: readonly string[] }): Promise<void> {
  const [{ rules }, { factsOf }, { rulesTable }, { emit, parseOutputs }] = await Promise.all([
    import('../rules/index.ts'),
    import('./output/rule-facts.ts'),
    import('./output/rule-text.ts'),
    import('./output/destination.ts'),
  ]);
  const all = rules.map(factsOf);
  emit(parseOutputs(output), { text: (paint) => rulesTable(all, paint), json: () => all });
}
