/**
 * Writes while no replica answers: guarded ones are refused under Fail, and nothing else is; what was stored unchecked
 * is found by a scan; without a webhook the fallback policies refuse what they can.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_ENFORCEMENT, type Enforcement } from '../../../src/manifests/requirements.ts';
import { examples } from '../../support/examples.ts';
import { claim } from '../../support/objects.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  servingCertificates,
  startControlPlane,
  startMuster,
  until,
} from '../e2e/harness/index.ts';
import { expressed, startWithPolicies } from '../e2e/policies/cluster.ts';
import { tryExample } from '../e2e/policies/examples.ts';
import { EXPECTED, removeAll, rulesByObject, STORED, scanned, storeAll } from '../e2e/scan/objects.ts';
import { configuration, type Scenario, scenarios } from '../e2e/verbs/scenarios.ts';
import { type State, stateOf } from '../e2e/verbs/state.ts';
import { fits, prepare, verbs } from '../e2e/verbs/verbs.ts';
import { PREPARED, UNGUARDED } from './away/unguarded.ts';
import { byForm, form, record } from './figures.ts';

/** One of each concept and operation, or all. */
const tried: readonly Scenario[] = byForm(oneOfEach(), scenarios).filter(
  ({ on, rule }) => !(on === 'STATUS' && rule.startsWith('inventory/')),
);
/** With a configuration whose rules can deny deletions. */
const GUARDING: Enforcement = {
  ...DEFAULT_ENFORCEMENT,
  webhooks: {
    ...DEFAULT_ENFORCEMENT.webhooks,
    'membership-deletions': 'deny',
    'inventory-deletions': 'deny',
    'feature-deletions': 'deny',
  },
  profileLabel: true,
};

function oneOfEach(): Scenario[] {
  const key = ({ on, rule }: Scenario) => `${on} ${rule.split('/')[0]}`;
  return scenarios.filter((one, index) => scenarios.findIndex((other) => key(other) === key(one)) === index);
}

/** What they allow is done to a claim with a name of its own. */
const OF_OWN_CLAIMS = ['claim/reserved-name', 'claim/clusterset-immutable'];

/** Of claims with names of their own, and of inventory objects, the API server sends only what a rule could deny. */
function sidesOf({ on, rule, allowed, forbidden }: Scenario) {
  if (OF_OWN_CLAIMS.includes(rule)) return [forbidden];
  if ((on === 'CREATE' || on === 'UPDATE') && rule.startsWith('inventory/')) return [forbidden];
  return form() === 'short' ? [allowed] : [allowed, forbidden];
}

