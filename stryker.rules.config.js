/** Mutation testing of the rules; the run fails below 90 %. `npm run test:mutation` runs this and the engine's. */
export const shared = {
  packageManager: 'npm',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  // Stryker would rewrite a tsconfig with TypeScript's old programming interface, which TypeScript 7 has not; none is needed.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // What runs once, when a module loads, is data: the catalogue test and the generated reference hold it fast.
  ignoreStatic: true,
  ignorePatterns: ['dist', 'docs', 'manifests', 'certs', '.ci', 'reports', 'test/documents', 'test/yaml-oracle'],
  concurrency: 2,
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  tempDirName: '.stryker-tmp',
};

export default {
  ...shared,
  jest: { configFile: 'jest.mutation.rules.config.js', enableFindRelatedTests: false },
  mutate: ['src/rules/**/*.ts', '!src/**/*.generated.ts'],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'reports/mutation/rules.json' },
};
