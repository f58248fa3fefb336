/**
 * Services of two clusters that Cilium v1.19.0 joins: what its controllers write is what muster says of the same
 * exports, live and before the apply. Each difference is in `cilium/pairs.ts` and docs/integrations/cilium.md.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPolicy } from '../../../src/engine/policy.ts';
import { requiredEnforcement } from '../../../src/manifests/requirements.ts';
import type { CheckReport } from '../../../src/report/report.ts';
import { foundOn, serviceIn } from './cilium/findings.ts';
import { MEMBERS, type Mesh, startMesh } from './cilium/mesh.ts';
import { PAIRS, reasonsOf } from './cilium/pairs.ts';
import { createRepository } from './cilium/repository.ts';
import { createNamespace, exportAll, withdraw, writtenIn } from './cilium/shop.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  say,
  startMuster,
  until,
  whyNoCilium,
} from './harness/index.ts';
import { scanned } from './scan/objects.ts';

const reason = whyNoCilium();
if (reason !== undefined) say(`cilium.e2e.ts is skipped: ${reason}`);

(reason === undefined ? describe : describe.skip)("with Cilium's controllers", () => {
  let mesh: Mesh;
  /** What `check` says of the pairs in files, before anything is applied; and of the older exports' deletion. */
  let forecast: CheckReport;
  let removals: CheckReport;
  /** One before each cluster, from the first export on. */
  let servers: readonly Muster[] = [];
  beforeAll(async () => {
    const repository = createRepository(PAIRS);
    forecast = await repository.check('-q');
    repository.commit();
    for (const { name } of PAIRS) repository.withdraw('east', name);
    removals = await repository.check('--base-ref', 'HEAD');
    mesh = await startMesh();
    servers = await Promise.all(MEMBERS.map((member) => guard(mesh.clusters[member])));
    await createNamespace(mesh);
    await exportAll(mesh, PAIRS);
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    await mesh?.stop();
  });

  const scanBoth = () =>
    scanned('--kubeconfig', mesh.kubeconfig, ...MEMBERS.flatMap((member) => ['--context', member]), '--complete');

  test.each(PAIRS)('Cilium: $title', async ({ name, conflict, imported, invalid }) => {
    const noConflict = { status: 'False', reason: 'NoConflicts' };
    const expected = conflict === undefined ? noConflict : { status: 'True', reason: conflict };
    for (const member of MEMBERS) {
      const written = await writtenIn(mesh, member, name);
      if (member === invalid?.cluster)
        expect(written.conditions).toMatchObject({ Valid: { status: 'False', reason: invalid.reason } });
      else expect(written.conditions).toMatchObject({ Valid: { status: 'True' }, Conflict: expected });
      if (imported !== undefined) expect(written.imported).toBe(imported);
    }
  });

  test.each(PAIRS)('what check says of the manifests is what Cilium makes of them: $title', async (pair) => {
    const { name, invalid } = pair;
    const reasons = reasonsOf(pair);
    for (const member of MEMBERS) {
      const found = foundOn(forecast, member, 'ServiceExport', name);
      expect([found.reasons, found.rules]).toEqual([invalid?.cluster === member ? [invalid.reason] : reasons, []]);
      // Files don't say who is older: what Cilium wrote is one of the outcomes.
      const { imported } = await writtenIn(mesh, member, name);
      if (reasons.length > 0) expect(found.imported).toContain(imported);
    }
  });

  describe('a scan', () => {
    let report: CheckReport;
    beforeAll(async () => {
      report = (await scanBoth()).report;
      expect(report.errors).toEqual([]);
    });

    test.each(PAIRS)('agrees, or the difference is listed: $title', (pair) => {
      const { name, imported, invalid, muster } = pair;
      const reasons = reasonsOf(pair);
      for (const member of MEMBERS) {
        expect(foundOn(report, member, 'ServiceExport', name)).toEqual({
          reasons: invalid?.cluster === member ? [invalid.reason] : reasons,
          imported: reasons.length > 0 ? [imported] : [],
          rules: muster?.isUnreported ? ['export/unreported'] : [],
        });
        expect(foundOn(report, member, 'ServiceImport', name)).toEqual({ reasons: [], imported: [], rules: [] });
      }
    });
  });

  test.each(PAIRS.filter(({ invalid }) => invalid === undefined))(
    'Cilium, without the oldest export: $title',
    async ({ name, imported, later = imported }) => {
      await withdraw(mesh, 'east', name);
      for (const member of MEMBERS) {
        const { imported: written } = await writtenIn(mesh, member, name);
        expect([member, written]).toEqual([member, later]);
      }
      // What consumers get of it is what check said, where type or ports change.
      const said = removals.results.filter((one) => one.name === name).flatMap(({ findings }) => findings);
      const services = said.map(({ message }) => message.split(/ becomes /).flatMap(serviceIn));
      if (later !== imported) expect(services).toEqual([[imported, later]]);
    },
  );

  test('Cilium keeps an import that no other cluster exports beside an export without a Service: a scan reports that export', async () => {
    const name = 'no-service';
    const path = '/apis/multicluster.x-k8s.io/v1beta1/namespaces/shop/service';
    const [east, west] = MEMBERS.map((member) => mesh.clusters[member].api('admin'));
    await east?.call('DELETE', `${path}exports/${name}`);
    await until(
      'the import in east to go',
      async () => (await east?.call('GET', `${path}imports/${name}`))?.status === 404,
    );
    expect((await writtenIn(mesh, 'west', name)).imported).toBe('ClusterSetIP http:TCP/80');
    const { report } = await scanBoth();
    expect(foundOn(report, 'west', 'ServiceExport', name).reasons).toEqual(['NoService']);
    expect(foundOn(report, 'west', 'ServiceImport', name).rules).toEqual([]);
    // The way out that the page names.
    await west?.call('DELETE', `${path}exports/${name}`);
    await until(
      'the import in west to go',
      async () => (await west?.call('GET', `${path}imports/${name}`))?.status === 404,
    );
  });

  test('the webhook refuses none of its writes, and warns where Cilium changes an import in two steps', async () => {
    for (const server of servers) {
      const metrics = await server.metrics();
      const decisions = [
        ...metrics.matchAll(/^muster_decisions_total\{.*resource="service(?:im|ex)ports\..*\} [1-9]/gm),
      ];
      expect(decisions.length).toBeGreaterThan(2);
      expect(decisions.filter(([line]) => !line.includes('outcome="allowed"'))).toEqual([]);
      const logged = server.log().matchAll(/"name":"([^"]*)","operation":"UPDATE".*"rules":\["(import\/[^"]*)"\]/g);
      const warned = new Set([...logged].map(([, name, rule]) => `${rule} ${name}`));
      expect([...warned].filter((one) => !IN_TWO_STEPS.test(one))).toEqual([]);
      const findings = metrics.matchAll(/^muster_findings_total\{rule="(.*?)",action="(.*?)".*\} [1-9]/gm);
      const rules = [...findings].map(([, rule, action]) => `${rule}:${action}`);
      expect(rules.filter((rule) => !/^import\/addresses(?:-stable)?:warn$/.test(rule))).toEqual([]);
    }
  });
});

/** Where type or IP families of an import change, Cilium writes them first, and its addresses after that. */
const IN_TWO_STEPS =
  /^import\/addresses(?:-stable)?:warn (?:type|type-and-port|ip-families|families-order|dual-stack)$/;

const SERVICES = {
  importManagers: [{ serviceAccount: 'kube-system/cilium-operator' }],
  closedNamespaces: ['kube-system'],
};

/** Starts a server with all rules on services in force, and registers it. */
async function guard(cluster: ControlPlane): Promise<Muster> {
  await grantAccess(cluster);
  const muster = await startMuster({ controlPlane: cluster, config: { services: SERVICES } });
  const settings = { ...defaultPolicy.settings, services: SERVICES };
  await register(cluster, muster, { enforcement: requiredEnforcement({ ...defaultPolicy, settings }) });
  return muster;
}
