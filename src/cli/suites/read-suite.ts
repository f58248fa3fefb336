/** Reads a suite: returns its tests, each a run of `check`, or all its problems, each at its position. */

import { type Dialect, dialectOf, dialects } from '../../api/dialects.ts';
import { supportingKinds } from '../../api/supporting-kinds.ts';
import { type JsonObject, type Path, textAt } from '../../base/json.ts';
import { didYouMean } from '../../base/suggest.ts';
import { parseTime } from '../../base/syntax.ts';
import { errorMessage } from '../../base/text.ts';
import { checkRuleIds, refuseRepeated } from '../../config/checks.ts';
import { inFileOrder, locatedIn } from '../../config/load.ts';
import { readConfiguration } from '../../config/policy.ts';
import { API_VERSION, KIND } from '../../config/schema.ts';
import { isFolder } from '../../documents/files.ts';
import type { Position, SourceDocument } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import type { ClusterWrites } from '../../evaluation/run-evaluation.ts';
import { isReview, objectsIn } from '../../input/objects.ts';
import type { PlacedMessage } from '../../input/place.ts';
import { isSupporting } from '../../input/supporting.ts';
import { ruleIds } from '../../rules/index.ts';
import type { EnforcementPoint, Identity } from '../../rules/rule.ts';
import { readBySchema } from '../../schema/read.ts';
import { type ConfigProblem, found, oneOf, Reporter } from '../../schema/reporter.ts';
import type { Incomplete } from '../../schema/schema.ts';
import { validate } from '../../schema/suite.generated.ts';
import { identityOf } from '../shared.ts';
import { pathFrom, type SuiteContext, type SuiteObjects } from './files.ts';
import {
  type Expectation,
  type Suite,
  suiteSchema,
  type WriteExpectation,
  type WrittenRun,
  type WrittenTest,
} from './suite-schema.ts';

/** A test: what is evaluated, by what, and the expected result. */
export interface Case {
  readonly file: string;
  readonly name: string;
  readonly position: Position;
  readonly point: EnforcementPoint;
  /** Whether rules that compare many objects are left to scan, as by the webhook in a cluster. */
  readonly leavesToScan: boolean;
  readonly policy: Policy | undefined;
  /** Milliseconds since the epoch; undefined: the time of the run. */
  readonly now: number | undefined;
  readonly identity: Identity | undefined;
  readonly subresource: 'none' | 'status' | undefined;
  /** The clusters: one without a name, or several. */
  readonly clusters: readonly SuiteWrites[];
  /** What is expected of all writes together, or of each. */
  readonly expect: Expectation | readonly WriteExpectation[];
  /** Returns the position of an expectation in the file. */
  positionOf(...path: Path): Position;
}

/**
 * Reads one suite. Where there is an error, it has no cases: a suite is run as a whole or not at all. Warnings are
 * lines.
 */
export async function readSuite(document: SourceDocument, context: SuiteContext) {
  const at = new Reporter();
  const suite = readBySchema(suiteSchema, validate, document.value ?? {}, at);
  if (suite) checkSuite(suite, at);
  const cases = suite ? await casesOf(suite, at, document, context) : [];
  const errors = located(at.problems, document);
  const warnings = located(at.warnings, document).map(
    ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
  );
  return { cases: errors.length > 0 ? [] : cases, errors, warnings };
}

/** Checks what the schema can't express. */
function checkSuite({ tests = [] }: Incomplete<Suite>, at: Reporter): void {
  refuseRepeated(tests, 'name', at.below('tests'), (_, earlier) => `tests[${earlier}] has this name too: rename one`);
  for (const [index, test] of tests.entries()) {
    const here = at.below('tests', index, 'expect');
    const { expect } = test ?? {};
    if (typeof expect !== 'object') continue;
    if (!(Symbol.iterator in expect)) checkExpectation(expect, here);
    else for (const [nth, one] of expect.entries()) if (one) checkExpectation(one, here.below(nth));
  }
}

function checkExpectation(expect: Incomplete<Expectation>, at: Reporter): void {
  for (const key of ['rules', 'warnings', 'audits'] as const) checkExpectedRules(expect[key], at.below(key));
  try {
    if (expect.message !== undefined) new RegExp(expect.message, 'mu');
  } catch (error) {
    at.below('message').refuse(errorMessage(error));
  }
}

function checkExpectedRules(expected: Incomplete<Expectation>['rules'] = {}, at: Reporter): void {
  if (Symbol.iterator in expected) checkRuleIds(expected, ruleIds, at);
  else {
    checkRuleIds(expected.include, ruleIds, at.below('include'));
    checkRuleIds(expected.exclude, ruleIds, at.below('exclude'));
  }
}

/** Returns the problems with their positions, in the order of the file. */
function located(problems: readonly ConfigProblem[], document: SourceDocument): PlacedMessage[] {
  return inFileOrder(locatedIn(document, problems)).map((one) => ({ file: document.file, ...one }));
}

