/**
 * Reads the examples of a rule in test/fixtures for its page: the manifests, and the messages on those that are denied.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { createKindScan } from '../../src/cli/scan/kind-scan.ts';
import { heldAnswer, reservationIn, reservationName } from '../../src/cluster/registrar/reservation.ts';
import { policyOf } from '../../src/config/policy.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { createComparison, createEngine, type Finding, freeze, type Policy } from '../../src/engine/index.ts';
import { referenceOfObject } from '../../src/engine/review.ts';
import { createStoredEngine } from '../../src/engine/stored-objects.ts';
import { createResultStore, NOWHERE } from '../../src/evaluation/results.ts';
import { createRunComparison } from '../../src/evaluation/run-comparison.ts';
import { subjectOf, viewOf } from '../../src/index.ts';
import { comparedKindOf } from '../../src/input/objects.ts';
import { ruleIds } from '../../src/rules/index.ts';
import type { ClusterIdentity, Identity, Operation, Subresource } from '../../src/rules/rule.ts';
import { filesIn } from './artifact.ts';

/** The part of a finding that the page shows. */
type Shown = Pick<Finding, 'ruleId' | 'action' | 'field' | 'message'>;

/** The time of the examples. */
const NOW = Date.parse('2026-06-01T00:00:00Z');

interface Fixture {
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly user?: Identity;
  readonly now?: string;
  readonly config?: JsonObject;
  readonly state?: readonly JsonObject[];
  /** The Leases of the registrar's hub. */
  readonly hub?: readonly JsonObject[];
  readonly old?: JsonObject;
  readonly object?: JsonObject;
  /** What each of several clusters holds, for a rule that compares them. */
  readonly clusters?: Clusters;
  /** What they held before, for a rule on changes. */
  readonly before?: Clusters;
  /** Whether these are all clusters of their ClusterSets. */
  readonly complete?: boolean;
}

type Clusters = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Returns the different messages that the denied examples of a rule get, as users see them: `[rule/id] field: message`.
 */
export async function exampleMessages(root: string, ruleId: string): Promise<readonly string[]> {
  const files = filesIn(root, `test/fixtures/${ruleId}/deny`).filter((path) => path.endsWith('.yaml'));
  const messages = new Set<string>();
  for (const file of files) {
    const [document] = readDocuments(readFileSync(join(root, file), 'utf8'), file).documents;
    const findings = await evaluate(document?.value as unknown as Fixture, ruleId);
    for (const finding of findings) {
      if (finding.ruleId === ruleId) messages.add(`[${ruleId}] ${finding.field}: ${finding.message}`);
    }
  }
  return [...messages];
}

async function evaluate(fixture: Fixture, ruleId: string): Promise<readonly Shown[]> {
  const now = fixture.now === undefined ? NOW : Date.parse(fixture.now);
  const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...fixture.config };
  const { policy } = policyOf(configuration, ruleIds, now);
  const clock = () => now;
  if (fixture.clusters !== undefined) return compareFixture(fixture, ruleId, policy, clock);
  const { operation, subresource = '', user: identity = { username: 'jane', groups: [] }, old, object } = fixture;
  const written = operation === 'DELETE' ? old : object;
  const subject = subjectOf(written ?? {}, { operation, subresource, identity, ...(old && { oldObject: old }) });
  if (subject === undefined) return [];
  const engine = createEngine({ policy, point: 'webhook', clock });
  const reservations = (fixture.hub ?? []).map(reservationIn);
  const reserve = (identity: ClusterIdentity) => {
    const found = reservations.find((one) => one?.name === reservationName(identity));
    return found ? heldAnswer(found) : ({ kind: 'ours' } as const);
  };
  return (await engine.evaluate(subject, { ...viewOf(fixture.state ?? []), reserve })).findings;
}

/** Returns the findings of a rule when clusters are compared at `check`; if there are none, those of a scan. */
export async function compareFixture(
  { clusters = {}, before, complete }: Pick<Fixture, 'clusters' | 'before' | 'complete'>,
  ruleId: string,
  policy: Policy | undefined,
  clock: () => number,
): Promise<readonly Shown[]> {
  const comparisonOf = (held: Clusters) => {
    const comparison = createComparison<string>({ policy, point: 'check', isAcross: true, clock });
    for (const [cluster, objects] of Object.entries(held)) {
      const part = comparison.begin(cluster);
      for (const object of objects) {
        const kind = comparedKindOf(object);
        if (kind) part.add(kind, freeze(object), cluster);
      }
      part.commit();
    }
    return comparison;
  };
  const compared = comparisonOf(clusters).finish(before && comparisonOf(before));
  const ofRule = (findings: readonly Shown[]) => findings.filter((finding) => finding.ruleId === ruleId);
  const findings = ofRule(compared.flatMap(({ verdict }) => verdict.findings));
  return findings.length > 0 ? findings : ofRule(await scan(clusters, complete, policy, clock));
}

