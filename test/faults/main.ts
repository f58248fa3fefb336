/**
 * `npm run test:faults`: two rows at a time, then those alone that ask what a server has left under a load of their own, which
 * a neighbour's would spoil. With arguments: only these files, as Jest takes them.
 */
import { spawnSync } from 'node:child_process';

const ALONE = 'test/faults/flood.fault.ts';

const given = process.argv.slice(2);
const runs = given.length > 0 ? [given] : [['--testPathIgnorePatterns', ALONE], [ALONE]];
const codes = runs.map(
  (args) =>
    spawnSync('npm', ['run', '-s', 'test:jest', '--', '--config', 'jest.faults.config.js', ...args], {
      stdio: 'inherit',
    }).status ?? 1,
);
process.exitCode = Math.max(...codes);
