/**
 * docs/dependencies.md against what the build puts into the bundle, in both directions; and which packages it may hold.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
// @ts-expect-error A tool in plain JavaScript, without types.
import * as tool from '../../tools/dependencies.js';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly { expression?: string; license?: { id: string } }[];
  readonly hashes: readonly { content: string }[];
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('the package has no dependencies, and what it bundles has one exact version', () => {
  const { dependencies, devDependencies } = read('package.json');
  expect(dependencies).toBeUndefined();
  for (const name of Object.keys(tool.REASONS)) expect(devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

test('the tables name what is in the bundle; if not, run npm run dependencies and read what changed', async () => {
  expect(await tool.dependenciesDocument()).toBe(readFileSync(tool.DOCUMENT, 'utf8'));
});

test('an import without a reason is refused, and a reason without an import', () => {
  expect(() => tool.checkReasons(['a', 'b'], { a: 'why' })).toThrow('has no reason for b: add why it is needed');
  expect(() => tool.checkReasons(['a'], { a: 'why', b: 'why' })).toThrow('has a reason for b, which is not imported');
  expect(() => tool.checkReasons(['constructor'], {})).toThrow('has no reason for constructor');
});

test.each([
  ['MIT', true],
  ['(BSD-3-Clause OR GPL-2.0)', true],
  ['(MIT AND GPL-2.0)', false],
  ['(MIT AND ISC)', true],
  ['GPL-3.0', false],
  ['unknown', false],
  ['', false],
])('the license %j: permissive is %s', (license, expected) => {
  expect(tool.isPermissive(license)).toBe(expected);
});

describe('the bill of materials', () => {
  let components: readonly Component[];
  beforeAll(() => {
    components = JSON.parse(
      execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', stdio: 'pipe' }),
    ).components;
  });

  test('names every package of the tables with its hash', () => {
    const document = readFileSync(tool.DOCUMENT, 'utf8');
    expect(components.length).toBeGreaterThan(40);
    for (const { name, version, hashes } of components) {
      expect(document.replaceAll('` | ', ' ')).toContain(`${name} ${version}`);
      expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
  });

  test('names licenses alone that ask for no more than a notice', () => {
    const licenseOf = ({ licenses: [first] }: Component) => first?.expression ?? first?.license?.id ?? '';
    expect(components.filter((component) => !tool.isPermissive(licenseOf(component)))).toEqual([]);
  });

  test('names nothing that runs a script when it is installed', () => {
    const { packages } = read('package-lock.json');
    const scripts = Object.entries<{ hasInstallScript?: boolean }>(packages).filter(
      ([, each]) => each.hasInstallScript,
    );
    const names = scripts.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(components.filter(({ name }) => names.includes(name))).toEqual([]);
  });
});
