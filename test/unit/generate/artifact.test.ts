import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { differences, filesIn, write } from '../../../src/generate/artifact.ts';
import { collect } from '../../../src/generate/main.ts';
import { rules } from '../../../src/rules/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-generate-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const artifacts = [
  { path: 'docs/rules/a.md', text: 'a\n' },
  { path: 'src/x/b.generated.ts', text: 'b\n' },
];

describe('differences', () => {
  test('names what is missing, stale and extra', () => {
    mkdirSync(join(root, 'docs/rules'), { recursive: true });
    writeFileSync(join(root, 'docs/rules/a.md'), 'old\n');
    writeFileSync(join(root, 'docs/rules/gone.md'), 'of a rule that is no more\n');
    expect(differences(root, artifacts)).toEqual([
      { path: 'docs/rules/a.md', state: 'stale' },
      { path: 'src/x/b.generated.ts', state: 'missing' },
      { path: 'docs/rules/gone.md', state: 'extra' },
    ]);
  });

  test('leaves alone other files beside generated sources', () => {
    write(root, artifacts);
    writeFileSync(join(root, 'src/x/by-hand.ts'), '');
    expect(differences(root, artifacts)).toEqual([]);
  });
});

describe('write', () => {
  test('makes the folders hold exactly the artifacts, and says what it did', () => {
    mkdirSync(join(root, 'manifests/crds'), { recursive: true });
    writeFileSync(join(root, 'manifests/crds/gone.yaml'), '');
    expect(write(root, artifacts).map(({ state }) => state)).toEqual(['missing', 'missing', 'extra']);
    expect(readFileSync(join(root, 'docs/rules/a.md'), 'utf8')).toBe('a\n');
    expect(filesIn(root, 'manifests/crds')).toEqual([]);
    expect(write(root, artifacts)).toEqual([]);
  });
});

const repository = fileURLToPath(new URL('../../..', import.meta.url));

test('what is generated is what schemas, rules and fixtures say; if not, run `npm run generate` and commit', async () => {
  expect(differences(repository, await collect(repository, rules))).toEqual([]);
});