describe('with a registration', () => {
  let controlPlane: ControlPlane;
  let muster: Muster;
  let state: State;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ crds: 'loose' });
    await grantAccess(controlPlane);
    const certs = await servingCertificates(join(controlPlane.folder, 'serving'));
    muster = await startMuster({ controlPlane, certs, config: configuration });
    state = stateOf(controlPlane);
    await register(controlPlane, muster, { timeoutSeconds: 'printed' });
    expect(await dryRun()).toBe(201);
    await muster.kill();
  });
  afterAll(() => controlPlane?.stop());

  async function unregister(): Promise<void> {
    for (const kind of ['validating', 'mutating']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`;
      expect((await controlPlane.api('admin').call('DELETE', path)).status).toBe(200);
    }
    await until('a write without its webhook', async () => (await dryRun()) === 201);
  }

  async function dryRun(): Promise<number> {
    const path = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims?dryRun=All';
    return (await controlPlane.api('jane').call('POST', path, claim('probe', 'x'))).status;
  }

  /** Objects are stored while nothing is registered. */
  const registered = (enforcement?: Enforcement): State => ({
    read: state.read,
    async reset(objects) {
      await unregister();
      await state.reset(objects);
      await register(controlPlane, muster, { timeoutSeconds: 'printed', ...(enforcement && { enforcement }) });
    },
  });

  test('under Fail every guarded way of writing is refused, for every concept', async () => {
    const outcomes: { what: string; code: number; stderr: string }[] = [];
    const changed: string[] = [];
    for (const scenario of tried) {
      for (const side of sidesOf(scenario)) {
        const attempt = await prepare(controlPlane, registered(GUARDING), side);
        for (const verb of verbs.filter((one) => fits(one, scenario) && !one.unsupported && !one.recreates)) {
          const { code, stderr } = await verb.run(attempt);
          outcomes.push({ what: `${scenario.on} ${attempt.target[0]}: ${verb.title}`, code, stderr });
        }
        const after = await state.read(attempt.before ?? attempt.after);
        if (JSON.stringify(after) !== JSON.stringify(attempt.before))
          changed.push(`${scenario.on} ${attempt.target[0]}`);
      }
    }
    const refused = /failed calling webhook "\S+\.validate\.muster"/;
    const passed = outcomes.filter(({ code, stderr }) => code === 0 || !refused.test(stderr));
    const result = `${outcomes.length - passed.length} of ${outcomes.length} refused`;
    record('away', 'stopped under Fail, guarded', `${result}; objects changed ${changed.length}`, result);
    expect(passed).toEqual([]);
    expect(changed).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(60);
  });

  test('under Fail everything that is not guarded goes on', async () => {
    await registered().reset(PREPARED);
    const refused: unknown[] = [];
    for (const [method, path, body, headers = {}] of UNGUARDED) {
      const answer = await controlPlane.api('admin').call(method, path, body, { headers });
      if (answer.status > 299) refused.push([method, path, answer.status, answer.body.message]);
    }
    const figure = `${UNGUARDED.length - refused.length} of ${UNGUARDED.length} other operations went on`;
    record('away', 'stopped under Fail, not guarded', figure);
    expect(refused).toEqual([]);
    expect(await dryRun()).toBe(500);
  });

  test.each<[string, () => Promise<void>]>([
    ['registration deleted', async () => {}],
    ['away under Ignore', () => register(controlPlane, muster, { timeoutSeconds: 'printed', failurePolicy: 'Ignore' })],
  ])('%s: what was stored unchecked is reported by a scan, and nothing else', async (part, change) => {
    await unregister();
    await state.reset([]);
    const admin = controlPlane.api('admin');
    await admin.call('DELETE', '/apis/features.x-k8s.io/v1alpha1/namespaces/kube-system/features');
    await admin.call('DELETE', '/apis/multicluster.x-k8s.io/v1alpha2/namespaces/muster-system/clusterprofiles');
    await change();
    const stored = await storeAll(controlPlane, 'jane');
    const live = ['--live', '--kubeconfig', controlPlane.kubeconfig('admin')];
    const { code, report } = await scanned(...live);
    await removeAll(controlPlane);
    const after = await scanned(...live);
    const found = rulesByObject(report);
    const right = Object.keys(EXPECTED).filter(
      (name) => JSON.stringify(found[name]) === JSON.stringify(EXPECTED[name]),
    );
    const result = `${right.length} of ${Object.keys(EXPECTED).length} reported`;
    record(
      'away',
      part,
      `${stored} objects stored: ${result} by their rules`,
      part.startsWith('registration') ? result : undefined,
    );
    expect({ code, stored, found }).toEqual({ code: 1, stored: STORED.length, found: EXPECTED });
    expect([after.code, rulesByObject(after.report)]).toEqual([0, {}]);
  });
});

// The short form leaves it to test/system/e2e/policies.e2e.ts, which tries every example in the same way.
const policiesAlone = form() === 'short' ? describe.skip : describe;
policiesAlone('with the fallback policies alone', () => {
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    controlPlane = await startWithPolicies();
  });
  afterAll(() => controlPlane?.stop());

  test('what the policies express is refused, and what is allowed passes', async () => {
    const mistakes: string[] = [];
    const counts = { refused: 0, forbidden: 0, passed: 0, lacking: 0 };
    for (const example of examples.filter(({ ruleId }) => expressed.some(({ id }) => id === ruleId))) {
      const one = await tryExample(controlPlane, example);
      const { mistake } = one;
      if (mistake !== undefined) mistakes.push(`${example.file}: ${mistake}`);
      if (one.lacking) counts.lacking += 1;
      else if (one.denying.length === 0) counts.passed += one.stored ? 1 : 0;
      else {
        counts.forbidden += 1;
        counts.refused += mistake === undefined ? 1 : 0;
      }
    }
    const result = `${counts.refused} of ${counts.forbidden} refused`;
    const more = `${counts.passed} allowed ones passed; ${counts.lacking} passed that docs/fallback-policies.md lists; wrong ${mistakes.length}`;
    record('away', 'policies alone', `forbidden writes: ${result}; ${more}`, result);
    expect(mistakes).toEqual([]);
    expect(counts.forbidden).toBeGreaterThan(20);
  });
});
