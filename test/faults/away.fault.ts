/**
 * A write while the webhook is away: refused where it is stopped under Fail, and nothing else is; found by a scan where it
 * slipped in; refused by the policies of the floor, as far as these go, with no webhook at all.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDocuments } from '../../src/documents/index.ts';
import type { Enforcement } from '../../src/engine/plan.ts';
import { floor, startFloor } from '../e2e/floor/world.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  runMuster,
  startControlPlane,
  startMuster,
  until,
} from '../e2e/harness/index.ts';
import { SLIPPED } from '../e2e/scan/objects.ts';
import { rulesByObject, scanned } from '../e2e/scan/run.ts';
import { configuration, type Scenario, type Side } from '../e2e/verbs/scenario.ts';
import { scenarios } from '../e2e/verbs/scenarios.ts';
import { type World, worldOf } from '../e2e/verbs/worlds.ts';
import { tallyFloor } from './away/floor.ts';
import { type Tried, tryVerbs } from './away/guarded.ts';
import { FORBIDDEN, slipIn, takeOut } from './away/slipping.ts';
import { STORED, ways } from './away/unguarded.ts';
import { byForm, form, record } from './figure.ts';
import { servingCertificates } from './stage/serving.ts';

/** Of each concept and operation one, or all there are. */
const tried: readonly Scenario[] = form() === 'short' ? oneOfEach(scenarios) : scenarios;
/** Examples of a rule on either side. */
const EXAMPLES = byForm({ short: 2, full: Number.POSITIVE_INFINITY, scheduled: Number.POSITIVE_INFINITY });

const custom = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name: 'probe.example.com' },
  spec: { value: 'x' },
};

/** What a configuration makes of deletions in which a rule can deny them. */
const GUARDING: Enforcement = { deletions: { inventory: true, feature: true }, owners: {}, profileLabel: true };

/** Of an inventory object that is there the API server sends what a rule could deny, and no other change. */
function sidesOf({ on, rule, allowed, forbidden }: Scenario): readonly Side[] {
  if (on === 'UPDATE' && rule.startsWith('inventory/')) return [forbidden];
  return form() === 'short' ? [allowed] : [allowed, forbidden];
}

function oneOfEach(all: readonly Scenario[]): Scenario[] {
  const key = ({ on, rule }: Scenario) => `${on} ${rule.split('/')[0]}`;
  return all.filter((one, index) => all.findIndex((other) => key(other) === key(one)) === index);
}

