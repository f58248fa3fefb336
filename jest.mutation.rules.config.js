/** The tests that mutants of the rules must fall to. The model check explores too much to run for each. */
import base from './jest.config.js';

export default { ...base, roots: ['<rootDir>/test/rules'] };
