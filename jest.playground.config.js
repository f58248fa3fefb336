import config from './jest.config.js';

/** The built site in a real Chromium: `npm run docs:build && npm run test:playground`. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/playground/*.browser.ts'],
  testTimeout: 60_000,
  maxWorkers: 1,
};