describe('with a registration', () => {
  let controlPlane: ControlPlane;
  let muster: Muster;
  let world: World;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: 'loose' });
    await grantAccess(controlPlane);
    const certs = await servingCertificates(join(controlPlane.folder, 'serving'));
    muster = await startMuster({ controlPlane, certs, config: configuration });
    world = worldOf(controlPlane);
    await register(controlPlane, muster);
    expect(await dryRun(custom)).toBe(201);
    await muster.kill();
  });
  afterAll(async () => {
    await muster?.kill();
    await controlPlane?.stop();
  });

  /** Whoever sets up is judged by nobody. */
  async function unregister(): Promise<void> {
    for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations']) {
      const { status } = await controlPlane
        .api('admin')
        .call('DELETE', `/apis/admissionregistration.k8s.io/v1/${kind}`);
      expect(status).toBe(200);
    }
    await until('a write without its webhook', async () => (await dryRun(custom)) === 201, 20);
  }

  async function dryRun(object: object): Promise<number> {
    const path = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims?dryRun=All';
    return (await controlPlane.api('jane').call('POST', path, object)).status;
  }

  test('stopped under Fail: every guarded verb of every concept is refused', async () => {
    const outcomes: Tried[] = [];
    let touched = 0;
    for (const scenario of tried.filter(({ on, rule }) => !(on === 'STATUS' && rule.startsWith('inventory/')))) {
      for (const side of sidesOf(scenario)) {
        const round = await tryVerbs(controlPlane, registeredWorld(GUARDING), scenario, side);
        outcomes.push(...round.tried);
        if (!round.untouched) touched += 1;
      }
    }
    const through = outcomes.filter(({ outcome }) => !isRefused(outcome.code, outcome.stderr));
    record(
      'away',
      'stopped under Fail, guarded',
      `${outcomes.length - through.length} of ${outcomes.length} ways of writing refused (${new Set(outcomes.map(({ what }) => what.split(':')[0])).size} operations and kinds); objects changed ${touched}`,
    );
    expect(through.map(({ what, outcome }) => [what, outcome.code, outcome.stderr])).toEqual([]);
    expect(touched).toBe(0);
    expect(outcomes.length).toBeGreaterThan(60);
  }, 1_200_000);

  /** The world of a scenario is stored while nothing is registered, and registered before the verbs are tried. */
  function registeredWorld(enforcement?: Enforcement): World {
    return {
      read: world.read,
      async reset(objects) {
        await unregister();
        await world.reset(objects);
        await register(controlPlane, muster, enforcement ? { enforcement } : {});
      },
    };
  }

  test('stopped under Fail: whatever is not guarded goes on', async () => {
    await registeredWorld().reset(STORED);
    const found: [string, number, string][] = [];
    for (const { what, run } of ways(controlPlane)) {
      const { status, body } = await run();
      found.push([what, status, body.message ?? '']);
    }
    const refused = found.filter(([, status]) => status > 299);
    record(
      'away',
      'stopped under Fail, not guarded',
      `${found.length - refused.length} of ${found.length} other operations went on`,
    );
    expect(refused).toEqual([]);
    // It is away all the while.
    const { body } = await controlPlane
      .api('jane')
      .call('POST', '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims', custom);
    expect(body.message).toContain('failed calling webhook');
  });

  test.each<[string, () => Promise<void>]>([
    ['registration deleted', async () => {}],
    ['away under Ignore', () => register(controlPlane, muster, { failurePolicy: 'Ignore' })],
  ])('%s: what slipped in is reported by a scan, each object by its rules, and nothing else', async (part, away) => {
    await unregister();
    await world.reset([]);
    await controlPlane.api('admin').call('DELETE', '/apis/features.x-k8s.io/v1alpha1/namespaces/kube-system/features');
    await controlPlane
      .api('admin')
      .call('DELETE', '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/muster-system/clusterprofiles');
    await away();
    const stored = await slipIn(controlPlane);
    const { code, report, stderr } = await scanned('--live', '--kubeconfig', controlPlane.kubeconfig('admin'));
    await takeOut(controlPlane);
    const after = await scanned('--live', '--kubeconfig', controlPlane.kubeconfig('admin'));
    const told = rulesByObject(report);
    const names = Object.keys(FORBIDDEN);
    const right = names.filter((name) => JSON.stringify(told[name]) === JSON.stringify(FORBIDDEN[name]));
    const more = Object.keys(told).filter((name) => !names.includes(name));
    record(
      'away',
      part,
      `${stored} objects slipped in, ${names.length} of them forbidden: a scan reported ${right.length} of ${names.length} by their rules, and ${more.length} others`,
    );
    expect({ code, stderr, stored }).toEqual({ code: 1, stderr: '', stored: SLIPPED.length });
    expect(told).toEqual(FORBIDDEN);
    expect([after.code, rulesByObject(after.report)]).toEqual([0, {}]);
  });
});

describe('with the policies of the floor alone', () => {
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    controlPlane = await startFloor('own');
  });
  afterAll(() => controlPlane?.stop());

  test('what `muster manifests --policies` prints is what holds here', async () => {
    const { code, stdout } = await runMuster(['manifests', '--policies']);
    const printed = readDocuments(stdout, 'printed.yaml').documents.map(({ value }) => value);
    const { policies, bindings } = floor();
    expect(code).toBe(0);
    expect(printed).toHaveLength(policies.length + bindings.length);
    expect(printed).toEqual(expect.arrayContaining([...policies, ...bindings]));
  });

  test('what the floor covers is refused, by rule, and what is allowed passes', async () => {
    const { byRule, refused, forbidden, passed, lacking, wrong } = await tallyFloor(controlPlane, EXAMPLES);
    record(
      'away',
      'policies alone',
      `${refused} of ${forbidden} forbidden writes refused (${byRule.join(', ')}); ${passed} allowed ones passed, wrong ${wrong.length}; ` +
        `${lacking} that their rules' pages say the floor lacks passed`,
    );
    expect(wrong).toEqual([]);
    expect(byRule.length).toBeGreaterThan(15);
    expect(passed).toBeGreaterThan(byRule.length);
  }, 600_000);
});

function isRefused(code: number, stderr: string): boolean {
  return code !== 0 && /failed calling webhook "\S+\.validate\.muster"/.test(stderr);
}