/** What reading the entries of a suite needs. */
interface Scope extends SuiteContext {
  readonly document: SourceDocument;
  /** The names in `objects`, which are no paths. */
  readonly names: readonly string[];
}

async function casesOf(suite: Incomplete<Suite>, at: Reporter, document: SourceDocument, context: SuiteContext) {
  const scope = { ...context, document, names: Object.keys(suite.objects ?? {}) };
  // A problem outside of the tests would lead to others in each of them.
  const policy = await policyOf(suite.config, at, scope);
  const defaults = await readRun(suite.defaults ?? {}, scope, at.below('defaults'));
  const isSound = at.problems.every(({ path }) => path[0] === 'tests' && path.length > 1);
  const cases: Case[] = [];
  for (const [index, test] of (suite.tests ?? []).entries()) {
    const here = at.below('tests', index);
    const own = await readRun(test ?? {}, scope, here);
    const hasProblem = at.problems.some(({ path }) => path[0] === 'tests' && path[1] === index);
    if (!test || !isSound || hasProblem) continue;
    const one = caseOf(test as WrittenTest, { ...defaults, ...own }, here, policy, document);
    if (one) cases.push(one);
  }
  return cases;
}

function caseOf(
  { name, expect: written }: WrittenTest,
  run: Run,
  at: Reporter,
  policy: Policy | undefined,
  document: SourceDocument,
): Case | undefined {
  const { point = 'webhook', view = 'live', as: username, asGroup, subresource, now, clusters } = run;
  if (clusters && point === 'webhook')
    return at.below('clusters').refuse('no rule compares clusters at the webhook: add point: check (or scan)');
  if (username === undefined && asGroup) return at.below('asGroup').refuse('needs as beside it: the name of the user');
  if (clusters && (run.check ?? run.deleted ?? run.state))
    return at.below('clusters').refuse('has check, deleted and state in each cluster: leave them out beside it');
  const all = clusters ?? [writesOf(run, undefined)];
  if (all.every(({ isEmpty }) => isEmpty)) return at.refuse('nothing is written: add check or deleted');
  const isShort = typeof written === 'string';
  return {
    file: document.file,
    name,
    position: document.locate(at.path),
    point,
    policy,
    now,
    leavesToScan: point === 'webhook' && view === 'live',
    identity: username === undefined ? undefined : identityOf(username, asGroup),
    subresource,
    clusters: all,
    expect: isShort ? { verdict: written } : written,
    positionOf: (...path) => document.locate([...at.path, 'expect', ...(isShort ? [] : path)]),
  };
}

/** The settings of a test for its run, with the objects that it names. Absent members are not set. */
interface Run extends Omit<WrittenRun, 'check' | 'deleted' | 'state' | 'clusters' | 'now' | 'asGroup'>, Entries {
  readonly clusters?: readonly SuiteWrites[];
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
  readonly asGroup?: readonly string[];
}

const ENTRIES = ['check', 'deleted', 'state'] as const;
type Entries = { readonly [Key in (typeof ENTRIES)[number]]?: NamedObjects };

interface NamedObjects extends SuiteObjects {
  /** Which of the entries are folders. */
  readonly folders: readonly string[];
  /** Whether the state has the word `unknown`: the cluster may have further objects. */
  readonly isPartial: boolean;
}

interface SuiteWrites extends ClusterWrites, Pick<NamedObjects, 'folders'> {
  /** Whether nothing is applied or deleted. */
  readonly isEmpty: boolean;
}

async function readRun(written: Incomplete<WrittenRun>, scope: Scope, at: Reporter): Promise<Run> {
  const { check: _, deleted: __, state: ___, clusters, now, asGroup, ...rest } = written;
  const named: SuiteWrites[] = [];
  for (const [name, one] of Object.entries(clusters ?? {}))
    named.push(writesOf(await readEntries(one ?? {}, scope, at.below('clusters', name)), name));
  return {
    ...rest,
    ...(await readEntries(written, scope, at)),
    ...(clusters && { clusters: named }),
    ...(now !== undefined && { now: parseTime(now) }),
    ...(asGroup && { asGroup: asGroup.filter((group) => group !== undefined) }),
  };
}

type WrittenEntries = Pick<Incomplete<WrittenRun>, 'check' | 'deleted' | 'state'>;

async function readEntries(written: WrittenEntries, scope: Scope, at: Reporter): Promise<Entries> {
  const read: { -readonly [Key in keyof Entries]: Entries[Key] } = {};
  for (const key of ENTRIES) {
    const entries = written[key];
    if (entries !== undefined) read[key] = await objectsOf(entries, scope, at.below(key));
  }
  return read;
}

const NOTHING: NamedObjects = { objects: [], supporting: [], folders: [], isPartial: false };

