/** The tutorial of a first rollout and guides beside it, step by step as they stand: in the form without an image. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HEAD } from '../../support/configuration.ts';
import { sectionOf } from './guides/page.ts';
import {
  type ControlPlane,
  type Daemon,
  freePort,
  openShell,
  type Shell,
  startControlPlane,
  startDaemon,
  until,
} from './harness/index.ts';

const TUTORIAL = 'docs/tutorials/first-rollout.md';
const step = (heading: string) => sectionOf(TUTORIAL, heading);

let controlPlane: ControlPlane;
let shell: Shell;
let server: Daemon | undefined;
/** The ports of the page, and free ones of this machine. */
let ports: Readonly<Record<string, number>>;

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: true, crds: 'none' });
  shell = await openShell(controlPlane);
  ports = { 8443: await freePort(), 8080: await freePort() };
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await controlPlane?.stop();
});

/** What the page leaves to the reader: host and ports. */
const here = (script = '') =>
  script
    .replaceAll('DNS:HOST', 'IP:127.0.0.1')
    .replaceAll('HOST', '127.0.0.1')
    .replace(/8443|8080/g, (port) => `${ports[port]}`);

/** Runs a script of a page; it has to succeed. */
async function done(script: string | undefined): Promise<string> {
  const { code, stdout, stderr } = await shell.run(here(script));
  expect({ script, code, stderr: code === 0 ? '' : stderr }).toEqual({ script, code: 0, stderr: '' });
  return stdout + stderr;
}

