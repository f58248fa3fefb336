/**
 * The schema of a suite, `MusterTest`. Its validation, its types, the tables of docs/testing.md and the JSON Schema of
 * `muster test --schema` come from it. What a schema can't say is checked by read-suite.ts.
 */

import { parseTime } from '../../base/syntax.ts';
import { refuseRepeated } from '../../config/checks.ts';
import {
  API_VERSION,
  closed,
  configurationSchema,
  listOf,
  MOST_ENTRIES,
  POINTS,
  ruleId,
  text,
} from '../../config/schema.ts';
import { type FromSchema, oneOf, type Reporter, type Schema } from '../../config/schema-reader.ts';

export const KIND = 'MusterTest';
/** The suffixes of the files that a folder is searched for. */
export const SUFFIXES = ['.muster-test.yaml', '.muster-test.yml', '.muster-test.json'];
/** The longest pattern of a message, in characters. */
export const LONGEST_PATTERN = 1000;

const VERDICTS = ['allowed', 'denied', 'indeterminate'] as const;
/** What rules do, and the verdict that is meant. */
const MEANT: ReadonlyMap<unknown, string> = new Map([
  ['allow', 'did you mean "allowed"?'],
  ['deny', 'did you mean "denied"?'],
  ['warn', 'a warning allows the write: { verdict: allowed, warnings: [RULE] }'],
]);
const verdict = {
  enum: VERDICTS,
  hint: (value: unknown) => (MEANT.has(value) ? `; ${MEANT.get(value)}` : ''),
} as const;
const CODES = [403, 409, 422, 503] as const;

export type Verdict = (typeof VERDICTS)[number];
/** A suite as it is written. */
export type Suite = FromSchema<typeof suiteSchema>;
/** One test as it is written. */
export type WrittenTest = FromSchema<typeof testSchema>;
/** What `defaults` and a test may both say about the request. */
export type WrittenRequest = FromSchema<typeof defaultsSchema>;
export type Expectation = FromSchema<typeof expectSchema>;
/** All rules, or some that must be among them and some that must not. */
export type ExpectedRules = NonNullable<Expectation['rules']>;

/** A map of these keys and no others; `expected` describes it in messages. */
function mapOf<const Members extends NonNullable<Schema['properties']>, const Key extends keyof Members>(
  expected: string,
  required: readonly Key[],
  properties: Members,
) {
  return { ...closed(properties, required), expected } as const;
}

const object = {
  anyOf: [text, { type: 'object', required: ['apiVersion', 'kind'] }],
  expected: 'an object, the name of one in objects, or a file (FILE.yaml or FILE.yaml#NAME)',
} as const;

const userSchema = mapOf('a user (a map with name and groups)', ['name'], {
  name: {
    ...text,
    expected: "a user's name",
    description: 'As the API server knows it: `jane`, `system:serviceaccount:NS:NAME`.',
  },
  groups: {
    ...listOf({ ...text, expected: "a group's name" }, 'a list of group names'),
    description: 'Groups besides those that the API server itself adds.',
  },
});

const request = {
  object: {
    ...object,
    description:
      'The written object: the object itself, the name of one in `objects`, `FILE` with one object in it, or `FILE#NAME` (`FILE#KIND/NAME`, `FILE#KIND/NAMESPACE/NAME`).',
  },
  oldObject: { ...object, description: 'The stored object, in one of the same forms. Absent: as `state` has it.' },
  operation: {
    enum: ['CREATE', 'UPDATE', 'DELETE'],
    description: '`CREATE`, `UPDATE` or `DELETE`. Absent: `UPDATE` of what `oldObject` or `state` has, else `CREATE`.',
  },
  subresource: { enum: ['status'], description: '`status`: the write of `/status`. Absent: the main write.' },
  state: {
    anyOf: [{ const: 'unknown' }, listOf(object, 'a list of objects')],
    expected: 'a list of objects, or unknown',
    description:
      'All that exists: a list of objects, names, files (`FILE`, `FILE#NAME`) and folders (`FOLDER/`); or `unknown`. Absent: nothing exists.',
  },
  cluster: {
    ...text,
    expected: 'the name of a cluster',
    default: 'this',
    description: 'The name of the cluster that is written to, where `clusters` has others.',
  },
  clusters: {
    type: 'object',
    maxProperties: MOST_ENTRIES,
    additionalProperties: listOf(object, 'a list of objects'),
    expected: 'a map from names of clusters to lists of objects',
    description:
      'Other clusters by name, each with all that exists there, written as `state`. The rules that compare clusters then apply to what the write changes. They apply in `check` and `scan` only, so `point` has to be one of these.',
  },
  user: { ...userSchema, description: 'The requester. Absent: not known; rules on identity are indeterminate.' },
  now: {
    ...text,
    expected: 'an RFC 3339 date-time with its zone such as 2026-06-01T12:00:00Z',
    accepts: (value: string) => parseTime(value) !== undefined,
    description: 'The time of the request, RFC 3339. Absent: the time of the run.',
  },
  point: {
    enum: POINTS,
    default: 'webhook',
    description: 'The enforcement point whose actions apply: `webhook`, `check` or `scan`.',
  },
  view: {
    enum: ['live', 'files'],
    default: 'live',
    description:
      'Where the webhook reads other objects: `live`, in a cluster, where rules that compare many objects are left to `scan`; or `files`, as `serve --state`.',
  },
  dryRun: { type: 'boolean', default: false, description: 'Whether it is a dry run.' },
  mutate: {
    type: 'boolean',
    default: true,
    description:
      "Whether the mutating webhook runs first. It adds the manager's label to a new inventory object, and restores one that an update removed.",
  },
} as const;

