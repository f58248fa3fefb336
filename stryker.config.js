/** Mutation testing of the rules and the engine: `npm run test:mutation`. The build breaks below 90 %. */
export default {
  packageManager: 'npm',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'jest.mutation.config.js' },
  // Stryker would rewrite a tsconfig with TypeScript's old programming interface, which TypeScript 7 has not; none is needed.
  tsconfigFile: 'none.json',
  coverageAnalysis: 'perTest',
  // What runs once, when a module loads, is data: the catalogue test and the generated reference hold it fast.
  ignoreStatic: true,
  mutate: ['src/rules/**/*.ts', 'src/engine/**/*.ts', '!src/**/*.generated.ts'],
  ignorePatterns: ['dist', 'docs', 'manifests', 'certs', '.ci', 'reports', 'test/documents', 'test/yaml-oracle'],
  concurrency: 2,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
  tempDirName: '.stryker-tmp',
};
