/** The fault matrix: `npm run test:faults`. `FAULTS=short` is what continuous integration runs. */
import e2e from './jest.e2e.config.js';

export default {
  ...e2e,
  roots: ['<rootDir>/test/faults'],
  testMatch: ['**/*.fault.ts'],
  // Some rows wait for minutes; each test sets its own limit where this is too short.
  testTimeout: 300_000,
};
