/**
 * Mutation testing, part by part (`npm run test:mutation`; one part: `PART=claim npm run test:mutation`). A run fails
 * below 90 %.
 * The mutants of a part must fall to its own tests: to load those of all parts for each mutant would take hours.
 */
import { partOf } from './jest.config.js';

const part = partOf(process.env.PART);

export default {
  packageManager: 'npm',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/system/mutation/jest.config.js', enableFindRelatedTests: false },
  // Stryker would rewrite a tsconfig by TypeScript's old programming interface, which TypeScript 7 lacks. None is
  // needed.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // What runs once, when a module loads, is data: the catalogue test and the generated reference hold it fast.
  ignoreStatic: true,
  mutate: [part.mutate, '!src/**/*.generated.ts'],
  ignorePatterns: [
    'dist',
    'docs',
    'manifests',
    'certs',
    '.ci',
    'reports',
    'test/unit/documents',
    'test/support/yaml-oracle',
  ],
  concurrency: 2,
  // Each run of an ES module leaves something behind in the process.
  maxTestRunnerReuse: 40,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: `reports/mutation/${process.env.PART}.json` },
  thresholds: { high: 95, low: 90, break: 90 },
  tempDirName: `.stryker-tmp/${process.env.PART}`,
};
