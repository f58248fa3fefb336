/** Jest in ESM mode: the tests import the TypeScript sources themselves. */
export default {
  testEnvironment: 'node',
  // Jest leaves a core idle by default: on two cores that is half of them.
  maxWorkers: '100%',
  setupFiles: ['<rootDir>/test/seed.ts'],
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
};
