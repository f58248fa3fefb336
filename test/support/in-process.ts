/** Runs muster in the process of the tests, without the time that a process of its own takes to start. */
import { runProgram } from '../../src/cli/program.ts';
import { type Ended, environmentOf, type ProcessOptions } from './command-line.ts';

type Call = readonly [args: readonly string[], options: Pick<ProcessOptions, 'cwd' | 'env'>];

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command that reads files and prints. The current folder, the variables and the streams are those of the whole
 * process, so calls wait for each other. What ends or keeps a process takes `muster` of command-line.ts.
 */
export function musterHere(...call: Call): Promise<Ended> {
  const ended = last.then(() => run(...call));
  last = ended.catch(() => undefined);
  return ended;
}

async function run(...[args, { cwd, env = {} }]: Call): Promise<Ended> {
  const { exitCode } = process;
  const folder = process.cwd();
  const variables = { ...process.env };
  replaceVariables(environmentOf(env));
  const [out, err] = [process.stdout, process.stderr].map(capture) as [Captured, Captured];
  try {
    process.chdir(cwd);
    process.exitCode = undefined;
    await runProgram(args);
    return { code: Number(process.exitCode ?? 0), out: out.text(), err: err.text() };
  } finally {
    out.end();
    err.end();
    process.chdir(folder);
    replaceVariables(variables);
    process.exitCode = exitCode;
  }
}

interface Captured {
  readonly text: () => string;
  readonly end: () => void;
}

/** Takes what is written to a stream, which counts as no terminal. */
function capture(stream: NodeJS.WriteStream): Captured {
  const { write, isTTY } = stream;
  let text = '';
  Object.assign(stream, {
    isTTY: false,
    write(chunk: string) {
      text += chunk;
      return true;
    },
  });
  return { text: () => text, end: () => void Object.assign(stream, { write, isTTY }) };
}

function replaceVariables(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
}
