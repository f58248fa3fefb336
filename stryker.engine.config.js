/** Mutation testing of the engine; the run fails below 90 %. */
import { shared } from './stryker.rules.config.js';

export default {
  ...shared,
  jest: { configFile: 'jest.mutation.engine.config.js', enableFindRelatedTests: false },
  mutate: ['src/engine/**/*.ts', '!src/**/*.generated.ts'],
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'reports/mutation/engine.json' },
};
