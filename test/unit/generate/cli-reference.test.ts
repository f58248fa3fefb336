/** The reference of the command line needs a description, an example and the exit codes of everything in it. */
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { cliReference } from '../../../tools/generate/cli-reference.ts';

function programWith(...commands: readonly Command[]): Command {
  const program = new Command('muster').description('a program').addHelpText('after', '\nExample:\n  muster');
  for (const command of commands) program.addCommand(command);
  return program;
}

const complete = () => new Command('say').summary('say it').description('Says it.');
const HELP = '\nExample:\n  muster say a\n\nExit codes: 0 said.\n\nSilence is not an option.';

test('a command has its usage, examples, arguments, flags with choices and defaults, and notes', () => {
  const command = complete()
    .argument('<word>', 'what to say')
    .option('--times <count>', 'how often', '1')
    .option('--in <a|b>', 'the language (default: that of the user)')
    .addHelpText('after', HELP);
  const { text } = cliReference(programWith(command));
  const section = text.slice(text.indexOf('## muster say'));
  expect(section).toBe(`## muster say

Says it.

Usage: \`muster say [options] <word>\`

\`\`\`sh
muster say a
\`\`\`

| argument | meaning |
|---|---|
| \`word\` | what to say (required) |

| flag | meaning | default | variable |
|---|---|---|---|
| \`--times <count>\` | how often | \`1\` |  |
| \`--in <a\\|b>\` | the language | that of the user |  |
| \`-h, --help\` | print the help | | |

Exit codes: 0 said.

Silence is not an option.
`);
});

test('what has no description, example or exit codes is named', () => {
  const bare = new Command('say').argument('<word>').option('--loud');
  expect(() =>
    cliReference(programWith(bare, complete().name('shout').option('--very', '').addHelpText('after', HELP))),
  ).toThrow(
    'the command line lacks what its reference shows: ' +
      'muster say: a description of --loud; muster say: a description of word; muster say: a description; ' +
      'muster say: examples; muster say: exit codes; muster shout: a description of --very',
  );
});
