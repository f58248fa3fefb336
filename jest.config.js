/**
 * Jest in ESM mode: the tests import the TypeScript sources themselves. One project for each kind of tests;
 * `npm run test:jest -- FILE` runs a file in its own.
 */
const PROJECTS = [
  project('unit', ['unit', 'system'], { testMatch: ['**/*.test.ts'] }),
  project('repository', ['repository'], { testMatch: ['**/*.test.ts'] }),
  // The documentation's commands, and the built site: `npm run docs:build` comes first.
  project('docs', ['system/docs'], { testMatch: ['**/*.docs.ts'] }, 600_000),
  // Against a real API server.
  project('e2e', ['system/e2e'], { testMatch: ['**/*.e2e.ts'], globalSetup: programs() }, 900_000),
  // Some rows wait for minutes.
  project('faults', ['system/faults'], { testMatch: ['**/*.fault.ts'], globalSetup: programs() }, 1_800_000),
  // The built site in a real Chromium.
  project('playground', ['system/playground'], { testMatch: ['**/*.browser.ts'] }, 300_000),
];

export default {
  projects: PROJECTS,
  globalSetup: '<rootDir>/test/support/main.ts',
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // Jest leaves a core idle by default: on two cores that is half of them.
  maxWorkers: '100%',
};

/**
 * Returns the project of the tests in these folders of `test`. Jest has one time limit for all projects, so each sets
 * its own by test/support/setup.ts. A limit ends what hangs, and is far more than a slow machine needs.
 */
export function project(displayName, folders, options, testTimeoutMs = 300_000) {
  return {
    displayName,
    testEnvironment: 'node',
    setupFiles: ['<rootDir>/test/support/setup.ts'],
    globals: { testTimeoutMs },
    roots: folders.map((folder) => `<rootDir>/test/${folder}`),
    extensionsToTreatAsEsm: ['.ts'],
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        {
          jsc: {
            parser: { syntax: 'typescript' },
            target: 'es2023',
            // Of an import of JSON, Node and Jest want `with { type: 'json' }`.
            experimental: { keepImportAttributes: true },
          },
          module: { type: 'es6' },
        },
      ],
    },
    ...options,
  };
}

/** Builds what the end-to-end tests run, before the first of them. */
function programs() {
  return '<rootDir>/test/system/e2e/harness/assets.ts';
}
