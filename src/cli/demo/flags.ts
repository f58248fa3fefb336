/** The flags of `muster demo`. What it shows is in run.ts, which is imported only when it runs. */
import type { Command } from 'commander';
import { colorFlag } from '../flags.ts';

/**
 * Adds `demo` to the program. Exit code 0; 2 if the server can't start here; 128 and the signal's number after a
 * signal.
 */
export function registerDemo(program: Command): void {
  program
    .command('demo')
    .summary('show ten verdicts, without a cluster')
    .description(
      'Starts the server on a free port of this machine, with certificates for this run, sends it ten writes as an ' +
        'API server would, and prints what kubectl would print. Then it stops the server and removes what it made.',
    )
    .addOption(colorFlag())
    .addHelpText(
      'after',
      "\nExample:\n  muster demo\n\nExit codes: 0 done, 2 the server can't start here, 130 after Ctrl+C.",
    )
    .action(async () => {
      const [{ runDemo }, { paintFor }] = await Promise.all([import('./run.ts'), import('../../report/terminal.ts')]);
      const write = (text: string) => process.stdout.write(text);
      await runDemo({ write, paint: paintFor(process.stdout, process.env), width: process.stdout.columns });
    });
}
