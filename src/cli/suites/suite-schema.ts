/**
 * The schema of a suite, `MusterTest`. Its validation, its types, the tables of docs/testing.md and the JSON Schema of
 * `muster test --schema` come from it. What a schema can't say is checked by read-suite.ts.
 */

import { API_VERSION, configurationSchema, listOf, MOST_ENTRIES, ruleId, text } from '../../config/schema.ts';
import { ENFORCEMENT_POINTS, OPERATIONS } from '../../rules/rule.ts';
import { oneOf } from '../../schema/reporter.ts';
import { closed, type FromSchema, type Schema } from '../../schema/schema.ts';

export const KIND = 'MusterTest';
/** The suffixes of the files that a folder is searched for. */
export const SUFFIXES = ['.muster-test.yaml', '.muster-test.yml', '.muster-test.json'];
/** The longest pattern of a message, in characters. */
export const LONGEST_PATTERN = 1000;

const VERDICTS = ['allowed', 'denied', 'indeterminate'] as const;
/** Hints for words that are no verdicts, but names of actions. */
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

export type ExpectedVerdict = (typeof VERDICTS)[number];
/** A suite as it is written. */
export type Suite = FromSchema<typeof suiteSchema>;
/** One test as it is written. */
export type WrittenTest = FromSchema<typeof testSchema>;
/** The settings of a run that `defaults` and a test share. */
export type WrittenRun = FromSchema<typeof defaultsSchema>;
export type Expectation = FromSchema<typeof expectSchema>;
/** What is expected of some of the writes of a test. */
export type WriteExpectation = FromSchema<typeof writeExpectSchema>;
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

const object = { type: 'object', required: ['apiVersion', 'kind'], opaque: true } as const;
/** A list may be left out around one entry. */
const entries = {
  anyOf: [text, object, listOf({ anyOf: [text, object], expected: 'a path, or an object' }, 'a list')],
  expected: 'a path, an object, or a list of them',
} as const;

const writes = {
  check: {
    ...entries,
    description:
      'What is applied, in this order: files, folders, and objects that are written out. What `state` has is an ' +
      'UPDATE, all else a CREATE. An AdmissionReview is evaluated as given.',
  },
  deleted: { ...entries, description: 'What is deleted: files, folders and objects.' },
  state: {
    ...entries,
    description:
      'All that exists before: files, folders and objects. The word `unknown` among them: what else exists is ' +
      'not known. Absent: nothing exists.',
  },
} as const;

const run = {
  ...writes,
  clusters: {
    type: 'object',
    maxProperties: MOST_ENTRIES,
    additionalProperties: { ...closed(writes), expected: 'a map with check, deleted and state' },
    expected: 'a map from names of clusters to what they hold',
    description:
      'Several clusters by name, each with `check`, `deleted` and `state` of its own. The rules that compare ' +
      'clusters then apply. They apply in `check` and `scan` only, so `point` has to be one of these.',
  },
  as: {
    ...text,
    expected: "a user's name",
    description:
      'The user, as the API server knows it: `jane`, `system:serviceaccount:NS:NAME`. Absent: not known; rules ' +
      'on identity are indeterminate.',
  },
  asGroup: {
    ...listOf({ ...text, expected: "a group's name" }, 'a list of group names'),
    description: 'Groups besides those that the API server itself adds.',
  },
  subresource: {
    enum: ['none', 'status'],
    description: '`none` evaluates only main writes, `status` only those of `/status`. Absent: both.',
  },
  now: {
    ...text,
    expected: 'an RFC 3339 date-time with its zone such as 2026-06-01T12:00:00Z',
    format: 'date-time',
    description: 'The time of the writes, RFC 3339. Absent: the time of the run.',
  },
  point: {
    enum: ENFORCEMENT_POINTS,
    default: 'webhook',
    description: 'The enforcement point whose actions apply: `webhook`, `check` or `scan`.',
  },
  view: {
    enum: ['live', 'files'],
    default: 'live',
    description:
      'Where the webhook reads other objects: `live`, in a cluster, where rules that compare many objects are ' +
      'left to `scan`; or `files`, as `serve --state`.',
  },
} as const;

const defaultsSchema = closed(run);

const someRules = {
  ...closed({
    include: { ...listOf(ruleId, 'a list of rule ids'), description: 'Rules that must be among them.' },
    exclude: { ...listOf(ruleId, 'a list of rule ids'), description: 'Rules that must not be among them.' },
  }),
  minProperties: 1,
  expected: 'a map with include and exclude',
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
    description: 'A regular expression that matches somewhere in the answer to the requester.',
  },
});

/** An expectation of some writes of a test, with what selects them. */
const writeExpectSchema = mapOf('a map with object and verdict', ['object', 'verdict'], {
  object: {
    ...text,
    expected: 'KIND NAME or KIND NAMESPACE/NAME',
    description: '`KIND NAME` or `KIND NAMESPACE/NAME`.',
  },
  operation: { enum: OPERATIONS, description: 'Only writes of this operation.' },
  subresource: { enum: ['none', 'status'], description: 'Only main writes, or only those of `/status`.' },
  cluster: { ...text, expected: 'the name of a cluster', description: 'Only writes in this cluster.' },
  ...expectSchema.properties,
});

export const testSchema = mapOf('a test (a map with name and expect)', ['name', 'expect'], {
  name: {
    ...text,
    expected: 'what is tested, in words',
    description: 'What is tested, in words; unique in its suite.',
  },
  ...run,
  expect: {
    anyOf: [verdict, expectSchema, listOf(writeExpectSchema, 'a list of writes', 1)],
    expected: `a verdict (${oneOf(VERDICTS)}), a map, or a list of writes`,
    description:
      'The expected result of all writes together, the worst verdict: a verdict, or a map with more; or a list ' +
      'that has each write with its own.',
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
    anyOf: [text, { ...configurationSchema, required: [], opaque: true }],
    expected: 'a MusterConfiguration, or the file that holds it',
    description:
      'The configuration: a file, or written out, with or without `apiVersion` and `kind`. Absent: that of ' +
      '`--config`, or none.',
  },
  objects: {
    type: 'object',
    expected: 'a map',
    description:
      'A place for objects with anchors (`id: &id { … }`), for the tests to repeat (`*id`). It is not evaluated.',
  },
  defaults: {
    ...defaultsSchema,
    description: 'What applies to each test that does not say otherwise: any key of a test but `name` and `expect`.',
  },
  tests: {
    ...listOf(testSchema, 'a list of tests', 1),
    whenEmpty: ' tests nothing',
    description:
      `The tests, at most ${MOST_ENTRIES.toLocaleString('en')}. A file may hold several suites, separated by ` +
      `\`---\`.`,
  },
});
