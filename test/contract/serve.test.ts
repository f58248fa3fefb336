/** `muster serve` as a process of its own: what it prints, what it refuses, what it reloads, how it stops. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { issueCertificates } from '../../src/tls/issue.ts';
import { claim, type Fields, reviewOf } from '../server/reviews.ts';
import { exchange, responseOf, until } from './harness.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const GROUP = 'multicluster.x-k8s.io/v1alpha1';

let folder: string;
const children: ChildProcess[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-serve-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Served {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly log: () => string;
  readonly port: number;
  readonly ops: string;
  readonly exit: Promise<number | null>;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly log: string;
}

const environment = (): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(
    ([key]) => !key.startsWith('MUSTER_') && !key.startsWith('KUBERNETES_'),
  );
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
};

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    cwd: folder,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let log = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, exit, out: () => out, log: () => log };
}

/** Starts on free ports and waits for the line that tells them. */
async function serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const started = run(['--port', '0', '--ops-port', '0', ...args], env);
  await until(() => /\nTry: .*\n|CA: the one.*\n/.test(started.out()) || started.child.exitCode !== null, 20_000);
  const [, port, ops] = /https:\/\/\S+:(\d+) \(ops: (http:\/\/\S+?)\)/.exec(started.out()) ?? [];
  if (port === undefined || ops === undefined) throw new Error(`did not start: ${started.out()}${started.log()}`);
  return { ...started, port: Number(port), ops };
}

async function refused(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const started = run(args, env);
  const code = await started.exit;
  return { code, out: started.out(), log: started.log() };
}

