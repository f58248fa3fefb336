/** `muster explain ID`: one rule in prose, with the norm it stands on. */
import type { Command } from 'commander';
import { formatted, listed } from './environment.ts';
import { FORMATS } from './output/formats.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = `
Examples:
  muster explain claim/id-syntax
  muster explain feature/transition -o json`;

/** Adds the command to the program. */
export function registerExplain(program: Command): void {
  program
    .command('explain')
    .summary('explain one rule')
    .description('Explains one rule: the norm, its source, what happens by default, an example each way.')
    .argument('<id>', 'the rule, as muster rules lists it')
    .addOption(
      formatted(listed('-o, --output <format>', 'text or json, to a file with FORMAT=FILE (default: text)'), FORMATS),
    )
    .addHelpText('after', EXAMPLES)
    .action(explain);
}

async function explain(id: string, { output }: { readonly output?: readonly string[] }): Promise<void> {
  const [{ rules, ruleIds }, { didYouMean }] = await Promise.all([
    import('../rules/index.ts'),
    import('../config/suggest.ts'),
  ]);
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    throw new UsageError(`there is no rule "${id}"${didYouMean(id, ruleIds) || '; muster rules lists them'}`);
  }
  const [{ factsOf }, { ruleProse }, { examples }, { emit, parseOutputs }] = await Promise.all([
    import('./output/rule-facts.ts'),
    import('./output/rule-text.ts'),
    import('../rules/examples.generated.ts'),
    import('./output/destination.ts'),
  ]);
  const facts = factsOf(rule);
  const example = examples[id];
  emit(parseOutputs(output), {
    text: (paint) => ruleProse(facts, example, paint),
    json: () => ({ ...facts, examples: example }),
  });
}
