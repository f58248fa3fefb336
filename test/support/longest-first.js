/**
 * Begins with the files that take longest, so that none of them runs alone in the end. Jest knows how long they took
 * before; on a new machine, as in continuous integration, it takes a small file for a quick one, and some of ours are
 * small and take minutes.
 */
import TestSequencer from '@jest/test-sequencer';

const LONGEST = [
  'field.e2e.ts',
  'release.e2e.ts',
  'verbs.e2e.ts',
  'registrar-model.e2e.ts',
  'leave.e2e.ts',
  'differential.e2e.ts',
  'race-model.e2e.ts',
  'policies.e2e.ts',
  'chart.e2e.ts',
  'doctor.e2e.ts',
  'render.e2e.ts',
  'fleet.e2e.ts',
  'registrar.e2e.ts',
  'lifecycle.e2e.ts',
  'races.e2e.ts',
  'installation-guides.e2e.ts',
  'chart-render.e2e.ts',
  'package/clone.test.ts',
  'dependencies.test.ts',
  'integrations/github.test.ts',
  'keep-alive.fault.ts',
  'worst-cases.fault.ts',
  'api-server-gone.fault.ts',
  'soak.fault.ts',
  'abandoned-lock.fault.ts',
];

export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const rankOf = ({ path }) => LONGEST.findIndex((name) => path.endsWith(`/${name}`)) + 1 || LONGEST.length + 1;
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
