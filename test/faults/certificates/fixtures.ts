/** Reviews of the fixtures of every rule, and of times that a clock half an hour off takes for others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Json } from '../../e2e/harness/index.ts';
import { reviewOf } from './probe.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures', import.meta.url));

export interface NamedReview {
  readonly name: string;
  readonly review: Json;
}

export function fixtureReviews(): NamedReview[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
  const fixtures = files.map((name) => ({ name, ...parse(readFileSync(join(FOLDER, name), 'utf8')) }));
  const asked = fixtures.filter(({ operation, object, old }) => operation && (object ?? old)?.metadata?.name);
  return [
    ...asked.map(({ name, operation, subresource, object, old }) => ({
      name,
      review: reviewOf({ operation, subresource, object, old }),
    })),
    { name: 'a time that is over by a fast clock', review: timed(15) },
    { name: 'a time that is not yet over by a slow clock', review: timed(-15) },
  ];
}

/** A feature that ends to wait for its clients, whose time is so many minutes from now. */
function timed(minutes: number): Json {
  const feature = (status: object) => ({
    apiVersion: 'features.x-k8s.io/v1alpha1',
    kind: 'Feature',
    metadata: { name: 'timed', namespace: 'default' },
    spec: {},
    status: { default: 'Enabled', source: 'Default', ...status },
  });
  const useEvaluationTime = new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  const old = feature({ state: 'TurningOn', transitionTasks: ['WaitForUses'], useEvaluationTime });
  return reviewOf({
    operation: 'UPDATE',
    subresource: 'status',
    old,
    object: feature({ state: 'On', transitionTasks: [] }),
  });
}
