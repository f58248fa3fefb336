/**
 * The CRD of ClusterProfiles in the one respect in which that of cluster-inventory-api differs for tools: CEL in it
 * refuses another `spec.clusterManager` with 422, before any validating webhook is called.
 */
import { clusterProfile } from '../../../../src/api/dialects.ts';
import { type Json, looseDefinition, until } from '../harness/index.ts';
import type { Field } from './field.ts';
import { managed, profile } from './objects.ts';
import { type Step, step } from './steps.ts';

const LOOSE: Json = looseDefinition(clusterProfile);
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const clusterManager = {
  type: 'object',
  properties: { name: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'ClusterManager is immutable' }],
};
const openAPIV3Schema = { ...open, properties: { spec: { ...open, properties: { clusterManager } } } };
const versions = LOOSE.spec.versions.map((version: Json) => ({ ...version, schema: { openAPIV3Schema } }));
const STRICT: Json = { ...LOOSE, spec: { ...LOOSE.spec, versions } };

/** Runs steps while the CRD itself refuses another manager. */
export const whileCrdFixesManager = (...steps: readonly Step[]): Step =>
  step(async (field) => {
    await install(field, STRICT, 422);
    try {
      for (const { run } of steps) await run(field);
    } finally {
      await install(field, LOOSE, 200);
    }
  });

/** Returns once the API server answers so to a change of the manager by the administrator, whom muster exempts. */
async function install({ cluster, fill, store }: Field, definition: Json, status: number): Promise<void> {
  const { controlPlane } = cluster;
  await controlPlane.apply(definition);
  const probe = fill(profile('probe', managed('fleet'), { namespace: '{field}' }));
  await store(probe);
  const path = `${await controlPlane.pathOf(probe)}?dryRun=All`;
  const change = managed('another');
  const options = { contentType: 'application/merge-patch+json' };
  await until(`the CRD to answer ${status} to another manager`, async () => {
    const answer = await controlPlane.api('admin').call('PATCH', path, change, options);
    return answer.status === status;
  });
}
