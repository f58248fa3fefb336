/**
 * MusterTest as JSON Schema (draft 7), for editors: `muster test --schema` prints it. The reader takes its keys from here, so
 * that there is one list of them; what a schema can't say (rule ids, files, what no rule could decide) the reader alone checks.
 */
import { MOST_ENTRIES, POINTS } from '../../config/configuration.ts';
import { configurationSchema } from '../../config/schema.ts';
import { API_VERSION, KIND, VERDICTS } from './suite.ts';

export const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE'] as const;
export const SUBRESOURCES = ['status'] as const;
/** In a live cluster, rules that compare many objects are left to scan. */
export const VIEWS = ['live', 'files'] as const;
export const CODES = [403, 409, 422, 503] as const;

const text = { type: 'string', minLength: 1 } as const;

function listOf<const Item extends object>(items: Item, minItems = 0) {
  return { type: 'array', items, minItems, maxItems: MOST_ENTRIES } as const;
}

function closed<const Properties extends object, const Required extends keyof Properties = never>(
  properties: Properties,
  required: readonly Required[] = [],
) {
  return { type: 'object', additionalProperties: false, required, properties } as const;
}

const given = {
  anyOf: [text, { type: 'object', required: ['apiVersion', 'kind'], properties: { apiVersion: text, kind: text } }],
} as const;

const object = {
  ...given,
  description: 'The object of the write: itself, the name of one in objects, or FILE or FILE#NAME.',
} as const;

export const userSchema = closed(
  {
    name: { ...text, description: 'As the API server knows them: jane, system:serviceaccount:NS:NAME.' },
    groups: { ...listOf(text), description: 'Besides those that the API server itself adds.' },
  },
  ['name'],
);

const situation = {
  point: { enum: POINTS, default: 'webhook', description: 'Where it is judged: actions are configured for each.' },
  view: {
    enum: VIEWS,
    default: 'live',
    description: 'Where the webhook looks for other objects: live, in a cluster; files, as serve --state.',
  },
  now: { ...text, description: 'The time of the request, RFC 3339. Absent: that of the run.' },
  user: { ...userSchema, description: 'Who asks. Absent: not known, and rules on identity can not tell.' },
  state: {
    anyOf: [{ const: 'unknown' }, listOf(given)],
    description:
      'All that exists: objects, names of objects, files, or folders (FOLDER/). Or: unknown. Absent: nothing.',
  },
  operation: { enum: OPERATIONS, description: 'Absent: UPDATE of what oldObject or state has, else CREATE.' },
  subresource: { enum: SUBRESOURCES, description: 'The write of /status. Absent: the main one.' },
  dryRun: { type: 'boolean', default: false, description: 'Whether it is a dry run.' },
  mutate: {
    type: 'boolean',
    default: true,
    description:
      'Whether the mutating webhook comes first: it adds a manager label that is missing, and puts a lost one back.',
  },
  object,
  oldObject: { ...object, description: 'The object as stored. Absent: as state has it.' },
} as const;

const ids = listOf(text);
export const someRulesSchema = closed({
  include: { ...ids, description: 'Rules that have to be among them.' },
  exclude: { ...ids, description: 'Rules that must not be.' },
});
const expectedRules = { anyOf: [ids, someRulesSchema] } as const;

export const expectSchema = closed(
  {
    verdict: { enum: VERDICTS, description: 'What is decided.' },
    rules: { ...expectedRules, description: 'The rules for whose sake it is refused, exactly; or include, exclude.' },
    warnings: { ...expectedRules, description: 'The rules that warn, exactly; or include, exclude.' },
    audits: { ...expectedRules, description: 'The rules that pass silently, exactly; or include, exclude.' },
    code: { enum: CODES, description: 'The status code of the refusal.' },
    message: {
      ...text,
      maxLength: 1000,
      description:
        'A regular expression that has to match in what the requester is told, "[rule/id] field: text" a line.',
    },
  },
  ['verdict'],
);

export const caseSchema = closed(
  {
    name: { ...text, description: 'What is tested, in words; unique in the suite.' },
    ...situation,
    change: { type: 'object', description: 'A merge patch onto object, or else oldObject: all that makes this test.' },
    expect: { anyOf: [{ enum: VERDICTS }, expectSchema], description: 'A verdict, or more of it.' },
  },
  ['name', 'expect'],
);

export const defaultsSchema = closed(situation);

const { $schema, title: _, ...configuration } = configurationSchema;

export const suiteSchema = {
  $schema,
  title: KIND,
  ...closed(
    {
      apiVersion: { const: API_VERSION, description: 'The version of this format.' },
      kind: { const: KIND, description: 'The kind of this document.' },
      config: {
        anyOf: [text, { ...configuration, required: [] }],
        description: 'The MusterConfiguration: a file, or itself. Absent: that of --config, or none.',
      },
      objects: {
        type: 'object',
        maxProperties: MOST_ENTRIES,
        additionalProperties: given,
        description: 'Objects by names of your own, for the tests to start from.',
      },
      defaults: { ...defaultsSchema, description: 'What holds for each test that does not say otherwise.' },
      tests: { ...listOf(caseSchema, 1), description: 'The tests.' },
    },
    ['apiVersion', 'kind', 'tests'],
  ),
} as const;
