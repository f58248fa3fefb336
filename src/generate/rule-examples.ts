/**
 * The examples of a rule in test/fixtures, as its page shows them: manifests, and the messages that the denied ones
 * get.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { addCompared, createResultStore, type Entry, NOWHERE } from '../cli/output/results.ts';
import { createKindScan } from '../cli/scan/kind-scan.ts';

import { dialectOfObject } from '../cluster/files/index.ts';
import { policyOf } from '../config/policy.ts';
import { readDocuments } from '../documents/index.ts';
import { createComparison, createEngine, type Finding, freeze, type Policy } from '../engine/index.ts';
import { subjectOf, viewOf } from '../index.ts';
import { ruleIds } from '../rules/index.ts';
import type { Identity, Operation, Subresource } from '../rules/rule.ts';
import { filesIn } from './artifact.ts';

/** What a page shows of a finding. */
type Shown = Pick<Finding, 'ruleId' | 'field' | 'message'>;

/** The time of the examples. */
const NOW = Date.parse('2026-06-01T00:00:00Z');

interface Fixture {
  readonly operation: Operation;
  readonly subresource?: Subresource;
  readonly user?: Identity;
  readonly now?: string;
  readonly config?: JsonObject;
  readonly state?: readonly JsonObject[];
  readonly old?: JsonObject;
  readonly object?: JsonObject;
  /** What each of several clusters holds, for a rule that compares them. */
  readonly clusters?: Readonly<Record<string, readonly JsonObject[]>>;
}

/**
 * Returns the different messages that the denied examples of a rule get, as users see them: `[rule/id] field: message`.
 */
export async function exampleMessages(root: string, ruleId: string): Promise<readonly string[]> {
  const files = filesIn(root, `test/fixtures/${ruleId}/deny`).filter((path) => path.endsWith('.yaml'));
  const messages = new Set<string>();
  for (const file of files) {
    const [document] = readDocuments(readFileSync(join(root, file), 'utf8'), file).documents;
    const findings = await evaluate(document?.value as unknown as Fixture);
    for (const finding of findings) {
      if (finding.ruleId === ruleId) messages.add(`[${ruleId}] ${finding.field}: ${finding.message}`);
    }
  }
  return [...messages];
}

async function evaluate(fixture: Fixture): Promise<readonly Shown[]> {
  const now = fixture.now === undefined ? NOW : Date.parse(fixture.now);
  const configuration = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...fixture.config };
  const { policy } = policyOf(configuration, ruleIds, now);
  const clock = () => now;
  if (fixture.clusters !== undefined) {
    const findings = compare(fixture.clusters, policy, clock);
    // Some rules apply in a scan only.
    return findings.length > 0 ? findings : scan(fixture.clusters, policy, clock);
  }
  const { operation, subresource = '', user: identity = { username: 'jane', groups: [] }, old, object } = fixture;
  const written = operation === 'DELETE' ? old : object;
  const subject = subjectOf(written ?? {}, { operation, subresource, identity, ...(old && { oldObject: old }) });
  if (subject === undefined) return [];
  const engine = createEngine({ ...(policy && { policy }), point: 'webhook', clock });
  return (await engine.evaluate(subject, viewOf(fixture.state ?? []))).findings;
}

function compare(
  clusters: NonNullable<Fixture['clusters']>,
  policy: Policy | undefined,
  clock: () => number,
): readonly Shown[] {
  const comparison = createComparison<string>({ policy, point: 'check', isAcross: true, clock });
  for (const [cluster, objects] of Object.entries(clusters)) {
    const part = comparison.begin(cluster);
    for (const object of objects) {
      const dialect = dialectOfObject(object);
      if (dialect) part.add(dialect, freeze(object), cluster);
    }
    part.commit();
  }
  return comparison.finish().flatMap(({ verdict }) => verdict.findings);
}

async function scan(
  clusters: NonNullable<Fixture['clusters']>,
  policy: Policy | undefined,
  clock: () => number,
): Promise<readonly Shown[]> {
  const results = createResultStore();
  const comparison = createComparison<Entry>({ policy, point: 'scan', isAcross: true, clock });
  for (const [cluster, objects] of Object.entries(clusters)) {
    const ofKinds = Map.groupBy(objects, (object) => dialectOfObject(object));
    for (const [dialect, same] of ofKinds) {
      if (dialect === undefined) continue;
      const kind = createKindScan({ policy, dialect, results, comparison, cluster, clock });
      for (const object of same) {
        const version = String(object['apiVersion']).replace(/^.*\//, '');
        await kind.add({ dialect, version, object, source: cluster, position: NOWHERE });
      }
      await kind.finish();
    }
  }
  addCompared(comparison);
  return results.entries.flatMap(({ result }) => result.findings);
}

/** What the parts of a fixture are to a reader. */
const TITLES: Readonly<Record<string, string>> = {
  config: 'muster.yaml',
  state: 'stored in the cluster',
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
  const documents = ['config', 'state', 'old', 'object'].flatMap((key) => {
    const block = parts.get(key);
    if (block === undefined) return [];
    const comment = `# ${title(key)}${key === 'object' ? user : ''}`;
    const body = indented(block);
    return body.startsWith('- ') ? itemsIn(body).map((item) => `${comment}\n${item}`) : [`${comment}\n${body}`];
  });
  const clusters = indented(parts.get('clusters') ?? '').split(/^(?=\S+:)/m);
  const ofClusters = clusters.flatMap((block) => {
    const cluster = block.slice(0, block.indexOf(':'));
    return cluster === '' ? [] : itemsIn(indented(block)).map((item) => `# in the cluster ${cluster}\n${item}`);
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
