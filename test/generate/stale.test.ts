import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { differences } from '../../src/generate/artifact.ts';
import { collect } from '../../src/generate/main.ts';
import { rules } from '../../src/rules/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('what is generated is what schemas, rules and fixtures say; if not, run `npm run generate` and commit', () => {
  expect(differences(root, collect(root, rules))).toEqual([]);
});
