#!/usr/bin/env node
// Before the version of Node is checked, nothing here may need a newer one: no static imports, no newer syntax.
// No `await` outside of a function: the single-file binary is CommonJS.
const [major, minor] = process.versions.node.split('.').map(Number);
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19)) {
  process.stderr.write(`error: muster needs Node 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}

handleClosedOutput();
void run();

/** Runs the program. Without the listener, Node would exit with 0 if a command never settled. */
async function run(): Promise<void> {
  const unfinished = () => {
    process.stderr.write('error: the command ended without a result; this is a bug\n');
    process.exitCode = 2;
  };
  process.once('beforeExit', unfinished);
  const { runProgram } = await import('./program.ts');
  await runProgram(process.argv.slice(2));
  process.off('beforeExit', unfinished);
}

/**
 * Ends the process quietly if the reader of standard output is gone, as in `muster check … | head`, and with exit code
 * 2 if a report can't be written completely, as on a full disk. A closed standard error changes nothing.
 */
function handleClosedOutput(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`error: can't write to standard output: ${error.message}\n`);
    process.exit(2);
  });
}

export {};
