/** docs/testing.md and the example repository: every key is told, and what is shown is run. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { caseSchema, defaultsSchema, expectSchema, suiteSchema } from '../../../src/cli/test/schema.ts';
import { SUFFIXES } from '../../../src/cli/test/suite.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { type Folder, newFolder } from '../world.ts';
import { runAt } from './world.ts';

const EXAMPLE = 'examples/policy-repository';
const text = readFileSync('docs/testing.md', 'utf8');

let folder: Folder;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => folder.remove());

/** The first column of the table under a heading. */
function rowsUnder(heading: string): string[] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => String(key));
}

describe('docs/testing.md', () => {
  test.each([
    ['A suite', suiteSchema.properties],
    ['A test', caseSchema.properties],
    ['What is expected', expectSchema.properties],
  ])('%s: each key of the schema is in the table, and no other', (heading, properties) => {
    expect(rowsUnder(heading).sort()).toEqual(Object.keys(properties).sort());
  });

  test('what defaults may hold', () => {
    const own = ['name', 'change', 'expect'];
    expect(Object.keys(caseSchema.properties).filter((key) => !own.includes(key))).toEqual(
      Object.keys(defaultsSchema.properties),
    );
  });

  test('each key is described in the schema, for editors', () => {
    const bare = (node: object, path: string): string[] =>
      Object.entries(('properties' in node ? node.properties : {}) as Record<string, object>).flatMap(
        ([key, member]) => [...('description' in member ? [] : [`${path}.${key}`]), ...bare(member, `${path}.${key}`)],
      );
    expect([suiteSchema, caseSchema, expectSchema].flatMap((schema) => bare(schema, ''))).toEqual([]);
  });

  test('the suite that it shows passes, and notices when the configuration loses its point', async () => {
    const suite = /```yaml\n(apiVersion: muster\/v1alpha1\nkind: MusterTest\n.*?)```/s.exec(text)?.[1] ?? '';
    const { report } = await runAt(folder.put('shown.muster-test.yaml', suite));
    expect(report).toMatchObject({ summary: { tests: 4, passed: 4, errors: 0 } });
    const changed = suite.replace(/config:\n.*\n.*\n/, '');
    expect(changed).not.toBe(suite);
    const { report: noticed } = await runAt(folder.put('changed.muster-test.yaml', changed));
    expect(noticed.results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)).toEqual([
      'nobody else joins',
    ]);
  });
});

describe(EXAMPLE, () => {
  const suites = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(SUFFIXES[0] ?? ''),
  );

  test('all of its suites pass', async () => {
    const { report, warnings } = await runAt(EXAMPLE);
    expect([report.errors, warnings]).toEqual([[], []]);
    expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(report.summary.suites).toBe(suites.length);
    expect(report.summary.tests).toBeGreaterThanOrEqual(20);
  });

  test('each setting of its configuration is pinned: without it some test fails', async () => {
    const copy = join(folder.path, 'copy');
    cpSync(EXAMPLE, copy, { recursive: true });
    const lines = readFileSync(`${EXAMPLE}/muster.yaml`, 'utf8').split('\n');
    for (const setting of [
      /clusterset-requires-id/,
      /qualified-name/,
      /sole-manager/,
      /allowedReservedNames/,
      /fleet-admins/,
    ]) {
      const changed = lines.filter((line) => !setting.test(line));
      expect(changed).toHaveLength(lines.length - 1);
      writeFileSync(join(copy, 'muster.yaml'), changed.join('\n'));
      const { report } = await runAt(copy);
      expect([setting, report.summary.errors, report.summary.failed > 0]).toEqual([setting, 0, true]);
    }
    for (const section of [/^ {2}membershipManagers:\n.*\n/m, /^exceptions:\n(?: .*\n)+/m]) {
      const changed = lines.join('\n').replace(section, '');
      expect(changed.length).toBeLessThan(lines.join('\n').length);
      writeFileSync(join(copy, 'muster.yaml'), changed);
      const { report } = await runAt(copy);
      expect([section, report.summary.errors, report.summary.failed > 0]).toEqual([section, 0, true]);
    }
  });

  test('its schema is the one that --schema prints (if it is not: print it again), and its suites are valid', () => {
    const schema = JSON.parse(readFileSync(`${EXAMPLE}/muster-test.schema.json`, 'utf8'));
    expect(schema).toEqual(JSON.parse(JSON.stringify(suiteSchema)));
    const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(schema);
    for (const name of suites) {
      const { documents } = readDocuments(readFileSync(`${EXAMPLE}/${name}`, 'utf8'), name);
      validate(documents[0]?.value);
      expect([name, validate.errors]).toEqual([name, null]);
    }
  });
});
