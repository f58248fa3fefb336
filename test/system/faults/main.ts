/**
 * `npm run test:faults`: the fault matrix, then the pages in docs. Rows that measure a server under a load of their own
 * run alone, after the others: a neighbor's load would change their figures. With arguments, only those files, as Jest
 * takes them.
 */
import { spawnSync } from 'node:child_process';
import { writePages } from './reliability.ts';

const ALONE = ['flood', 'killed', 'frozen', 'rolling-restart'].map((row) => `test/system/faults/${row}.fault.ts`);
const given = process.argv.slice(2);
const runs =
  given.length > 0
    ? [['--maxWorkers=2', ...given]]
    : [
        // Half of these rows wait most of their time.
        ['--maxWorkers', '4', '--testPathIgnorePatterns', ...ALONE],
        ['--runInBand', ...ALONE],
      ];
const codes = runs.map((args) => {
  const command = ['run', '-s', 'test:jest', '--', '--selectProjects', 'faults', ...args];
  return spawnSync('npm', command, { stdio: 'inherit' }).status ?? 1;
});
writePages();
process.exitCode = Math.max(...codes);
