/**
 * `npm run test:faults`: two rows at a time, then those alone that ask what a server has left under a load of their own, which
 * a neighbour's would spoil. With arguments: only these files, as Jest takes them. In the short form, which runs wherever a change
 * is tried, a row that fails is looked at again: most figures have a time in them.
 */
import { runJest } from '../looks.ts';
import { form } from './figure.ts';

const ALONE = 'test/faults/flood.fault.ts';

const given = process.argv.slice(2);
const runs = given.length > 0 ? [given] : [['--testPathIgnorePatterns', ALONE], [ALONE]];
process.exitCode = Math.max(...runs.map((args) => runJest('jest.faults.config.js', args, form() === 'short')));
