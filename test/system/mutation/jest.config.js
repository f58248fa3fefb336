/** The parts of mutation testing: what is mutated, and the tests that mutants must fall to. */
import { globSync } from 'node:fs';
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
    mutate: 'src/rules/{principal,ownership,scan-variant}.ts',
    tests: '<rootDir>/test/unit/rules/{principal,ownership,scan-variant}.test.ts',
  },
  base: { mutate: 'src/base/*.ts', tests: '<rootDir>/test/unit/base/*.test.ts' },
  engine: {
    mutate: 'src/engine/**/*.ts',
    tests: '<rootDir>/test/unit/engine/**/*.test.ts',
    // The rules whose schemas show what engine/shapes.ts makes of an error.
    more: ['claim/value', 'feature/shape', 'inventory/conditions'].map(
      (rule) => `<rootDir>/test/unit/rules/${rule}.test.ts`,
    ),
  },
};

/**
 * The part of that name. `PART/FILE`, such as `inventory/unique-name`, is one file of a part, which takes minutes in
 * place of an hour: its mutants must fall to its own test file alone, where it has one.
 * @throws Error for an unknown part or file: it would otherwise mutate nothing, and pass
 */
export function partOf(name) {
  const [folder, file] = (name ?? '').split('/');
  const part = PARTS[folder];
  if (!part) throw new Error(`PART=${name}: set it to one of ${Object.keys(PARTS).join(', ')}`);
  if (file === undefined) return part;
  const mutate = part.mutate.replace(/[^/]*\.ts$/, `${file}.ts`);
  if (globSync(mutate).length === 0) throw new Error(`PART=${name}: there is no ${mutate}`);
  const tests = part.tests.replace(/[^/]*\.test\.ts$/, `${file}.test.ts`);
  return globSync(tests.replace('<rootDir>/', '')).length > 0 ? { mutate, tests } : { ...part, mutate };
}

const { tests, more = [] } = partOf(process.env.PART);

export default project('mutation', ['unit'], {
  rootDir: '../../..',
  testMatch: [tests, ...more],
  // Property tests explore too much to run for each mutant, and tests of cost read texts of a million characters.
  testPathIgnorePatterns: ['\\.(property|cost)\\.test\\.ts$'],
});
