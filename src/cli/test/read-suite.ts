/** Reads a suite: returns its cases with everything resolved, or all its problems, each at its position. */

import { parseTime } from '../../base/syntax.ts';
import { locate } from '../../config/load.ts';
import { policyFrom } from '../../config/policy.ts';
import type { MusterConfiguration } from '../../config/schema.ts';
import { type ConfigProblem, type Incomplete, Reporter, readBySchema } from '../../config/schema-reader.ts';
import type { Position, SourceDocument } from '../../documents/index.ts';
import type { Policy } from '../../engine/index.ts';
import { ruleIds } from '../../rules/index.ts';
import type { CheckError } from '../output/report.ts';
import { identityOf } from '../shared.ts';
import { pathFrom, type SuiteContext } from './files.ts';
import { resolveClusters, resolveObject, resolveState, type Scope } from './references.ts';
import { merged, type RequestSource, subjectOf, type TestRequest } from './request.ts';
import { type Expectation, type Suite, suiteSchema, type WrittenRequest, type WrittenTest } from './schema.ts';

/** A write and its expected result, with all that it is evaluated by. */
export type Case = NonNullable<ReturnType<typeof caseOf>>;

/** Reads one suite. Where there is an error, it has no cases: a suite is run as a whole or not at all. Warnings are lines. */
export async function readSuite(document: SourceDocument, context: SuiteContext) {
  const at = new Reporter({ ruleIds, now: context.now });
  const suite = readBySchema(suiteSchema, document.value ?? {}, at);
  const cases = suite ? await casesOf(suite, at, document, context) : [];
  const errors = located(at.problems, document);
  const warnings = located(at.warnings, document).map(
    ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
  );
  return { cases: errors.length > 0 ? [] : cases, errors, warnings };
}

/** In the order of the file. */
function located(problems: readonly ConfigProblem[], document: SourceDocument): CheckError[] {
  return problems
    .map((one) => locate(one, document))
    .map(({ line, column, message }) => ({ file: document.source, line, column, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

async function casesOf(suite: Incomplete<Suite>, at: Reporter, document: SourceDocument, context: SuiteContext) {
  // Named objects can't refer to each other.
  const alone = { ...context, file: document.source, named: new Map() };
  // A problem outside of the tests would lead to others in each of them.
  const policy = await policyOf(suite.config, at, alone);
  const named = [...(suite.objects ?? [])].map(
    ([name, object]) => [name, resolveObject(object, alone, at.below('objects', name))] as const,
  );
  const scope = { ...alone, named: new Map(named) };
  const defaults = requestOf(suite.defaults ?? {}, scope, at.below('defaults'));
  const isSound = at.problems.every(({ path }) => path[0] === 'tests' && path.length > 1);
  return (suite.tests ?? []).flatMap((test, index) => {
    const here = at.below('tests', index);
    const own = requestOf(test ?? {}, scope, here);
    const hasProblem = at.problems.some(({ path }) => path[0] === 'tests' && path[1] === index);
    if (!test || !isSound || hasProblem) return [];
    return caseOf(test as WrittenTest, { own, defaults, at: here }, policy, document) ?? [];
  });
}

function caseOf(
  { name, change, expect: written }: WrittenTest,
  { own, defaults, at }: Omit<RequestSource, 'change'>,
  policy: Policy | undefined,
  document: SourceDocument,
) {
  const subject = subjectOf({ own, defaults, change, at });
  if (!subject) return undefined;
  const { point = 'webhook', view = 'live', state = [], now, cluster = 'this', clusters } = merged(defaults, own);
  if (clusters && point === 'webhook')
    return at.below('clusters').refuse('no rule compares clusters at the webhook: add point: check (or scan)');
  if (clusters?.has(cluster))
    return at.below('clusters', cluster).refuse('is the cluster that is written to: its objects belong in state');
  const path = [...at.path, 'expect'];
  const expect: Expectation = typeof written === 'string' ? { verdict: written } : written;
  return {
    ...{ file: document.source, name, position: document.locate(at.path), point, policy, subject },
    /** Milliseconds since the epoch; undefined: the time of the run. */
    now,
    /** Whether rules that compare many objects are left to scan, as by the webhook in a cluster. */
    live: point === 'webhook' && view === 'live',
    /** The name of the cluster that is written to, and what others hold, if they are compared. */
    cluster,
    clusters,
    /** All that exists; undefined: nothing is known about other objects. */
    state: state === 'unknown' ? undefined : state,
    expect,
    /** Returns the position of an expectation in the file. */
    positionOf: (key: keyof Expectation): Position =>
      document.locate(typeof written === 'string' ? path : [...path, key]),
  };
}

function requestOf(written: Incomplete<WrittenRequest>, scope: Scope, at: Reporter): TestRequest {
  const { point, view, operation, subresource, dryRun, mutate, now, user, cluster } = written;
  const groups = (user?.groups ?? []).filter((group) => group !== undefined);
  return {
    ...{ point, view, operation, subresource, dryRun, mutate, cluster },
    now: now === undefined ? undefined : parseTime(now),
    user: user?.name === undefined ? undefined : identityOf(user.name, groups),
    state: resolveState(written.state, scope, at.below('state')),
    clusters: written.clusters && resolveClusters(written.clusters, scope, at.below('clusters')),
    object: resolveObject(written.object, scope, at.below('object')),
    oldObject: resolveObject(written.oldObject, scope, at.below('oldObject')),
  };
}

/** Returns the policy of a configuration that is written out or in a file. */
async function policyOf(
  config: Incomplete<Suite>['config'],
  at: Reporter,
  { file, files, boundary, policy }: Scope,
): Promise<Policy | undefined> {
  if (config === undefined) return policy;
  if (typeof config === 'string')
    return files.policy(pathFrom(file, config), boundary, (problem) => at.below('config').refuse(problem));
  const isSound = !at.problems.some(({ path }) => path[0] === 'config');
  return isSound ? policyFrom(config as Partial<MusterConfiguration>) : undefined;
}
