/**
 * The tests that mutants of the rules must fall to: tables, fixtures and unit tests. The catalogue test reads the sources, which
 * Stryker rewrites; the model check and the machine's property test explore too much to run for each mutant.
 */
import base from './jest.config.js';

export default {
  ...base,
  roots: ['<rootDir>/test/rules'],
  testPathIgnorePatterns: ['catalogue\\.test\\.ts$', 'machine\\.property\\.test\\.ts$'],
};
