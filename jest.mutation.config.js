/** The tests that mutants must fall to: those of the rules and the engine. The model check explores too much to run for each. */
import base from './jest.config.js';

export default { ...base, roots: ['<rootDir>/test/rules', '<rootDir>/test/engine'] };
