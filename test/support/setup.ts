/**
 * Before each test file: the time limit of its project, and the seed of property tests, which use the same inputs in
 * every run, so that a failure can be reproduced. `SEED=7 npm test` uses others.
 */
import { jest } from '@jest/globals';
import fc from 'fast-check';

jest.setTimeout(Number(Reflect.get(globalThis, 'testTimeoutMs')));
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121) });
