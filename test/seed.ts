/** Property tests walk the same way on every run, so that a red run can be run again. `SEED=7 npm test` walks another. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_121) });