async function scan(
  clusters: Clusters,
  isComplete: boolean | undefined,
  policy: Policy | undefined,
  clock: () => number,
): Promise<readonly Shown[]> {
  const results = createResultStore();
  const comparison = createRunComparison({
    policy,
    point: 'scan',
    isComplete,
    clock,
  });
  const engine = createStoredEngine(policy, clock);
  for (const [cluster, objects] of Object.entries(clusters)) {
    const part = comparison.begin(cluster);
    const ofKinds = Map.groupBy(objects, (object) => comparedKindOf(object));
    for (const [dialect, same] of ofKinds) {
      if (dialect?.concept === undefined) {
        for (const object of same) if (dialect) part.add(dialect, object, { place: { cluster }, locate: () => ({}) });
        continue;
      }
      const kind = createKindScan({ engine, dialect, results, comparison, cluster });
      for (const object of same) {
        const version = String(object['apiVersion']).replace(/^.*\//, '');
        const reference = referenceOfObject(dialect, object);
        await kind.add({ reference, version, object, place: { file: cluster }, position: NOWHERE });
      }
      await kind.finish();
    }
    part.commit();
  }
  comparison.finish();
  return results.entries.flatMap(({ result }) => result.findings);
}

/** The comments for the parts of a fixture. */
const TITLES: Readonly<Record<string, string>> = {
  config: 'muster.yaml',
  state: 'stored in the cluster',
  hub: 'stored in the hub',
  old: 'the stored object',
  object: 'the written object',
};

/** Returns the first comment of a fixture, which says what it shows, as a sentence. */
export function captionOf(fixture: string): string {
  const comment = /^# (.+)$/m.exec(fixture)?.[1] ?? '';
  return `${comment.charAt(0).toUpperCase()}${comment.slice(1)}.`;
}

/** Returns a fixture as YAML documents, each with a comment that says what it is; the text of each is kept. */
export function manifestsIn(fixture: string): string {
  const blocks = fixture.split(/^(?=[a-z]\w*:)/m).filter((block) => !block.startsWith('#'));
  const parts = new Map(blocks.map((block) => [block.slice(0, block.indexOf(':')), block]));
  const isDelete = /DELETE/.test(parts.get('operation') ?? '');
  const by = /username: "?([^",}]+)/.exec(parts.get('user') ?? '')?.[1];
  const user = by === undefined ? '' : `, by the user ${by.trim()}`;
  const title = (key: string) => (key === 'old' && isDelete ? `the deleted object${user}` : TITLES[key]);
  const documents = ['config', 'state', 'hub', 'old', 'object'].flatMap((key) => {
    const block = parts.get(key);
    if (block === undefined) return [];
    const comment = `# ${title(key)}${key === 'object' ? user : ''}`;
    const body = indented(block);
    return body.startsWith('- ') ? itemsIn(body).map((item) => `${comment}\n${item}`) : [`${comment}\n${body}`];
  });
  const ofClusters = ['before', 'clusters'].flatMap((key) => {
    const when = key === 'before' ? ', before' : parts.has('before') ? ', now' : '';
    return indented(parts.get(key) ?? '')
      .split(/^(?=\S+:)/m)
      .flatMap((block) => {
        const comment = `# in the cluster ${block.slice(0, block.indexOf(':'))}${when}`;
        return block === '' ? [] : itemsIn(indented(block)).map((item) => `${comment}\n${item}`);
      });
  });
  return [...documents, ...ofClusters].join('\n---\n');
}

/** Returns the lines below the key of a block, without their indentation. */
function indented(block: string): string {
  const [, ...lines] = block.trimEnd().split('\n');
  return lines.map((line) => line.slice(2)).join('\n');
}

/** Returns the items of a list, each without its dash. */
function itemsIn(list: string): readonly string[] {
  const items = list.split(/^- /m).filter((item) => item !== '');
  return items.map((item) => item.trimEnd().replace(/^ {2}/gm, ''));
}
