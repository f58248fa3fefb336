/** Dry runs through the API server: what should be refused is, and what is good passes. Nothing is stored. */

import { type Dialect, dialects } from '../../api/dialects.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { MANAGER_LABEL } from '../../rules/inventory/reading.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import type { Examination } from './examination.ts';
import { look } from './look.ts';
import { admitted, answerOf, type ProbeAnswer } from './probe-answer.ts';
import { badProbe, collectionOf, goodProbe, PROBER } from './probe-objects.ts';
import { judgeBad, judgeGood, judgeRead, type Situation } from './probe-verdicts.ts';
import type { Check } from './report.ts';

export interface ProbeFindings {
  readonly checks: readonly Check[];
  /** Whether muster itself was heard: the API server reaches it, and trusts its certificate. */
  readonly answered: boolean;
}

/** Probes every dialect whose API is served. */
export async function probe(examination: Examination, situation: Situation): Promise<ProbeFindings> {
  const results = await Promise.all(dialects.map((dialect) => probeDialect(examination, situation, dialect)));
  return { checks: results.flatMap(({ checks }) => checks), answered: results.some(({ answered }) => answered) };
}

async function probeDialect(examination: Examination, situation: Situation, dialect: Dialect): Promise<ProbeFindings> {
  const version = await servedVersion(examination, dialect);
  if (version === undefined) return { checks: [], answered: false };
  const [bad, good] = [badProbe(dialect, version), goodProbe(dialect, version)];
  const path = `${collectionOf(dialect, version)}?dryRun=All`;
  const create = (body: JsonObject) => dryRun(examination, { method: 'POST', path, body });
  const [refused, taken, read] = await Promise.all([
    bad ? create(bad.object) : misreport(examination, dialect, version),
    create(good.object),
    changeId(examination, dialect, version),
  ]);
  const probed = { examination, situation, dialect };
  const checks = [
    ...(refused ? [judgeBad(probed, bad?.rule ?? 'feature/completion', refused)] : []),
    judgeGood(probed, taken),
    ...(read ? [judgeRead(probed, read)] : []),
  ];
  return { checks, answered: [refused, taken, read].some(isMusters) };
}

/** A refusal that names a rule, or the label that its mutating webhook added. */
function isMusters(answer: ProbeAnswer | undefined): boolean {
  if (answer?.kind === 'refused') return answer.rules.length > 0;
  if (answer?.kind !== 'admitted') return false;
  return at(answer.body, ['metadata', 'labels', MANAGER_LABEL]) !== undefined;
}

/** The newest version we know that the API server serves; whoever is logged in may ask that. */
async function servedVersion(
  { client }: Examination,
  { group, versions, plural }: Dialect,
): Promise<string | undefined> {
  for (const version of [...versions].reverse()) {
    const sight = await look(client, { path: `/apis/${group}/${version}`, right: 'discover APIs' });
    if (sight.kind !== 'found') continue;
    if (listAt(sight.body, ['resources']).some((resource) => textAt(resource, ['name']) === plural)) return version;
  }
  return undefined;
}

/**
 * A status that no feature may have, for one that is there: none of its rules speaks of a new one. A task that nobody
 * gave it is wrong at rest and in a transition. Nothing where there is no feature to see.
 */
async function misreport(
  examination: Examination,
  dialect: Dialect,
  version: string,
): Promise<ProbeAnswer | undefined> {
  const { client, namespace } = examination;
  const root = `/apis/${dialect.group}/${version}`;
  const sight = await look(client, { path: `${root}/${dialect.plural}?limit=100`, right: `list ${dialect.plural}` });
  const features = sight.kind === 'found' ? listAt(sight.body, ['items']) : [];
  const feature = features.find((each) => !['kube-system', namespace].includes(textAt(each, NAMESPACE) ?? ''));
  if (feature === undefined) return undefined;
  const state = textAt(feature, ['status', 'state']) ?? 'Off';
  const name = `namespaces/${textAt(feature, NAMESPACE)}/${dialect.plural}/${textAt(feature, ['metadata', 'name'])}`;
  return dryRun(examination, {
    method: 'PATCH',
    path: `${root}/${name}/status?dryRun=All`,
    body: { status: { state, transitionTasks: [PROBER] } },
    contentType: 'application/merge-patch+json',
  });
}

const NAMESPACE = ['metadata', 'namespace'];

/** A write for which muster has to read another object: another value for the id. Nothing where there is no id to see. */
async function changeId(examination: Examination, dialect: Dialect, version: string): Promise<ProbeAnswer | undefined> {
  for (const name of dialect.claim?.idNames ?? []) {
    const path = `${collectionOf(dialect, version)}/${name}`;
    const sight = await look(examination.client, { path, right: `get ${dialect.plural}.${dialect.group}` });
    if (sight.kind !== 'found') continue;
    const value = textAt(sight.body, ['spec', 'value']) === PROBER ? `${PROBER}-2` : PROBER;
    const contentType = 'application/merge-patch+json';
    return dryRun(examination, { method: 'PATCH', path: `${path}?dryRun=All`, body: { spec: { value } }, contentType });
  }
  return undefined;
}

interface Write {
  readonly method: 'POST' | 'PATCH';
  /** Always with `dryRun=All`. */
  readonly path: string;
  readonly body: JsonObject;
  readonly contentType?: string;
}

async function dryRun({ client }: Examination, write: Write): Promise<ProbeAnswer> {
  try {
    // Longer than all webhooks together may take.
    return admitted(await client.call({ ...write, timeoutMs: 30_000 }));
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return answerOf(error);
  }
}
