/** The parts of mutation testing: what is mutated, and the tests that mutants must fall to. */
import { project } from '../../../jest.config.js';

const PARTS = {
  claim: { mutate: 'src/rules/claim/**/*.ts', tests: '<rootDir>/test/unit/rules/claim/**/*.test.ts' },
  inventory: { mutate: 'src/rules/inventory/**/*.ts', tests: '<rootDir>/test/unit/rules/inventory/**/*.test.ts' },
  feature: { mutate: 'src/rules/feature/**/*.ts', tests: '<rootDir>/test/unit/rules/feature/**/*.test.ts' },
  placement: { mutate: 'src/rules/placement/**/*.ts', tests: '<rootDir>/test/unit/rules/placement/**/*.test.ts' },
  service: {
    mutate: 'src/rules/{export,import,service}/**/*.ts',
    tests: '<rootDir>/test/unit/rules/{export,import,service}/**/*.test.ts',
  },
  reading: {
    mutate: 'src/rules/*.ts',
    tests: '<rootDir>/test/unit/rules/{principal,ownership,scan-variant}.test.ts',
  },
  base: { mutate: 'src/base/*.ts', tests: '<rootDir>/test/unit/base/*.test.ts' },
  engine: { mutate: 'src/engine/**/*.ts', tests: '<rootDir>/test/unit/engine/**/*.test.ts' },
};

/** The part of that name; an unknown one is a mistake worth telling. */
export function partOf(name) {
  const part = PARTS[name];
  if (!part) throw new Error(`PART=${name}: set it to one of ${Object.keys(PARTS).join(', ')}`);
  return part;
}

export default project('mutation', ['unit'], {
  rootDir: '../../..',
  testMatch: [partOf(process.env.PART).tests],
  // Property tests explore too much to run for each mutant.
  testPathIgnorePatterns: ['\\.property\\.test\\.ts$'],
});
