/** docs/testing.md and the example repository: the suites in them pass. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { SUFFIXES, suiteSchema } from '../../../../src/cli/suites/suite-schema.ts';
import { readDocuments } from '../../../../src/documents/index.ts';
import { publishedSchema } from '../../../../src/schema/schema.ts';
import { newFolder } from '../../../support/folder.ts';
import { runAt } from './rule-suites.ts';

const EXAMPLE = 'examples/policy-repository';
const text = readFileSync('docs/testing.md', 'utf8');

const folder = newFolder();

describe('docs/testing.md', () => {
  test('the suite on the page passes, and fails without its configuration', async () => {
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

  test('without any one setting of its configuration some test fails', async () => {
    const copy = join(folder.path, 'copy');
    cpSync(EXAMPLE, copy, { recursive: true });
    const configuration = readFileSync(`${EXAMPLE}/muster.yaml`, 'utf8');
    for (const setting of [
      ...[/^.*clusterset-requires-id.*\n/m, /^.*qualified-name.*\n/m, /^.*sole-manager.*\n/m],
      ...[/^.*allowedReservedNames.*\n/m, /^.*fleet-admins.*\n/m],
      ...[/^ {2}membershipManagers:\n.*\n/m, /^exceptions:\n(?: .*\n)+/m],
    ]) {
      const changed = configuration.replace(setting, '');
      expect(changed.length).toBeLessThan(configuration.length);
      writeFileSync(join(copy, 'muster.yaml'), changed);
      const { report } = await runAt(copy);
      expect([setting, report.summary.errors, report.summary.failed > 0]).toEqual([setting, 0, true]);
    }
  });

  test('its schema is that of --schema (if not: npm run generate), and its suites are valid', () => {
    const schema = JSON.parse(readFileSync(`${EXAMPLE}/muster-test.schema.json`, 'utf8'));
    expect(schema).toEqual(publishedSchema('MusterTest', suiteSchema));
    const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(schema);
    for (const name of suites) {
      const { documents } = readDocuments(readFileSync(`${EXAMPLE}/${name}`, 'utf8'), name);
      validate(documents[0]?.value);
      expect([name, validate.errors]).toEqual([name, null]);
    }
  });
});
