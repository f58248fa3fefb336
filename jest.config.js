/** Jest in ESM mode: the tests import the TypeScript sources themselves. */
export default {
  testEnvironment: 'node',
  // Jest leaves a core idle by default: on two cores that is half of them.
  maxWorkers: '100%',
  setupFiles: ['<rootDir>/test/seed.ts'],
  // Some tests start processes; on a busy machine the default of 5 s is a test of the machine.
  testTimeout: 30_000,
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
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
};