async function review(served: Served, over: Fields = {}, path = '/validate') {
  const ca = readFileSync(join(folder, 'certs', 'ca.crt'));
  return responseOf(await exchange({ port: served.port, ca, path }, JSON.stringify(reviewOf(over))));
}

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  // Renamed into place, as editors and kubelet do.
  writeFileSync(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${file}.new`, file);
  return file;
}

const configuration = (rest: Fields = {}) => ({ apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...rest });
const id = { apiVersion: GROUP, kind: 'ClusterClaim', metadata: { name: 'id.k8s.io' }, spec: { value: 'one' } };
const member = { ...id, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'set' } };
const changeOfId = { operation: 'UPDATE', object: { ...id, spec: { value: 'two' } }, oldObject: id };
const badValue = { object: { ...claim, spec: { value: 7 } } };

describe('standalone', () => {
  test('tells where, which view, which CA, and a line that works when pasted', async () => {
    const served = await serve();
    const [line, next] = served.out().split('\n');
    expect(line).toMatch(
      /^muster listens on https:\/\/localhost:\d+ \(ops: http:\/\/localhost:\d+\); view: files \(no --state: .*\); CA: certs\/ca\.crt$/,
    );
    const command = next?.replace(/^Try: /, '') ?? '';
    const answer = await new Promise<string>((resolve, reject) => {
      execFile('sh', ['-c', command], { cwd: folder }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    expect(JSON.parse(answer)).toMatchObject({ response: { uid: '1', allowed: false, status: { code: 422 } } });
    expect((await fetch(`${served.ops}/livez`)).status).toBe(200);
    const ready = await (await fetch(`${served.ops}/readyz?verbose`)).text();
    expect(ready).toBe(
      '[+]configuration ok\n[+]certificate ok\n[+]tls-handshake ok\n[+]not-draining ok\n[+]internal-errors ok\nreadyz check passed\n',
    );
    const metrics = await (await fetch(`${served.ops}/metrics`)).text();
    expect(metrics).toContain(
      'muster_decisions_total{path="validate",resource="clusterclaims.multicluster.x-k8s.io",operation="CREATE",outcome="denied"} 1\n',
    );
    await until(() => served.log().includes('"decision"'));
    expect(served.log()).not.toContain('Not_A_Label');
  });

  test('without state nothing is known of other objects, and the 503 says so', async () => {
    const served = await serve();
    expect(await review(served, changeOfId)).toMatchObject({
      allowed: false,
      status: { code: 503, message: expect.stringContaining('--state') },
    });
  });

  test('with state it knows; flags come from the environment too', async () => {
    const state = write('state.json', { apiVersion: 'v1', kind: 'List', items: [id, member] });
    const served = await serve([], { MUSTER_STATE: state, MUSTER_LOG_LEVEL: 'silent' });
    expect(served.out()).toContain('view: files (2 objects from');
    expect(await review(served, changeOfId)).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(served.log()).toBe('');
  });

  test('an empty state is an empty world', async () => {
    const served = await serve(['--state', write('empty.yaml', '')]);
    expect(served.out()).toContain('an empty world');
    expect(await review(served, changeOfId)).toMatchObject({ allowed: true });
  });
});

describe('a live view', () => {
  test('starts without its API server, says what is wrong, and decides what the object alone tells', async () => {
    const kubeconfig = write('nowhere.conf', kubeconfigOf('https://127.0.0.1:1'));
    const config = {
      apiVersion: 'muster/v1alpha1',
      kind: 'MusterConfiguration',
      rules: { 'inventory/unique-name': 'deny' },
    };
    const configured = ['--config', write('live.yaml', config)];
    const served = await serve(['--kubeconfig', kubeconfig, '--namespace', 'fleet', ...configured]);
    expect(served.log()).toContain('inventory/unique-name denies nothing in a live cluster');
    expect(served.out()).toContain('view: live (https://127.0.0.1:1, Leases in fleet); CA');
    expect(served.out()).not.toContain('secret-token');
    const invalid = { ...id, spec: { value: 'Not_A_Label' } };
    expect(await review(served, { ...changeOfId, object: invalid })).toMatchObject({
      allowed: false,
      status: { code: 403 },
    });
    expect(await review(served, changeOfId)).toMatchObject({
      allowed: false,
      status: { code: 503, message: expect.stringContaining("can't be reached") },
    });
    const ready = await fetch(`${served.ops}/readyz?verbose`);
    expect(ready.status).toBe(200);
    expect(await ready.text()).toMatch(
      /\n\[!\]cluster advisory: .*127\.0\.0\.1:1 can't be reached.*\nreadyz check passed/,
    );
    const metrics = await (await fetch(`${served.ops}/metrics`)).text();
    expect(metrics).toMatch(/muster_cluster_up 0\n/);
    expect(metrics).toMatch(/muster_cluster_reads_total{outcome="unreachable"} [12]\n/);
    expect(served.log().match(/the cluster: /g)).toHaveLength(1);
    served.child.kill('SIGINT');
    expect(await served.exit).toBe(0);
  });
});

describe('in a pod, with a certificate that is no good yet', () => {
  test('it is live and not ready, says why, and serves once the file is good', async () => {
    const dir = mkdtempSync(join(folder, 'mounted-'));
    const [certFile, keyFile] = [join(dir, 'tls.crt'), join(dir, 'tls.key')];
    for (const file of [certFile, keyFile]) writeFileSync(file, 'rubbish');
    const flags = ['--tls-cert-file', certFile, '--tls-private-key-file', keyFile, '--state', write('none.json', '')];
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const ports = ['--host', '127.0.0.1', '--port', '0', '--ops-port', '0'];
    const started = run([...ports, ...flags], pod);
    await until(() => started.log().includes('waiting for one'), 20_000);
    expect(started.log()).toContain('tls.crt has no PEM certificate');
    const ops = `http://127.0.0.1:${/"opsPort":(\d+)/.exec(started.log())?.[1]}`;
    expect((await fetch(`${ops}/livez`)).status).toBe(200);
    const ready = await fetch(`${ops}/readyz?verbose`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('[-]certificate failed: ')]);

    const { cert, key } = await issueCertificates({ names: ['localhost'] });
    writeFileSync(keyFile, key);
    writeFileSync(certFile, cert);
    await until(() => started.out().includes('muster listens on'), 20_000);
    const [, now] = /ops: (http:\/\/\S+?)\)/.exec(started.out()) ?? [];
    expect((await fetch(`${now}/readyz`)).status).toBe(200);
  });

  test('a signal ends the waiting', async () => {
    const flags = ['--tls-cert-file', 'no.crt', '--tls-private-key-file', 'no.key', '--state', write('none.json', '')];
    const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
    const started = run(['--host', '127.0.0.1', '--port', '0', '--ops-port', '0', ...flags], pod);
    await until(() => started.log().includes('waiting for one'), 20_000);
    started.child.kill('SIGTERM');
    expect(await started.exit).toBe(0);
  });
});

