/** From a document to the cases of a suite, or to all that is wrong with it, each at its place. */
import { KIND as CONFIGURATION } from '../../config/configuration.ts';
import { locate } from '../../config/load.ts';
import {
  type ConfigProblem,
  list,
  type Members,
  members,
  missing,
  type Place,
  type Report,
  refuse,
  refuseFound,
  text,
} from '../../config/place.ts';
import { readConfiguration } from '../../config/policy.ts';
import type { SourceDocument } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { ruleIds } from '../../rules/index.ts';
import { isObject } from '../../rules/json.ts';
import type { CheckError } from '../output/report.ts';
import { type Library, pathFrom } from './library.ts';
import { readExpectation } from './read-expect.ts';
import { readNamed, type Scope } from './read-objects.ts';
import { readSituation, type Situation } from './read-situation.ts';
import { caseSchema, defaultsSchema, suiteSchema } from './schema.ts';
import { API_VERSION, type Case, KIND } from './suite.ts';
import { defined, writeOf } from './write.ts';

/** The most a suite may have; more lists are refused. */
export { MOST_ENTRIES as MOST_TESTS } from '../../config/configuration.ts';

export interface SuiteContext {
  readonly library: Library;
  /** The folder beyond which the suite may not look. */
  readonly boundary: string;
  /** For suites that name no configuration. */
  readonly policy: Policy | undefined;
  /** Milliseconds since the epoch: tells which exceptions are over. */
  readonly now: number;
}

export interface SuiteReading {
  /** None where there is an error: a suite is run whole or not at all. */
  readonly cases: readonly Case[];
  readonly errors: readonly CheckError[];
  /** One line each. */
  readonly warnings: readonly string[];
}

/** Reads one suite. */
export async function readSuite(document: SourceDocument, context: SuiteContext): Promise<SuiteReading> {
  const report: Report = { problems: [], warnings: [] };
  const root: Place = { value: document.value, path: [], report };
  const keys = members(root, suiteSchema, `a ${KIND} (a map)`);
  const cases = keys ? await readCases(keys, document, context) : [];
  const errors = located(report.problems, document);
  const warnings = located(report.warnings, document).map(
    ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
  );
  return { cases: errors.length > 0 ? [] : cases, errors, warnings };
}

/** In the order of the file. */
function located(found: readonly ConfigProblem[], document: SourceDocument): CheckError[] {
  return found
    .map((one) => locate(one, document))
    .map(({ line, column, message }) => ({ file: document.source, line, column, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

type Keys = Members<typeof suiteSchema>;

async function readCases(keys: Keys, document: SourceDocument, context: SuiteContext): Promise<readonly Case[]> {
  exactly(keys.apiVersion, API_VERSION);
  exactly(keys.kind, KIND);
  const file = document.source;
  const policy = await readPolicy(keys.config, file, context);
  const { library, boundary } = context;
  const scope = { file, library, boundary, named: readNamed(keys.objects, { file, library, boundary }) };
  const given = members(keys.defaults, defaultsSchema);
  const defaults = given ? readSituation(given, scope) : {};
  if (keys.tests.value === undefined) missing(keys.tests, 'a list of tests');
  if (Array.isArray(keys.tests.value) && keys.tests.value.length === 0)
    refuse(keys.tests, 'an empty list tests nothing');
  const sound = keys.tests.report.problems.length === 0;
  const suite = { document, scope, defaults, policy, sound, names: new Map<string, number>() };
  return list(keys.tests, 'a list of tests', (entry) => readCase(entry, suite)) ?? [];
}

interface Suite {
  readonly document: SourceDocument;
  readonly scope: Scope;
  readonly defaults: Situation;
  readonly policy: Policy | undefined;
  /** Whether nothing was wrong before the tests: else much in them would be wrong for the same reason. */
  readonly sound: boolean;
  /** Of the tests so far, with their lines. */
  readonly names: Map<string, number>;
}

function readCase(place: Place, suite: Suite): Case | undefined {
  const keys = members(place, caseSchema, 'a test (a map with name and expect)');
  if (!keys) return undefined;
  const { problems } = place.report;
  const before = problems.length;
  const name = readName(keys.name, suite);
  const own = readSituation(keys, suite.scope);
  const sound = suite.sound && problems.length === before;
  const subject = sound ? writeOf(keys, own, suite.defaults) : undefined;
  const { point = 'webhook', view = 'live' } = { ...suite.defaults, ...defined(own) };
  const live = point === 'webhook' && view === 'live';
  const expect = readExpectation(keys.expect, subject && { ...subject, live });
  if (name === undefined || !subject || !expect) return undefined;
  const { document, defaults, policy } = suite;
  const state = own.state ?? defaults.state ?? [];
  return {
    file: document.source,
    name,
    place: document.locate(place.path),
    point,
    live,
    now: own.now ?? defaults.now,
    policy,
    subject,
    world: state === 'unknown' ? undefined : state,
    expect,
    placeOf: (key) => document.locate(isObject(keys.expect.value) ? [...keys.expect.path, key] : keys.expect.path),
  };
}

function readName(place: Place, { document, names }: Suite): string | undefined {
  if (place.value === undefined) return missing(place, 'what is tested, in words');
  const name = text(place, 'what is tested, in words');
  if (name === undefined) return undefined;
  const { line } = document.locate(place.path);
  const first = names.get(name);
  if (first !== undefined) refuse(place, `another test is called so, on line ${first}; give each a name of its own`);
  else names.set(name, line);
  return name;
}

/** A configuration in a file, or written out, with or without its head. */
async function readPolicy(place: Place, file: string, context: SuiteContext): Promise<Policy | undefined> {
  const { value, path, report } = place;
  if (value === undefined) return context.policy;
  if (!isObject(value)) return policyInFile(place, file, context);
  const head = { apiVersion: API_VERSION, kind: CONFIGURATION };
  const { policy, problems, warnings } = readConfiguration({ ...head, ...value }, ruleIds, context.now);
  const within = (found: readonly ConfigProblem[]) => found.map((one) => ({ ...one, path: [...path, ...one.path] }));
  report.problems.push(...within(problems));
  report.warnings.push(...within(warnings));
  return policy;
}

async function policyInFile(
  place: Place,
  file: string,
  { library, boundary }: SuiteContext,
): Promise<Policy | undefined> {
  const path = text(place, `a ${CONFIGURATION}, or the file that holds it`);
  if (path === undefined) return undefined;
  const loaded = await library.policy(pathFrom(file, path), boundary);
  if ('value' in loaded) return loaded.value;
  for (const problem of loaded.problems) refuse(place, problem);
  return undefined;
}

function exactly(place: Place, expected: string): void {
  if (place.value === undefined) missing(place, `"${expected}"`);
  else if (place.value !== expected) refuseFound(place, `"${expected}"`);
}
