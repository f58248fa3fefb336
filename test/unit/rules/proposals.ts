/** The proposals that rules and docs/norm.md quote: beside the checkout, where they are at all. */
import { existsSync } from 'node:fs';
import { describe, test } from '@jest/globals';

/** Their folder. Without one, whatever reads from it is skipped. */
export const PROPOSALS = ['../shared/proposals', '../../shared/proposals'].find((folder) => existsSync(folder));

/** Runs tests that read the proposals; where there are none it skips them, and says so once for each test file. */
export const withProposals =
  PROPOSALS === undefined ? { describe: describe.skip, test: test.skip } : { describe, test };

// Not by the console: Jest holds back what passing tests print.
if (PROPOSALS === undefined)
  process.stderr.write(
    '  tests of quotations are skipped: there is no folder ../shared/proposals beside the checkout\n',
  );
