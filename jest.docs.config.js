/** The tests of the documentation and of the built site: `npm run docs:build && npm run test:docs`. */
import base from './jest.config.js';

export default {
  ...base,
  roots: ['<rootDir>/test/docs'],
  testMatch: ['**/*.docs.ts'],
  // The commands of a page are one test.
  testTimeout: 120_000,
};