const defaultsSchema = closed(request);

const someRules = {
  ...closed({
    include: { ...listOf(ruleId, 'a list of rule ids'), description: 'Rules that must be among them.' },
    exclude: { ...listOf(ruleId, 'a list of rule ids'), description: 'Rules that must not be among them.' },
  }),
  ...({ minProperties: 1, expected: 'a map with include and exclude' } as const),
} as const;
const expectedRules = {
  anyOf: [listOf(ruleId, 'a list of rule ids'), someRules],
  expected: 'a list of rule ids, or a map with include and exclude',
} as const;

export const expectSchema = mapOf('a verdict, or a map with verdict', ['verdict'], {
  verdict: { ...verdict, description: '`allowed`, `denied` or `indeterminate`.' },
  rules: { ...expectedRules, description: 'The rules that deny the request, or that are indeterminate.' },
  warnings: { ...expectedRules, description: 'The rules that warn; `[]` for none.' },
  audits: {
    ...expectedRules,
    description: 'The rules with findings that are only audited: set to `audit`, or excepted.',
  },
  code: {
    enum: CODES,
    expected: `one of ${CODES.join(', ')}`,
    description: 'The status code of the denial: 403, 409 or 422; 503 for indeterminate.',
  },
  message: {
    ...text,
    maxLength: LONGEST_PATTERN,
    expected: `a regular expression of at most ${LONGEST_PATTERN} characters`,
    check: checkPattern,
    description: 'A regular expression that matches somewhere in the answer to the requester.',
  },
});

export const testSchema = mapOf('a test (a map with name and expect)', ['name', 'expect'], {
  name: {
    ...text,
    expected: 'what is tested, in words',
    description: 'What is tested, in words; unique in its suite.',
  },
  ...request,
  change: {
    type: 'object',
    expected: 'a merge patch (a map)',
    description: 'A merge patch on `object`, or without one on `oldObject`.',
  },
  expect: {
    anyOf: [verdict, expectSchema],
    expected: `a verdict (${oneOf(VERDICTS)}), or a map`,
    description: 'The expected result: a verdict, or a map with more.',
  },
});

export const suiteSchema = mapOf(`a ${KIND} (a map)`, ['apiVersion', 'kind', 'tests'], {
  apiVersion: { const: API_VERSION, description: `\`${API_VERSION}\`.` },
  kind: {
    const: KIND,
    description: `\`${KIND}\`.`,
    hint: () => `; muster check evaluates manifests, and muster test --record writes a suite of them`,
  },
  config: {
    anyOf: [text, { ...configurationSchema, required: [] }],
    expected: 'a MusterConfiguration, or the file that holds it',
    description:
      'The configuration: a file, or written out, with or without `apiVersion` and `kind`. Absent: that of `--config`, or none.',
  },
  objects: {
    type: 'object',
    maxProperties: MOST_ENTRIES,
    additionalProperties: object,
    expected: 'a map from names to objects',
    description: 'Objects by names of your own, for the tests to refer to.',
  },
  defaults: {
    ...defaultsSchema,
    description:
      'What applies to each test that does not say otherwise: any key of a test but `name`, `change` and `expect`.',
  },
  tests: {
    ...listOf(testSchema, 'a list of tests', 1),
    whenEmpty: ' tests nothing',
    check: (tests: readonly ({ readonly name?: string } | undefined)[], at: Reporter) =>
      refuseRepeated(tests, 'name', at, (_, earlier) => `tests[${earlier}] has this name too: rename one`),
    description: `The tests, at most ${MOST_ENTRIES.toLocaleString('en')}. A file may hold several suites, separated by \`---\`.`,
  },
});

function checkPattern(pattern: string, at: Reporter): void {
  try {
    new RegExp(pattern, 'mu');
  } catch (error) {
    at.refuse(error instanceof Error ? error.message : String(error));
  }
}
