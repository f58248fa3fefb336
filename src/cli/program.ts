/** The `muster` program: its commands, and the exit code of a failed call. */
import { type Command, CommanderError } from 'commander';
import { escapeControls } from '../base/text.ts';
import { HOMEPAGE, pageUrl } from '../rules/documentation.ts';
import { Program, variablesIn } from './flags.ts';
import { reportFailure, version } from './shared.ts';

/** The commands, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve/flags.ts')).registerServe,
  check: async () => (await import('./check/flags.ts')).registerCheck,
  scan: async () => (await import('./scan/flags.ts')).registerScan,
  test: async () => (await import('./suites/flags.ts')).registerTest,
  rules: async () => (await import('./rules/flags.ts')).registerRules,
  explain: async () => (await import('./rules/flags.ts')).registerExplain,
  manifests: async () => (await import('./manifests/flags.ts')).registerManifests,
  certs: async () => (await import('./certs/flags.ts')).registerCerts,
  registrar: async () => (await import('./registrar/flags.ts')).registerRegistrar,
  demo: async () => (await import('./demo/flags.ts')).registerDemo,
  doctor: async () => (await import('./doctor/flags.ts')).registerDoctor,
  completion: async () => (await import('./completion/flags.ts')).registerCompletion,
};

const EXAMPLES = `
Examples:
  muster demo
  muster serve
  muster check manifests/
  muster explain claim/id-syntax

Every flag can be an environment variable: --ops-port is MUSTER_OPS_PORT. A flag beats its variable.
Documentation: ${HOMEPAGE}`;

/** Runs the program. `args` are those after the script's name. Sets the process's exit code; 2 for any wrong call. */
export async function runProgram(args: readonly string[]): Promise<void> {
  let program: Command | undefined;
  try {
    const [command = ''] = args;
    // Only the called command is loaded, so that `check` of one file is quick. Help and completion need all of them.
    const isAlone = Object.hasOwn(COMMANDS, command) && command !== 'completion';
    program = await createProgram(isAlone ? [command] : Object.keys(COMMANDS));
    // commander would show the whole help for `help chek`, and not say why.
    const [about = 'help'] = command === 'help' ? args.slice(1) : [];
    const isUnknown = !program.commands.some((one) => [one.name(), 'help'].includes(about));
    await program.parseAsync(command === 'help' && isUnknown ? [about] : args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else reportFailure(error, (message) => variablesIn(message, program?.commands));
  }
}

/** Builds the program with the named commands, by default with all. */
export async function createProgram(names: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Program('muster')
    .description('Admission webhook server and manifest checker for multi-cluster Kubernetes.')
    .version(version())
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${onOneLine(text)}\n`) });
  for (const name of names) (await COMMANDS[name]?.())?.(program);
  for (const command of program.commands) command.addHelpText('after', `\n${referenceOf(command.name())}`);
  return program;
}

/** commander repeats arguments and variables as they are. */
function onOneLine(text: string): string {
  return escapeControls(text.trim().replace(/\s*\n\s*/g, ' '));
}

function referenceOf(command: string): string {
  return `Documentation: ${pageUrl(`reference/cli#muster-${command}`)}`;
}