/** The lines that a page shows are in what was printed, in this order; `…` stands for any text. */
function expectShown(printed: string, shown: string | undefined): void {
  const parts = (shown ?? '')
    .trim()
    .split(/\n?…\n?|\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const lines = parts.map((part) => part.replaceAll('10.0.0.1:6443', new URL(controlPlane.url).host));
  let from = 0;
  for (const line of lines) {
    const at = printed.indexOf(line, from);
    expect({ line, printed: at === -1 ? printed : '' }).toEqual({ line, printed: '' });
    from = at + line.length;
  }
}

/** The command of a table that stands beside its first column. */
function commandBeside(text: string, first: string): string {
  const row = text.split('\n').find((line) => line.startsWith(`| ${first} |`));
  return (/`(npx[^`]*)`/.exec(row ?? '')?.[1] ?? '').replaceAll('\\|', '|');
}

async function setMode(mode: string, more = ''): Promise<void> {
  const reloads = () => (server?.log().match(/a new configuration is in effect/g) ?? []).length;
  const before = reloads();
  shell.write('muster.yaml', `${HEAD}mode: ${mode}\n${more}`);
  await until('the new configuration', async () => reloads() > before);
}

test('step 1: a scan before anything is installed', async () => {
  await done(step('First rollout: audit, warn, deny').commands[0]);
  const { commands, outputs } = step('1. Look before you install');
  const { code, stdout } = await shell.run(commands[0] ?? '');
  expect(code).toBe(1);
  expectShown(stdout, outputs[0]?.replace('context prod', 'context admin'));
});

test('steps 2 and 3: audit mode, without an image', async () => {
  shell.write('muster.yaml', step('2. Install in audit mode').yaml[0] ?? '');
  const [script = ''] = step('Without an image').commands;
  const serve = script.indexOf('npx kube-muster serve');
  await done(script.slice(0, serve));
  const logFile = join(controlPlane.folder, 'guide.log');
  const command = `exec ${here(script.slice(serve)).trim()} --port ${ports['8443']} --ops-port ${ports['8080']}`;
  server = startDaemon('bash', ['-euc', command], { logFile, env: shell.env, cwd: shell.folder });
  await until('view: live', async () => server?.log().includes('view: live') === true);
  const { commands, outputs } = step('3. Is it installed as it should be?');
  const [doctor, apply, metrics = '', remove] = commands;
  expectShown(await done(doctor), outputs[0]);
  await done(apply);
  expectShown(await done(metrics.replace(/^kubectl port-forward.*\n/, '')), outputs[1]);
  await done(remove);
  // The server writes its log up to a second later.
  await until(
    'the log of the write',
    async () => server?.log().includes('"name":"team.k8s.io","operation":"CREATE"') === true,
  );
  expectShown(server.log(), outputs[2]?.replace('jane', 'admin'));
});

test('step 4: warnings', async () => {
  await setMode('warn');
  const [, apply, , remove] = step('3. Is it installed as it should be?').commands;
  const { stdout, stderr } = await shell.run(apply ?? '');
  expectShown(stderr + stdout, step('4. Warn').outputs[0]);
  await done(remove);
});

test('step 5: an exception, as its guide has it', async () => {
  const guide = 'docs/how-to/write-an-exception.md';
  const [yaml = ''] = sectionOf(guide, '2. Add it to the configuration').yaml;
  await setMode('warn', yaml.slice(yaml.indexOf('exceptions:')));
  const { commands } = sectionOf(guide, '3. Try it');
  // The tutorial is written for a checkout, the guide for an installed command.
  const [tutorial = ''] = step('5. Exceptions, names, principals').commands;
  expect(commands).toEqual([tutorial.replace('npx kube-muster', 'muster')]);
  expect(await done(tutorial)).toContain('0 denied');
});

test('step 6: the first refused write', async () => {
  await setMode('enforce');
  const { text, commands, outputs } = step('6. Deny');
  await done(commandBeside(text, 'without an image'));
  await until('doctor', async () => (await shell.run(here(commands[0]))).stdout.includes(' 0 warnings, 0 failed'));
  expectShown(await done(commands[0]), outputs[0]);
  const [, apply = ''] = step('3. Is it installed as it should be?').commands;
  shell.write('claim.yaml', apply.split('\n').slice(1, -2).join('\n'));
  const [command = '', ...shown] = (outputs.at(-1) ?? '').split('\n');
  const { code, stderr } = await shell.run(command.replace(/^\$ /, ''));
  expect(code).toBe(1);
  expectShown(stderr, shown.join('\n'));
});

test("the guide to a cluster's id", async () => {
  const guide = 'docs/how-to/change-a-cluster-id.md';
  shell.write('membership.yaml', sectionOf('docs/concepts.md', 'Cluster identity').yaml[0]?.split('---\n')[1] ?? '');
  await done('kubectl apply -f membership.yaml');
  const script = sectionOf(guide, 'With kubectl').commands[0] ?? '';
  const [, patch = ''] = script.split('\n');
  expectShown((await shell.run(patch)).stderr, sectionOf(guide, "Change a cluster's id").outputs[0]);
  await done(script);
  expect(await done('kubectl get clusterclaim id.k8s.io -o jsonpath={.spec.value}')).toContain('pier-8');
});

test('the guide to work without the webhook: two exports show the change that a scan can not see', async () => {
  const guide = 'docs/how-to/work-without-the-webhook.md';
  // The tutorial has installed the drafts alone.
  const kinds = (script = '') => script.replace('clusterprofiles', 'inventoryclusters');
  await done(kinds(sectionOf(guide, 'Before').commands[0]));
  const row = sectionOf(guide, 'Let writes pass')
    .text.split('\n')
    .find((line) => line.startsWith('| everything'));
  await done(/`(kubectl delete .*?)`/.exec(row ?? '')?.[1]);
  await until('the change to pass', async () => {
    const patch = `kubectl patch clusterclaim id.k8s.io --type=merge -p '{"spec":{"value":"pier-9"}}'`;
    return (await shell.run(patch)).code === 0;
  });
  const [scan = '', compare = ''] = sectionOf(guide, 'What happened in between').commands;
  // What the tutorial has stored breaks a rule by itself, and did so before.
  const scanned = (await shell.run(scan)).stdout;
  expect(scanned).toContain('denied [claim/reserved-name]');
  expect(scanned).not.toContain('claim/id');
  const { code, stdout } = await shell.run(kinds(compare));
  expect(code).toBe(1);
  expect(stdout).toContain('denied [claim/id-immutable-in-clusterset] spec.value');
  expect(stdout).toContain('1 denied');
});

test('the guide to uninstall by hand: nothing of muster is left but the definitions, with their objects', async () => {
  const registrar = { kubeconfig: 'hub.yaml', namespace: 'cluster-ids' };
  shell.write('hub.json', JSON.stringify({ apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', registrar }));
  await done('muster manifests --only rbac,scan --events --config hub.json | kubectl apply -f -');
  await done(sectionOf('docs/how-to/uninstall.md', 'With kustomize, or without muster at hand').commands[0]);
  const registered = 'validatingwebhookconfiguration,mutatingwebhookconfiguration,flowschema';
  const rights = 'clusterrole,clusterrolebinding,role,rolebinding';
  const kinds = `${registered},${rights}`;
  expect(await done(`kubectl get ${kinds} --all-namespaces -l app.kubernetes.io/name=muster -o name`)).toBe('');
  expect(await done('kubectl get namespaces -o name')).not.toContain('muster');
  expect(await done('kubectl get clusterclaims -o name')).toContain('id.k8s.io');
});
