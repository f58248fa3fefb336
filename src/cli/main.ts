#!/usr/bin/env node
// Until the version is known to do, nothing here may need a newer Node: no static imports, no newer syntax.
const [major, minor] = process.versions.node.split('.').map(Number);
if (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19)) {
  process.stderr.write(`error: muster needs Node 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}

const { runProgram } = await import('./program.ts');
await runProgram(process.argv.slice(2));

export {};
