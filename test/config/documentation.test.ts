/** docs/configuration.md: the examples load. Its tables are generated from the schema. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { policyOf } from '../../src/config/policy.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { ruleIds } from '../../src/rules/index.ts';

const page = readFileSync('docs/configuration.md', 'utf8');
const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => String(yaml));

test.each(examples)('the example loads without a warning: %s', (yaml) => {
  const { documents } = readDocuments(yaml, 'docs/configuration.md');
  const whole = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...(documents[0]?.value as object) };
  const { problems, warnings } = policyOf(whole, ruleIds, Date.UTC(2027, 0, 1));
  expect({ count: documents.length, problems, warnings }).toEqual({ count: 1, problems: [], warnings: [] });
});
