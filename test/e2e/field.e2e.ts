/**
 * The tools of the field, each with its own way to write, against a real API server: Argo CD, Flux, Helm, kapp and others, while
 * muster is up, replaced and away. The tables of docs/integrations are made of the same scenarios.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Field, fieldOf } from './field/field.ts';
import type { Scenario } from './field/scenario.ts';
import { scenarios } from './field/scenarios/index.ts';
import { ensureTools, type Tools, whyNoTools } from './field/tools.ts';
import { FLOW_NAMESPACES, startWorld, type World } from './field/world.ts';
import { say } from './harness/index.ts';
import { worldOf } from './verbs/worlds.ts';

const reason = whyNoTools();
const required = process.env['E2E'] === 'required';
if (reason !== undefined && !required) say(`the field scenarios did not run: ${reason}`);
const suite = reason === undefined || required ? describe : describe.skip;

const fields = new Map<Scenario, Field>();
let world: World;
let tools: Tools;

async function prepare(scenario: Scenario): Promise<Field> {
  const field = await fieldOf(world, tools, scenario, fields.size + 1);
  fields.set(scenario, field);
  await scenario.before?.(field);
  return field;
}

const nameOf = ({ tool, title }: Scenario) => `${tool}: ${title}`;

/** Each begins with no claims; muster is up when it prepares and when it runs. */
function present(state: 'up' | 'restarting', managers?: true): void {
  describe(`muster is ${state}${managers ? ', managers are configured' : ''}`, () => {
    beforeAll(() => world.configure(managers ? 'managers' : 'plain'));

    test.each(chosen(state, managers).map((scenario) => [nameOf(scenario), scenario] as const))(
      '%s',
      async (_, scenario) => {
        await worldOf(world.controlPlane).reset([]);
        await scenario.run(await prepare(scenario));
      },
    );
  });
}

/** All are prepared before muster goes: nobody could, after. */
function away(managers?: true): void {
  describe(`muster is away${managers ? ', managers are configured' : ''}`, () => {
    const here = chosen('away', managers);
    beforeAll(async () => {
      await world.configure(managers ? 'managers' : 'plain');
      await worldOf(world.controlPlane).reset([]);
      await member();
      for (const scenario of here) await prepare(scenario);
      await world.leave();
    });

    test.each(here.map((scenario) => [nameOf(scenario), scenario] as const))('%s', async (_, scenario) => {
      const field = fields.get(scenario);
      expect(field).toBeDefined();
      if (field !== undefined) await scenario.run(field);
    });
  });
}

/** The cluster of those scenarios is in a ClusterSet. */
async function member(): Promise<void> {
  const of = (name: string, value: string) => ({
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name },
    spec: { value },
  });
  await world.controlPlane.apply(of('id.k8s.io', 'a'), of('clusterset.k8s.io', 'set'));
}

function chosen(muster: Scenario['muster'], managers?: true): Scenario[] {
  return scenarios.filter((scenario) => scenario.muster === muster && scenario.managers === managers);
}

suite('in the field', () => {
  beforeAll(async () => {
    tools = await ensureTools(say);
    world = await startWorld();
    const namespaces = FLOW_NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    await world.controlPlane.apply(...namespaces);
  }, 900_000);
  afterAll(() => world?.stop());

  present('up');
  present('restarting');
  away();
  present('up', true);
  away(true);
});
