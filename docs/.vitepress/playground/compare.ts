/**
 * Evaluates two clusters as `muster check --cluster east=… --cluster west=…` does: each object, then those of both
 * together.
 */

import { dialects } from '../../../src/api/dialects.ts';
import { service } from '../../../src/api/supporting-kinds.ts';
import { verdictAtEnd } from '../../../src/engine/end-of-run.ts';
import { createComparison, createEngine, type Policy } from '../../../src/engine/index.ts';
import { referenceOfObject } from '../../../src/engine/review.ts';
import { comparedKindOf, type InputObject } from '../../../src/input/objects.ts';
import { createRunView } from '../../../src/input/view.ts';
import { subjectOf } from '../../../src/library.ts';
import { type PlacedFinding, placeIn } from './evaluate.ts';
import { createInput, type Mark } from './input.ts';
import type { Clusters } from './scenario.ts';

export const CLUSTERS = ['first', 'second'] as const;

interface ClustersResult {
  /** What can't be read. Then there is no verdict. */
  readonly problems: readonly Mark[];
  readonly outcome?: 'allowed' | 'denied' | 'indeterminate';
  /** The editor of a finding is that of its cluster. */
  readonly findings: readonly PlacedFinding[];
}

interface OneCluster {
  readonly editor: string;
  readonly objects: readonly InputObject[];
}

/** Evaluates the objects of two clusters. Never rejects: what can't be read is in `problems`. */
export async function compareClusters(clusters: Clusters): Promise<ClustersResult> {
  const input = createInput();
  const policy = input.policy('configuration', clusters.configuration, Date.now());
  const objects = CLUSTERS.map((editor) => ({
    editor,
    name: clusters[`${editor}Name`].trim(),
    objects: input.objects(editor, clusters[editor]),
  }));
  const [first, second] = objects.map(({ name }) => name);
  if (first === '' || second === '') input.fail('cluster', 'each cluster needs a name');
  if (first === second) input.fail('cluster', 'the names of the clusters must differ');
  if (policy === undefined || input.problems.length > 0) return { problems: input.problems, findings: [] };
  const findings: PlacedFinding[] = [];
  const comparison = createComparison<ReturnType<typeof placeIn>>({ point: 'check', isAcross: true, policy });
  for (const cluster of objects) {
    const part = comparison.begin(cluster.name);
    for (const { object, place, found, isStored } of await evaluateAll(cluster, policy)) {
      findings.push(...found);
      const kind = comparedKindOf(object);
      if (kind && isStored) part.add(kind, object, place);
    }
    // As for check: where a cluster has not one Service, its Services are elsewhere.
    const hasServices = cluster.objects.some(({ object }) => comparedKindOf(object) === service);
    part.commit(new Map(hasServices ? [[service, undefined]] : []));
  }
  for (const { handle: place, places, verdict } of await comparison.finish())
    findings.push(...verdict.findings.map((one) => (places.get(one) ?? place)(one, one.action)));
  return { problems: [], findings, outcome: outcomeOf(findings) };
}

/** Evaluates the objects of one cluster, in order. A denied one is not stored. */
async function evaluateAll({ editor, objects }: OneCluster, policy: Policy) {
  const engine = createEngine({ point: 'check', policy });
  const view = createRunView({ state: [], known: dialects });
  const results = [];
  for (const one of objects) {
    const { object } = one;
    const subject = subjectOf(object);
    const place = placeIn(editor, one);
    const verdict = subject && (await engine.evaluate(subject, view));
    if (subject && verdict?.outcome !== 'denied') view.store(referenceOfObject(subject.dialect, object), object);
    results.push({ object, place, subject, verdict });
  }
  return Promise.all(
    results.map(async ({ object, place, subject, verdict: first }) => {
      const verdict = subject && first && (await verdictAtEnd(engine, { subject, verdict: first }, view));
      const found = [
        ...(verdict?.findings ?? []).map((finding) => place(finding, finding.action)),
        ...(verdict?.indeterminate ?? []).map((rule) => place({ ...rule, path: [] }, 'indeterminate')),
      ];
      return { object, place, found, isStored: verdict?.outcome !== 'denied' };
    }),
  );
}

function outcomeOf(findings: readonly PlacedFinding[]): 'allowed' | 'denied' | 'indeterminate' {
  if (findings.some(({ action }) => action === 'deny')) return 'denied';
  return findings.some(({ action }) => action === 'indeterminate') ? 'indeterminate' : 'allowed';
}
