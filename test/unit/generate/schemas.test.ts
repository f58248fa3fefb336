/** The JSON Schemas for editors, as committed: they accept our examples and refuse common mistakes. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { ruleUrl } from '../../../src/rules/documentation.ts';
import { HEAD } from '../../support/configuration.ts';

const FOLDER = 'docs/public/schemas';
const { homepage } = JSON.parse(readFileSync('package.json', 'utf8'));
const read = (name: string) => JSON.parse(readFileSync(`${FOLDER}/${name}-v1alpha1.json`, 'utf8'));
const validate = (name: string) => new Ajv({ strict: true, allErrors: true }).compile(read(name));

test.each(['configuration', 'suite'])('%s: its id is its address on the site', (name) => {
  expect(read(name).$id).toBe(`${homepage}schemas/${name}-v1alpha1.json`);
  expect(ruleUrl('claim/id-syntax')).toBe(`${homepage}rules/claim-id-syntax`);
});

const EXAMPLES = [
  ...globSync('examples/**/muster.yaml').map((file) => ['configuration', file] as const),
  ...globSync('examples/**/*.muster-test.yaml').map((file) => ['suite', file] as const),
];

test('both have examples', () => expect(new Set(EXAMPLES.map(([name]) => name)).size).toBe(2));

test.each(EXAMPLES)('%s accepts %s', (name, file) => {
  const accepts = validate(name);
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })) {
    accepts(document.toJS());
    expect(accepts.errors).toBeNull();
  }
});

const SUITE = 'apiVersion: muster/v1alpha1\nkind: MusterTest\n';
const USER = '{ user: a }';
const ACCOUNT = '{ serviceAccount: fleet/Writer }';
const EXCEPTION = 'apiGroup: about.k8s.io, kind: ClusterProperty, name: a, reason: r, expires: 2027-01-31';

describe('refuses', () => {
  test.each([
    ['configuration', 'a misspelled key', `${HEAD}modes: warn`],
    ['configuration', 'a misspelled mode', `${HEAD}mode: warning`],
    ['configuration', 'an unknown rule', `${HEAD}rules: { claim/id-sintax: warn }`],
    ['configuration', 'an exception of an unknown rule', `${HEAD}exceptions: [{ rules: [claim/x], ${EXCEPTION} }]`],
    ...[
      ['kind: ClusterProperty', 'kind: Pod'],
      ['about.k8s.io', 'about.k8s.io/v1'],
      ['name: a', 'name: "*.k8s.io"'],
      ['2027-01-31', 'soon'],
      ['2027-01-31', '2027-13-31'],
      ['2027-01-31', '2027-01-31T18:00:00'],
    ].map(([good = '', bad = '']) => {
      const exception = EXCEPTION.replace(good, bad);
      return ['configuration', bad, `${HEAD}exceptions: [{ rules: [claim/value], ${exception} }]`] as const;
    }),
    ['configuration', 'a skew that is too long', `${HEAD}features: { clockSkewSeconds: 301 }`],
    ['configuration', 'a manager whose name is no label value', `${HEAD}inventory: { managers: { -a: [${USER}] } }`],
    ['configuration', 'a scheduler without a name', `${HEAD}placements: { schedulers: { "": [${USER}] } }`],
    ['configuration', 'a wildcard within a name', `${HEAD}claims: { allowedReservedNames: ["a*.k8s.io"] }`],
    ['configuration', 'a service account in upper case', `${HEAD}claims: { membershipManagers: [${ACCOUNT}] }`],
    ['configuration', 'a namespace with a dot', `${HEAD}services: { closedNamespaces: [a.b] }`],
    ['suite', 'a time without a zone', `${SUITE}now: 2026-06-01T12:00:00\ntests: [{ name: a, expect: denied }]`],
    ['suite', 'no test', `${SUITE}tests: []`],
    ['suite', 'an unknown rule', `${SUITE}tests: [{ name: a, expect: { verdict: denied, rules: [claim/x] } }]`],
    [
      'suite',
      'a misspelled key of its configuration',
      `${SUITE}config: { mod: warn }\ntests: [{ name: a, expect: denied }]`,
    ],
  ])('%s: %s', (name, _, text) => expect(validate(name)(parse(text))).toBe(false));

  test('none of that in good exceptions and a good suite', () => {
    const moment = EXCEPTION.replace('2027-01-31', '"2027-01-31T18:00:00.5+02:00"');
    expect(validate('configuration')(parse(`${HEAD}exceptions: [{ rules: [claim/value], ${moment} }]`))).toBe(true);
    expect(validate('configuration')(parse(`${HEAD}exceptions: [{ rules: [claim/value], ${EXCEPTION} }]`))).toBe(true);
    expect(validate('suite')(parse(`${SUITE}tests: [{ name: a, expect: denied }]`))).toBe(true);
  });
});
