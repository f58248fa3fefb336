/** docs/dependencies.md against what is installed with muster, in both directions; and what may be installed at all. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { importsIn } from '../src/generate/reach.ts';
// @ts-expect-error A tool in plain JavaScript, without types.
import * as tool from '../tools/dependencies.js';

interface Installed {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly scripts: readonly string[];
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const direct: Readonly<Record<string, string>> = read('package.json').dependencies;
const installed: readonly Installed[] = tool.productionPackages();
const document = readFileSync(tool.DOCUMENT, 'utf8');

describe('direct dependencies', () => {
  test('each has its row, with a reason, and no row is of one that is gone', () => {
    const rows = [...document.matchAll(/^\| `([^`]+)` \| (\S+) \| ([^|]+) \|/gm)];
    expect(rows.map(([, name, version]) => [name, version])).toEqual(Object.entries(direct));
    for (const [, name, , why = ''] of rows) expect([name, why.length > 20]).toEqual([name, true]);
  });

  test('one without a reason is refused, and a reason without one', () => {
    expect(() => tool.checkReasons(['a', 'b'], { a: 'why' })).toThrow('has no reason for b: add why it is needed');
    expect(() => tool.checkReasons(['a'], { a: 'why', b: 'why' })).toThrow('has a reason for b, which is gone');
    expect(() => tool.checkReasons(['constructor'], {})).toThrow('has no reason for constructor');
  });

  test('are of one exact version', () => {
    for (const version of Object.values(direct)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('are what the sources import, and nothing else is', () => {
    const modules = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.ts$/.test(name) && !/\.d\.ts$|^generate\//.test(name),
    );
    const imported = modules.flatMap((name) => importsIn(readFileSync(`src/${name}`, 'utf8')));
    const packages = imported.filter((specifier) => /^@?\w/.test(specifier) && !specifier.startsWith('node:'));
    const names = packages.map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    );
    expect([...new Set(names)].sort()).toEqual(Object.keys(direct).sort());
  });
});

describe('all that is installed', () => {
  test('is what the tables say; if not, run npm run dependencies and read what changed', () => {
    expect(tool.dependenciesDocument()).toBe(document);
  });

  test('has a licence that asks for no more than its notice', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(({ licence }) => !tool.isPermissive(licence))).toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(BSD-3-Clause OR GPL-2.0)', true],
    ['(MIT AND GPL-2.0)', false],
    ['(MIT AND ISC)', true],
    ['GPL-3.0', false],
    ['unknown', false],
    ['', false],
  ])('the licence %j: permissive is %s', (licence, expected) => {
    expect(tool.isPermissive(licence)).toBe(expected);
  });

  test('runs nothing when it is installed', () => {
    expect(installed.filter(({ scripts }) => scripts.length > 0)).toEqual([]);
    const { packages } = read('package-lock.json');
    expect(installed.filter(({ path }) => packages[path].hasInstallScript)).toEqual([]);
  });

  test('is held by its hash', () => {
    const { packages } = read('package-lock.json');
    expect(installed.filter(({ path }) => !/^sha512-/.test(packages[path].integrity))).toEqual([]);
  });
});

test('the bill of materials has each of them, with licence and hash, and nothing of development', () => {
  const bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', stdio: 'pipe' }));
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'muster', type: 'application' } },
  });
  const components: { name: string; version: string; licenses?: unknown[]; hashes?: unknown[] }[] = bill.components;
  const named = (packages: readonly { name: string; version: string }[]) => [
    ...new Set(packages.map(({ name, version }) => `${name}@${version}`)),
  ];
  expect(named(components).sort()).toEqual(named(installed).sort());
  expect(components.filter(({ licenses, hashes }) => !licenses?.length || !hashes?.length)).toEqual([]);
});
