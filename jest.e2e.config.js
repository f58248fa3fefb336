/** The end-to-end tests, against a real API server: `npm run test:e2e`. */
import base from './jest.config.js';

export default {
  ...base,
  roots: ['<rootDir>/test/e2e'],
  testMatch: ['**/*.e2e.ts'],
  globalSetup: '<rootDir>/test/e2e/harness/assets.ts',
  // Each file has a control plane of its own, of some 400 MB.
  maxWorkers: 2,
  testTimeout: 120_000,
};
