/**
 * `muster serve` as a process of its own: what it prints, what it refuses, what it reloads. How it stops:
 * stopping.test.ts.
 */
import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../../src/certificates/issue.ts';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { endChildren, type Served, sampleOf, serveChild, startChild } from '../../support/child.ts';
import { configurationOf } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';
import { claim, type Fields, reviewWith } from '../../support/reviews.ts';
import { exchange, responseOf } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';

const { path: folder, replace: write } = newFolder();
afterEach(endChildren);

async function review(served: Served, over: Fields = {}) {
  return responseOf(await exchange({ port: served.port, ca: served.ca }, JSON.stringify(reviewWith(over))));
}

const sha256 = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const id = { ...claim, metadata: { name: 'id.k8s.io' }, spec: { value: 'one' } };
const member = { ...id, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'set' } };
const changeOfId = { operation: 'UPDATE', object: { ...id, spec: { value: 'two' } }, oldObject: id };
const badValue = { object: { ...claim, spec: { value: 7 } } };
const POD = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };

describe('standalone', () => {
  test('it prints where it listens, which view and CA it uses, and a line that works when pasted', async () => {
    const served = await serveChild();
    const [line, next] = served.out().split('\n');
    expect(line).toMatch(
      /^muster listens on https:\/\/localhost:\d+ \(ops: http:\/\/localhost:\d+\); view: files \(no --state: .*\); CA: certs\/ca\.crt$/,
    );
    const command = next?.replace(/^Try: /, '') ?? '';
    const answer = await new Promise<string>((resolve, reject) => {
      const options = { cwd: served.folder };
      execFile('sh', ['-c', command], options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    expect(JSON.parse(answer)).toMatchObject({ response: { uid: '1', allowed: false, status: { code: 422 } } });
    // The finding has a line of its own.
    expect(answer).toMatch(/^ +"message": "\[claim\/id-syntax\] spec\.value: /m);
    expect(await served.ops('/readyz?verbose')).toBe(
      '[+]configuration ok\n[+]certificate ok\n[+]tls-handshake ok\n[+]not-draining ok\n[+]internal-errors ok\nreadyz check passed\n',
    );
    expect(await served.ops('/metrics')).toContain(
      'muster_decisions_total{path="validate",resource="clusterclaims.multicluster.x-k8s.io",operation="CREATE",outcome="denied",dry_run="false"} 1\n',
    );
    await until(() => served.log().includes('"decision"'));
    expect(served.log()).not.toContain('Not_A_Label');
    expect(await review(served, changeOfId)).toMatchObject({
      allowed: false,
      status: { code: 503, message: expect.stringContaining('--state') },
    });
  });

  test('with state it knows other objects; flags come from the environment too', async () => {
    const state = write('state.json', { apiVersion: 'v1', kind: 'List', items: [id, member] });
    const served = await serveChild({ env: { MUSTER_STATE: state, MUSTER_LOG_LEVEL: 'silent' } });
    expect(served.out()).toContain('view: files (2 objects from');
    expect(await review(served, changeOfId)).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(served.log()).toBe('');
  });

  test('with an empty state there are no other objects', async () => {
    const served = await serveChild({ args: ['--state', write('empty.yaml', '')] });
    expect(await review(served, changeOfId)).toMatchObject({ allowed: true });
  });
});

test('with a cluster it starts without its API server, says what is wrong, and decides what the object alone shows', async () => {
  const kubeconfig = write('nowhere.conf', kubeconfigOf('https://127.0.0.1:1'));
  const config = write(
    'live.json',
    configurationOf({ rules: { 'inventory/unique-name': 'deny', 'claim/id-unique-in-clusterset': 'deny' } }),
  );
  const served = await serveChild({ args: ['--kubeconfig', kubeconfig, '--namespace', 'fleet', '--config', config] });
  await until(() => served.log().includes('inventory/unique-name denies nothing here: it compares many objects'));
  await until(() => served.log().includes('claim/id-unique-in-clusterset denies nothing here: it compares clusters'));
  expect(served.out()).toContain('view: live (https://127.0.0.1:1, Leases in fleet); CA');
  expect(served.out()).not.toContain('secret-token');
  const invalid = { ...id, spec: { value: 'Not_A_Label' } };
  expect(await review(served, { ...changeOfId, object: invalid })).toMatchObject({ status: { code: 403 } });
  expect(await review(served, changeOfId)).toMatchObject({
    status: { code: 503, message: expect.stringContaining("can't be reached") },
  });
  expect(await served.ops('/readyz?verbose')).toMatch(
    /\n\[!\]cluster advisory: .*127\.0\.0\.1:1 can't be reached.*\nreadyz check passed/,
  );
  const metrics = await served.ops('/metrics');
  expect(metrics).toMatch(/muster_cluster_up 0\n/);
  expect(metrics).toMatch(/muster_cluster_reads_total{outcome="unreachable"} [12]\n/);
  await until(() => served.log().includes('the cluster: '));
  expect(served.log().match(/the cluster: /g)).toHaveLength(1);
});

describe('in a pod with a bad certificate', () => {
  test('it is live and not ready, says why, and serves once the file is good', async () => {
    const certFile = write('mounted.crt', 'rubbish');
    const keyFile = write('mounted.key', 'rubbish');
    const flags = ['--tls-cert-file', certFile, '--tls-private-key-file', keyFile, '--state', write('none.json', '')];
    const config = write('waiting.json', configurationOf());
    const child = startChild({ args: ['--host', '127.0.0.1', '--config', config, ...flags], env: POD });
    await until(() => child.log().includes('waiting for one'), 20_000);
    expect(child.log()).toContain('mounted.crt has no PEM certificate');
    const ops = `http://127.0.0.1:${/"opsPort":(\d+)/.exec(child.log())?.[1]}`;
    expect((await fetch(`${ops}/livez`)).status).toBe(200);
    const ready = await fetch(`${ops}/readyz?verbose`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('[-]certificate failed: ')]);
    // Alerts compare them with those of the other servers.
    const metrics = await (await fetch(`${ops}/metrics`)).text();
    expect(metrics).toContain(`muster_config_info{sha256="${sha256(configurationOf())}"} 1`);
    expect(metrics).toContain('muster_certificate_expiry_timestamp_seconds 0\n');
    const { cert, key } = await issueCertificates({ names: ['localhost'] });
    write('mounted.key', key);
    write('mounted.crt', cert);
    await until(() => child.out().includes('muster listens on'), 20_000);
    // As all lines of a container's log.
    expect(JSON.parse(child.out())).toMatchObject({ level: 'info', msg: expect.stringContaining('; view: ') });
    const [, now] = /ops: (http:\/\/\S+?)\)/.exec(child.out()) ?? [];
    expect((await fetch(`${now}/readyz`)).status).toBe(200);
  });

  test('a signal ends it while it waits', async () => {
    const flags = ['--tls-cert-file', 'no.crt', '--tls-private-key-file', 'no.key', '--state', write('none.json', '')];
    const child = startChild({ args: ['--host', '127.0.0.1', ...flags], env: POD });
    await until(() => child.log().includes('waiting for one'), 20_000);
    child.signal('SIGTERM');
    expect((await child.ended).code).toBe(0);
  });
});

describe('refused with exit code 2 and one line', () => {
  const nowhere = write('nowhere.conf', kubeconfigOf('https://127.0.0.1:1'));
  const one = issueCertificates({ names: ['localhost'] });
  const other = issueCertificates({ names: ['localhost'] });
  const pair = async () => [
    ...['--tls-cert-file', write('one.crt', (await one).cert)],
    ...['--tls-private-key-file', write('other.key', (await other).key)],
  ];
  const badRule = `${JSON.stringify(configurationOf()).slice(0, -1)},\n"rules": {"claim/id-sintax": "warn"}}`;
  test.each<[string, readonly string[] | (() => Promise<string[]>), RegExp, Readonly<Record<string, string>>?]>([
    ['a port that is none', ['--port', '70000'], /--port.*0 to 65535\.$/],
    ['a port that is no number', ['--ops-port', 'x'], /--ops-port/],
    ['an unknown flag', ['--prot', '1'], /^error: unknown option '--prot'.*--port/],
    ['a log level that is none', ['--log-level', 'loud'], /--log-level/],
    ['a time that is none', ['--drain-seconds', 'soon'], /--drain-seconds/],
    ['a pod without a certificate', [], /^error: in a pod, --tls-cert-file /, POD],
    ['a certificate without its key', ['--tls-cert-file', 'a.crt'], /--tls-private-key-file is missing/],
    ['a key without its certificate', ['--tls-private-key-file', 'a.key'], /--tls-cert-file is missing/],
    ['a certificate that is not there', ['--tls-cert-file', 'a.crt', '--tls-private-key-file', 'a.key'], /a\.crt /],
    ['the key of another certificate', pair, /other\.key/],
    ['one port for both', ['--port', '18443', '--ops-port', '18443'], /--port and --ops-port are both 18443: /],
    [
      'a kubeconfig that is not there',
      ['--kubeconfig', 'none.conf'],
      /--kubeconfig none\.conf can't be read \(no such file or folder\)/,
    ],
    ['a context that is not there', ['--context', 'moon'], /has no context "moon"/, { MUSTER_KUBECONFIG: nowhere }],
    [
      'files and a cluster',
      ['--state', 'x', '--kubeconfig', nowhere],
      /'--state <path...>' cannot be used with option '--kubeconfig <file>': other objects/,
    ],
    ['a configuration that is not there', ['--config', 'none.yaml'], /none\.yaml/],
    ['a rule nobody knows', ['--config', write('bad.json', badRule)], /bad\.json:2:\d+: .*claim\/id-sintax/],
    ['a state that is not there', ['--state', 'none/'], /--state.*none\//],
    ['a name without a client CA', ['--client-name', 'x'], /--client-name needs --client-ca-file/],
    ['an empty client CA file name', ['--client-ca-file', ''], /--client-ca-file <file>' is empty/],
  ])('%s', async (_, args, line, env = {}) => {
    const flags = typeof args === 'function' ? await args() : args;
    const ports = ['--port', '--ops-port'].flatMap((flag) => (flags.includes(flag) ? [] : [flag, '0']));
    const { code, out, err } = await musterHere(['serve', ...ports, ...flags], { cwd: folder, env });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: [^\n]+\n$/);
    expect(err.trim()).toMatch(line);
  });

  // Some of the server runs by then: the process has to end all the same.
  test('an address of another machine', async () => {
    const child = startChild({ args: ['--host', '203.0.113.1'] });
    expect({ code: (await child.ended).code, out: child.out() }).toEqual({ code: 2, out: '' });
    await until(() => child.log().endsWith('\n'));
    expect(child.log()).toMatch(/^error: can't listen on 203\.0\.113\.1 [^\n]+\n$/);
  });
});

describe('what changes while it serves', () => {
  test('a good configuration takes effect; a bad one is refused, the one before serves, and the operator learns of it', async () => {
    const served = await serveChild({ args: ['--config', write('muster.json', configurationOf())] });
    expect(await review(served, badValue)).toMatchObject({ allowed: false });
    const exempt = { groups: ['system:authenticated'] };
    const changed = configurationOf({ rules: { 'claim/value': 'warn' }, exemptions: exempt });
    write('muster.json', changed);
    await until(async () => (await review(served, badValue)).allowed, 15_000);
    await until(() => served.log().includes('exemptions.groups'));
    expect(served.log()).toMatch(/"warn".*muster\.json:\d+:\d+: exemptions\.groups\[0\]: .* no rule applies to them/);

    write('muster.json', configurationOf({ rules: { 'claim/valu': 'deny' } }));
    await until(() => served.log().includes('configuration is refused'), 15_000);
    expect(await review(served, badValue)).toMatchObject({ allowed: true });
    const metrics = await served.ops('/metrics');
    expect(metrics).toContain('muster_configuration_reloads_total{outcome="applied"} 1');
    expect(metrics).toContain('muster_configuration_reloads_total{outcome="refused"} 1');
    expect(metrics).toContain('muster_config_last_reload_successful 0');
    expect(metrics).toContain(`muster_config_info{sha256="${sha256(changed)}"} 1`);
    expect(served.log()).toMatch(new RegExp(`"sha256":"${sha256(configurationOf())}"[^\n]*"muster has started"`));
    expect(await served.ops('/readyz?verbose')).toMatch(
      /^\[!\]configuration advisory: the configuration on disk is refused, .*muster\.json:\d[\s\S]*readyz check passed/,
    );
  });

  test('new connections get a new certificate, and keep it when the next one is bad', async () => {
    const [first, second] = await Promise.all([one(), one()]);
    const pair = [
      '--tls-cert-file',
      write('tls.crt', first.cert),
      '--tls-private-key-file',
      write('tls.key', first.key),
    ];
    const args = ['--host', '127.0.0.1', '--state', write('empty.yaml', ''), ...pair];
    const served = await serveChild({ args, env: POD });
    expect(JSON.parse(served.out()).msg).toMatch(/CA: the one that issued .*tls\.crt$/);
    const answers = (ca: string) =>
      exchange({ port: served.port, ca }, JSON.stringify(reviewWith())).then(
        () => true,
        () => false,
      );
    expect([await answers(first.ca), await answers(second.ca)]).toEqual([true, false]);
    write('tls.key', second.key);
    write('tls.crt', second.cert);
    await until(() => answers(second.ca), 15_000);
    expect(await answers(first.ca)).toBe(false);
    const end = Date.parse(new X509Certificate(second.cert).validTo) / 1000;
    expect(await sampleOf(served, 'muster_certificate_expiry_timestamp_seconds')).toBe(end);
    const refused = async () => (await sampleOf(served, 'muster_certificate_reloads_total{outcome="refused"}')) ?? 0;
    const isInUse = () => sampleOf(served, 'muster_certificate_last_reload_successful');
    const before = await refused();
    expect(await isInUse()).toBe(1);
    write('tls.crt', 'rubbish');
    await until(async () => (await refused()) > before, 15_000);
    expect(await answers(second.ca)).toBe(true);
    expect(await isInUse()).toBe(0);
    write('tls.crt', second.cert);
    await until(async () => (await isInUse()) === 1, 15_000);
  });

  function one() {
    return issueCertificates({ names: ['localhost'] });
  }
});
