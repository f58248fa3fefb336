/** A changed configuration of a server, and its warnings about rules that the server does not evaluate. */
import { createServer } from 'node:tls';
import { expect, test } from '@jest/globals';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { loadCertificate } from '../../../../src/certificates/load-certificate.ts';
import { warningsOfIdleRules, watchInputs } from '../../../../src/cli/serve/inputs.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { createEngine, defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import type { RuleId } from '../../../../src/rules/rule-id.generated.ts';
import { createLog } from '../../../../src/server/log/log.ts';
import { createMetrics } from '../../../../src/server/ops/metrics.ts';
import { kubeconfigOf } from '../../../support/api-stub.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

function denying(...ids: readonly RuleId[]): Policy {
  return { ...defaultPolicy, actions: new Map(ids.map((id) => [id, { webhook: 'deny' as const }])) };
}

test.each<[string, RuleId, boolean, RegExp | undefined]>([
  [
    'lists all objects of a kind',
    'inventory/unique-cluster-id',
    true,
    /^inventory\/unique-cluster-id denies nothing in a/,
  ],
  ['the same with files, which it lists', 'inventory/unique-cluster-id', false, undefined],
  ['is about no single write', 'placement/slices', true, /^placement\/slices denies nothing here: it compares many/],
  ['is about no single write, with files', 'placement/slices', false, /^placement\/slices denies nothing here/],
  ['compares clusters', 'export/conflict', false, /^export\/conflict denies nothing here: it compares clusters/],
  ['compares objects in a scan, and reads one by name', 'placement/profile-exists', true, undefined],
  ['compares objects in a scan, and lists two by a label', 'inventory/member-id-unique', true, undefined],
  ['compares objects in a scan, and evaluates one alone', 'placement/one-to-one', true, undefined],
  ['compares objects in a scan, and evaluates a deletion', 'claim/id-present', true, undefined],
])('a rule that %s: %s', (_title, id, isLive, warning) => {
  const warnings = warningsOfIdleRules(denying(id), isLive);
  expect(warnings).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)]);
});

test('a configuration whose hub can not be used changes nothing, and is tried again', async () => {
  const folder = newFolder();
  const configFile = folder.put('muster.yaml', HEAD);
  const { cert, key } = await issueCertificates({ names: ['localhost'] });
  const files = { certFile: folder.put('tls.crt', cert), keyFile: folder.put('tls.key', key) };
  const loaded = await loadConfiguration(configFile, ruleIds, Date.now());
  const engine = createEngine({ policy: loaded.policy, point: 'webhook' });
  const certificate = await loadCertificate(files);
  const current = { engine, certificate, clientCa: undefined, fingerprint: loaded.fingerprint };
  const inputs = {
    host: 'localhost',
    files,
    configFile,
    clientCaFile: undefined,
    source: { name: 'files', isLive: false, open: () => Promise.reject() as never },
    configuration: { ...loaded, hub: undefined },
    current,
  };
  const hubs: unknown[] = [];
  const registrar = { use: (hub: unknown) => hubs.push(hub), fileProblem: () => undefined };
  const metrics = createMetrics({ version: '1', policy: () => defaultPolicy, process: false });
  const watches = watchInputs(inputs, createServer(), registrar, createLog('silent', { write() {} }), metrics);
  const problem = () => watches.checks[0]?.run();
  try {
    folder.put('muster.yaml', `${HEAD}mode: audit\nregistrar: { kubeconfig: hub, namespace: ids }\n`);
    await until(() => problem() !== undefined);
    expect(problem()).toMatch(/the kubeconfig of the hub .* can't be read/);
    expect(current).toMatchObject({ engine, fingerprint: loaded.fingerprint });
    expect(hubs).toEqual([]);
    folder.put('hub', JSON.stringify(kubeconfigOf('https://127.0.0.1:1', {})));
    await until(() => problem() === undefined);
    expect(hubs).toEqual([expect.objectContaining({ file: `${folder.path}/hub` })]);
    expect(current.engine).not.toBe(engine);
    expect(current.engine.policy.mode).toBe('audit');
  } finally {
    watches.close();
  }
});