describe('refused with exit code 2 and one clear line', () => {
  test.each<[string, readonly string[], NodeJS.ProcessEnv, RegExp]>([
    ['a port that is none', ['--port', '70000'], {}, /^error: .*--port.*0 to 65535\.\n$/],
    ['a port in the environment', [], { MUSTER_OPS_PORT: 'x' }, /^error: .*--ops-port.*\n$/],
    ['an unknown flag', ['--prot', '1'], {}, /^error: unknown option '--prot'.*--port.*\n$/],
    ['a client CA that is not there', ['--client-ca-file', 'x'], {}, /^error: client CA file x does not exist.*\n$/],
    ['a log level that is none', ['--log-level', 'loud'], {}, /^error: .*--log-level.*\n$/],
    ['a time that is none', ['--drain-seconds', 'soon'], {}, /^error: .*--drain-seconds.*\n$/],
    [
      'in a pod without a certificate',
      [],
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      /^error: in a pod, --tls-cert-file .*\n$/,
    ],
    [
      'a certificate without its key',
      ['--tls-cert-file', 'a.crt'],
      {},
      /^error: --tls-private-key-file is missing.*\n$/,
    ],
    [
      'a key without its certificate',
      ['--tls-private-key-file', 'a.key'],
      {},
      /^error: --tls-cert-file is missing.*\n$/,
    ],
    [
      'a certificate that is not there',
      ['--tls-cert-file', 'a.crt', '--tls-private-key-file', 'a.key'],
      {},
      /^error: .*a\.crt .*\n$/,
    ],
    [
      'a kubeconfig that is not there',
      ['--kubeconfig', 'none.conf'],
      {},
      /^error: --kubeconfig none\.conf can't be read \(ENOENT\).*\n$/,
    ],
    ['a kubeconfig that is none', ['--kubeconfig', 'rubbish.conf'], {}, /^error: --kubeconfig rubbish\.conf .*\n$/],
    [
      'a kubeconfig without that context',
      ['--context', 'moon'],
      { MUSTER_KUBECONFIG: 'nowhere.conf' },
      /^error: --kubeconfig nowhere\.conf has no cluster for its context "moon".*\n$/,
    ],
    [
      'files and a cluster at once',
      ['--state', 'x', '--kubeconfig', 'nowhere.conf'],
      {},
      /^error: --state and --kubeconfig exclude each other.*\n$/,
    ],
    ['a configuration that is not there', ['--config', 'none.yaml'], {}, /^error: none\.yaml.*\n$/],
    ['a state that is not there', ['--state', 'none/'], {}, /^error: --state.*none\/.*\n$/],
    [
      'a host that is not ours',
      ['--host', '203.0.113.1', '--port', '0'],
      {},
      /^error: can't listen on 203\.0\.113\.1 .*\n$/,
    ],
  ])('%s', async (_, args, env, line) => {
    write('nowhere.conf', kubeconfigOf('https://127.0.0.1:1'));
    writeFileSync(join(folder, 'rubbish.conf'), '{"kind": [');
    const { code, out, log } = await refused(args, env);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(log).toMatch(line);
    expect(log.trim().split('\n')).toHaveLength(1);
  });

  test('a rule nobody knows in the configuration: its line', async () => {
    const file = write(
      'bad.yaml',
      'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nrules:\n  claim/id-sintax: warn\n',
    );
    const { code, log } = await refused(['--config', file]);
    expect(code).toBe(2);
    expect(log).toMatch(/^error: .*bad\.yaml:4:3: .*claim\/id-sintax.*\n$/);
  });

  test('a key of another certificate', async () => {
    const [one, other] = await Promise.all([
      issueCertificates({ names: ['localhost'] }),
      issueCertificates({ names: ['localhost'] }),
    ]);
    const pair = [
      '--tls-cert-file',
      write('one.crt', one.cert),
      '--tls-private-key-file',
      write('other.key', other.key),
    ];
    const { code, log } = await refused(pair);
    expect(code).toBe(2);
    expect(log).toMatch(/^error: .*other\.key.*\n$/);
  });

  test.each(['--port', '--ops-port'])('%s in use', async (flag) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await until(() => taken.listening);
    const { port } = taken.address() as { port: number };
    const other = flag === '--port' ? '--ops-port' : '--port';
    const { code, log } = await refused(['--host', '127.0.0.1', other, '0', flag, String(port)]);
    taken.close();
    expect(code).toBe(2);
    expect(log).toBe(
      `error: can't listen on 127.0.0.1 port ${port}: the port is in use; stop what uses it, or choose another (0 picks a free one)\n`,
    );
  });
});

