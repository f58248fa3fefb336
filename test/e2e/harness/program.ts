/** A program run to its end: kubectl as a user of the test runs it, and muster's own commands. */
import { spawn } from 'node:child_process';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What goes to its standard input: text, or objects, which become documents. */
export type Input = string | object | readonly object[];

/** Runs it and waits; a failure is an outcome like any other. */
export function runProgram(
  program: string,
  args: readonly string[],
  input: Input | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {}); // it may not read at all
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? -1, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(documentsOf(input));
  });
}

function documentsOf(input: Input | undefined): string {
  if (input === undefined) return '';
  if (typeof input === 'string') return input;
  return [input]
    .flat()
    .map((object) => JSON.stringify(object))
    .join('\n---\n');
}
