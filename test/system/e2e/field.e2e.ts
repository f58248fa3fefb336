/**
 * Well-known tools with their own ways to write, on a real API server: Argo CD, Flux, Helm, kapp and others, while
 * muster is up, replaced and away. The tables of docs/integrations are made of the same scenarios.
 */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { type FieldCluster, FLOW_NAMESPACES, MIGRATES, startCluster } from './field/cluster.ts';
import { type Field, fieldOf } from './field/field.ts';
import type { MusterState, Scenario } from './field/scenario.ts';
import { tools as byTool } from './field/scenarios/index.ts';
import { ensureTools, say, type Tools, whyNoTools } from './harness/index.ts';
import { id, membership, newNamespace } from './verbs/objects.ts';
import { stateOf } from './verbs/state.ts';

const reason = process.env['E2E'] === 'required' ? undefined : whyNoTools();
if (reason !== undefined) say(`the field scenarios did not run: ${reason}`);
const suite = reason === undefined ? describe : describe.skip;

const fields = new Map<Scenario, Field>();
let cluster: FieldCluster;
let tools: Tools;

/** Runs the steps that prepare what is stored. */
async function prepare(scenario: Scenario): Promise<Field> {
  const field = await fieldOf(cluster, tools, fields.size + 1);
  fields.set(scenario, field);
  for (const step of scenario.steps) if (step.before) await step.run(field);
  return field;
}

function run(muster: MusterState, managers = false): void {
  const rows = byTool.flatMap(({ tool, scenarios }) =>
    scenarios
      .filter((scenario) => scenario.muster === muster && scenario.managers === managers)
      .filter(({ pattern }) => MIGRATES || !pattern.startsWith('StorageVersionMigration'))
      .map((scenario) => [`${tool}: ${scenario.pattern}: ${scenario.result}`, scenario] as const),
  );
  describe(`muster is ${muster}${managers ? ', managers are configured' : ''}`, () => {
    beforeAll(async () => {
      await cluster.configure(managers ? 'managers' : 'plain');
      if (muster !== 'away') return;
      // All are prepared while muster is still up. The cluster is in a ClusterSet.
      await stateOf(cluster.controlPlane).reset([id, membership]);
      for (const [, scenario] of rows) await prepare(scenario);
      await cluster.leave();
    });

    test.each(rows)('%s', async (_, scenario) => {
      if (muster !== 'away') await stateOf(cluster.controlPlane).reset([]);
      const field = fields.get(scenario) ?? (await prepare(scenario));
      for (const step of scenario.steps) if (!step.before) await step.run(field);
    });
  });
}

suite('in the field', () => {
  beforeAll(async () => {
    tools = await ensureTools();
    cluster = await startCluster();
    const namespaces = FLOW_NAMESPACES.map(newNamespace);
    await cluster.controlPlane.apply(...namespaces);
  });
  afterAll(() => cluster?.stop());

  run('up');
  run('restarting');
  run('away');
  run('up', true);
  run('away', true);
});