describe('what changes while it serves', () => {
  test('a good configuration takes effect, a bad one is refused and the old one stays', async () => {
    const file = write('muster.json', configuration());
    const served = await serve(['--config', file]);
    expect(await review(served, badValue)).toMatchObject({ allowed: false });

    write('muster.json', configuration({ rules: { 'claim/value': 'warn' } }));
    await until(async () => (await review(served, badValue)).allowed, 15_000);
    expect(await review(served, badValue)).toMatchObject({ warnings: [expect.stringMatching(/^\[claim\/value\]/)] });

    write('muster.json', configuration({ exemptions: { groups: ['system:authenticated'] } }));
    await until(() => served.log().includes('exemptions.groups[0]'), 15_000);
    expect(served.log()).toMatch(/"warn".*muster\.json:\d+:\d+: exemptions\.groups\[0\]: .* no rule applies to them/);
    expect(await review(served, badValue)).toMatchObject({ allowed: true });

    write('muster.json', configuration({ rules: { 'claim/valu': 'deny' } }));
    await until(() => served.log().includes('configuration is refused'), 15_000);
    expect(await review(served, badValue)).toMatchObject({ allowed: true });
    const metrics = await (await fetch(`${served.ops}/metrics`)).text();
    expect(metrics).toContain('muster_configuration_reloads_total{outcome="applied"} 2');
    expect(metrics).toContain('muster_configuration_reloads_total{outcome="refused"} 1');
    expect(metrics).toContain('muster_config_last_reload_successful 0');
    const ready = await fetch(`${served.ops}/readyz?verbose`);
    expect(ready.status).toBe(200);
    expect(await ready.text()).toMatch(
      /^\[!\]configuration advisory: the configuration on disk is refused, .*muster\.json:\d/,
    );
  });

  test('a certificate of one’s own, and its successor', async () => {
    const names = ['localhost'];
    const [first, second] = await Promise.all([issueCertificates({ names }), issueCertificates({ names })]);
    const pair = [
      '--tls-cert-file',
      write('tls.crt', first.cert),
      '--tls-private-key-file',
      write('tls.key', first.key),
    ];
    const arguments_ = ['--host', '127.0.0.1', '--state', write('empty.yaml', ''), ...pair];
    const served = await serve(arguments_, { KUBERNETES_SERVICE_HOST: '10.0.0.1' });
    expect(served.out()).toMatch(/CA: the one that issued .*tls\.crt\n$/);
    const answers = (ca: string) =>
      exchange({ port: served.port, ca }, JSON.stringify(reviewOf())).then(
        () => true,
        () => false,
      );
    expect([await answers(first.ca), await answers(second.ca)]).toEqual([true, false]);
    write('tls.key', second.key);
    write('tls.crt', second.cert);
    await until(() => answers(second.ca), 15_000);
    expect(await answers(first.ca)).toBe(false);
  });
});

describe('stopping', () => {
  test('SIGTERM: not ready, still serving with Connection: close, then exit 0; no request fails', async () => {
    const served = await serve(['--drain-seconds', '0.7']);
    const ca = readFileSync(join(folder, 'certs', 'ca.crt'));
    const post = () => exchange({ port: served.port, ca }, JSON.stringify(reviewOf()));
    await post();
    served.child.kill('SIGTERM');
    await until(async () => (await fetch(`${served.ops}/readyz`)).status === 503);
    expect(await (await fetch(`${served.ops}/readyz?verbose`)).text()).toContain('[-]not-draining failed');
    expect((await fetch(`${served.ops}/livez`)).status).toBe(200);
    const answer = await post();
    expect(answer.headers['connection']).toBe('close');
    expect(responseOf(answer)).toMatchObject({ allowed: true });
    expect(await served.exit).toBe(0);
  });

  test('a second signal ends it at once, with exit 1', async () => {
    const served = await serve(['--drain-seconds', '600']);
    served.child.kill('SIGTERM');
    await until(async () => (await fetch(`${served.ops}/readyz`)).status === 503);
    served.child.kill('SIGTERM');
    expect(await served.exit).toBe(1);
    expect(served.log()).toContain('stopping at once');
  });

  test('someone at a terminal does not wait', async () => {
    const served = await serve(['--drain-seconds', '600']);
    served.child.kill('SIGINT');
    expect(await served.exit).toBe(0);
  });
});

function kubeconfigOf(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: { token: 'secret-token' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
}