/** Returns the writes of a cluster. A suite describes it as a whole: other objects than in the state do not exist. */
function writesOf(entries: Entries, name: string | undefined): SuiteWrites {
  const { check = NOTHING, deleted = NOTHING, state: { objects, supporting, isPartial } = NOTHING } = entries;
  const view = {
    state: objects.map(({ object }) => object),
    known: dialects,
    incomplete: isPartial,
    from: 'the state',
  };
  const unread = isPartial ? 'the state says that others are unknown' : undefined;
  const services = {
    documents: check.supporting,
    deletions: deleted.supporting,
    before: supporting,
    unread,
    unreadBefore: unread,
    isWhole: true,
  };
  const isEmpty = [check, deleted].every((one) => one.objects.length + one.supporting.length === 0);
  const { folders } = check;
  return { name, objects: check.objects, deletions: deleted.objects, folders, view, services, isEmpty };
}

/** Returns the objects of entries, in order. */
async function objectsOf(
  written: string | JsonObject | readonly (string | JsonObject | undefined)[],
  scope: Scope,
  at: Reporter,
): Promise<NamedObjects> {
  const isList = Array.isArray(written);
  const read: SuiteObjects[] = [];
  const folders: string[] = [];
  let isPartial = false;
  for (const [index, entry] of (isList ? written : [written]).entries()) {
    const here = isList ? at.below(index) : at;
    if (entry === UNKNOWN && isState(at)) isPartial = true;
    else if (typeof entry === 'string') {
      read.push((await readPath(entry, scope, here)) ?? NOTHING);
      const path = pathFrom(scope.document.file, entry);
      if (isFolder(path)) folders.push(path);
    } else if (entry !== undefined) read.push(writtenObjects(entry, scope, here));
  }
  const supporting = read.flatMap((one) => one.supporting);
  return { objects: read.flatMap(({ objects }) => objects), supporting, folders, isPartial };
}

/** The word in a state that says that further objects may exist. */
const UNKNOWN = 'unknown';

function isState({ path }: Reporter): boolean {
  return path.at(-1) === 'state';
}

async function readPath(path: string, scope: Scope, at: Reporter): Promise<SuiteObjects | undefined> {
  const { files, boundary, document, names } = scope;
  if (names.includes(path))
    return at.refuse(`is a name in objects: put an anchor there (${path}: &${path}), and write *${path} here`);
  if (path === '-') return at.refuse('a suite reads files: standard input belongs to no suite');
  const read = await files.objects(pathFrom(document.file, path), boundary, (problem) => at.refuse(problem));
  if (read && read.objects.length + read.supporting.length === 0)
    return at.refuse(`${path} has no object that muster evaluates`);
  return read;
}

/** Returns an object that is written out, or the items of a list. */
function writtenObjects(object: JsonObject, { document }: Scope, at: Reporter): SuiteObjects {
  const located = (inner: Path) => document.locate([...at.path, ...inner]);
  const inside = { ...document, value: object, start: located([]), locate: located };
  const { objects, errors, foreign } = objectsIn(inside);
  for (const { message } of errors) at.refuse(message);
  if (foreign > 0) at.refuse('expected an object with apiVersion and kind');
  const others = objects.filter((one) => !isSupporting(one));
  const evaluated = others.filter((one) => isReview(one) || dialectAt(one.object, at) !== undefined);
  return { objects: evaluated, supporting: objects.filter(isSupporting) };
}

/** Returns the dialect of an object that a suite writes out. Refuses a kind without rules. */
function dialectAt(object: JsonObject, at: Reporter): Dialect | undefined {
  const [apiVersion = '', kind = ''] = [textAt(object, ['apiVersion']), textAt(object, ['kind'])];
  const [group = '', version, ...rest] = apiVersion.split('/');
  const dialect = version && rest.length === 0 ? dialectOf(group, kind) : undefined;
  if (dialect) return dialect;
  const known = dialects.map((each) => `${each.group}/${each.versions.at(-1)} ${each.kind}`);
  const read = supportingKinds.map((each) => `${each.versions.at(-1)} ${each.kind}`);
  const near = didYouMean(`${apiVersion} ${kind}`, [...known, ...read]) || `; it evaluates ${oneOf(known)}`;
  return at.refuse(`muster evaluates no ${found(kind)} of ${found(apiVersion)}${near}`);
}

/** Returns the policy of a configuration that is written out or in a file. */
async function policyOf(
  config: Incomplete<Suite>['config'],
  at: Reporter,
  { document, files, boundary, policy, now }: Scope,
): Promise<Policy | undefined> {
  if (config === undefined) return policy;
  if (typeof config === 'string')
    return files.policy(pathFrom(document.file, config), boundary, (problem) => at.below('config').refuse(problem));
  // A configuration that is written out need not name its kind.
  const reading = readConfiguration({ apiVersion: API_VERSION, kind: KIND, ...config }, { ruleIds, now });
  at.below('config').include(reading);
  return reading.policy;
}
