/** The `muster` program: which commands there are, and what a wrong call leads to. */
import { type Command, CommanderError } from 'commander';
import { Program } from './environment.ts';
import { tellFailure } from './failure.ts';
import { version } from './version.ts';

/** In the order of the help. A command that was named is loaded alone, which keeps `check` of one file quick. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve.ts')).registerServe,
  check: async () => (await import('./check.ts')).registerCheck,
  scan: async () => (await import('./scan/flags.ts')).registerScan,
  test: async () => (await import('./test/flags.ts')).registerTest,
  rules: async () => (await import('./rules.ts')).registerRules,
  explain: async () => (await import('./explain.ts')).registerExplain,
  manifests: async () => (await import('./manifests.ts')).registerManifests,
  certs: async () => (await import('./certs.ts')).registerCerts,
  doctor: async () => (await import('./doctor.ts')).registerDoctor,
  completion: async () => (await import('./completion.ts')).registerCompletion,
};

const EXAMPLES = `
Examples:
  muster serve
  muster check manifests/
  muster explain claim/id-syntax

Every flag can be an environment variable: --ops-port is MUSTER_OPS_PORT. A flag beats its variable.`;

/** Runs the program. `args` are those after the script's name. Sets the process's exit code; 2 for any wrong call. */
export async function runProgram(args: readonly string[]): Promise<void> {
  endQuietlyOnBrokenPipe();
  try {
    const named = args[0] ?? '';
    const program = await programOf(Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS));
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else tellFailure(error);
  }
}

/** The program with these of its commands; default: all. */
export async function programOf(names: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Program('muster')
    .description('Admission webhook server and manifest checker for multi-cluster Kubernetes.')
    .version(version())
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) });
  for (const name of names) (await COMMANDS[name]?.())?.(program);
  return program;
}

/**
 * `muster check … | head`: the reader has seen enough. One who leaves standard error alone still wants the rest. Anything
 * else, such as a full disk, leaves a report that is not whole.
 */
function endQuietlyOnBrokenPipe(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`error: can't write to standard output: ${error.code ?? error.message}\n`);
    process.exit(2);
  });
}
