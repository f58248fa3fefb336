/** Property tests use the same inputs in every run, so that a failure can be reproduced. `SEED=7 npm test` uses others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121) });
