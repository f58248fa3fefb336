/** The tests that mutants of the engine must fall to: its own, not those of every rule. */
import base from './jest.config.js';

export default { ...base, roots: ['<rootDir>/test/engine'] };
