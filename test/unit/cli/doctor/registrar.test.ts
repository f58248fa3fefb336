/** The checks of the hub, against a stub that answers as a hub does, with a clock of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { programsOf } from '../../../../src/cli/doctor/programs.ts';
import { checkRegistrar } from '../../../../src/cli/doctor/registrar.ts';
import type { DoctorContext } from '../../../../src/cli/doctor/remedies.ts';
import { statusError } from '../../../../src/cluster/live/errors.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { newFolder } from '../../../support/folder.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const folder = newFolder();
let stub: ApiStub;
/** Seconds by which the hub's clock is ahead. */
let skew: number;
let status: number;
/** Of the answer with that status, if it is a failure. */
let message: string | undefined;
/** What the account may do at the hub. */
let may: (right: { verb: string; resource: string }) => boolean;
/** The Secret of the member with the kubeconfig. */
let secret: string | undefined;

beforeAll(async () => {
  stub = await startApiStub(folder.path);
  stub.answer = ({ url }, response) => {
    response.setHeader('date', new Date(NOW + skew * 1000).toUTCString());
    if (!url?.includes('selfsubjectaccessreviews'))
      return json(response, url === '/version' ? 200 : status, { message });
    const { spec } = JSON.parse(stub.requests.at(-1)?.body ?? '');
    return json(response, status === 401 ? 401 : 201, { status: { allowed: may(spec.resourceAttributes) } });
  };
});
beforeEach(() => {
  skew = 0;
  status = 201;
  message = undefined;
  may = ({ resource, verb }) => resource === 'leases' && verb !== 'watch';
  secret = undefined;
});
afterAll(() => stub.close());

/** A member with a registrar, whose kubeconfig is beside the file of `--config`, or in a Secret. */
function contextOf(kubeconfig: string, configFile = join(folder.path, 'muster.yaml')): DoctorContext {
  const registrar = { kubeconfig, namespace: 'cluster-ids', whenUnreachable: 'deny' } as const;
  const items = [{ key: 'hub.yaml', path: 'hub.yaml' }];
  const volumes = [{ name: 'configuration', projected: { sources: [{ secret: { name: 'muster-hub', items } }] } }];
  const client: Partial<DoctorContext['client']> = {
    call: async (request) => {
      const { path } = request;
      if (path === '/version') return { body: {}, date: NOW };
      if (secret === undefined) throw statusError(404, undefined, request);
      return { body: { data: { 'hub.yaml': Buffer.from(secret).toString('base64') } }, date: NOW };
    },
  };
  const deployment = { kind: 'found', body: { spec: { template: { spec: { volumes } } } } };
  const reads = { profileLists: false, registrar };
  const options = { reads };
  const more = { client, deployment, options, configFile, namespace: 'muster-system', clock: () => NOW };
  return { ...more, programs: programsOf({}) } as unknown as DoctorContext;
}

const look = async (context = contextOf('kubeconfig')) =>
  Object.fromEntries((await checkRegistrar(context)).map((each) => [each.id.replace('registrar/', ''), each]));

test('without a registrar there are no checks', async () => {
  expect(await checkRegistrar({ ...contextOf('kubeconfig'), options: { reads: { profileLists: false } } })).toEqual([]);
});

test('a hub that is well: reachable, with these rights alone, and by the same clock', async () => {
  may = ({ resource }) => resource === 'leases' && stub.requests.at(-1)?.body.includes('kube-system') === false;
  const { reachable, rights, clock } = await look();
  expect([reachable?.status, rights?.status, clock?.status]).toEqual(['ok', 'ok', 'ok']);
  expect(stub.requests.filter(({ method, url }) => method !== 'GET' && !/dryRun=All|accessreviews/.test(url))).toEqual(
    [],
  );
});

test.each([
  [30, 'ok', "the hub's is 30 s ahead of this cluster's"],
  [31, 'fail', "the hub's is 31 s ahead of this cluster's: 30 s are allowed"],
  [-45, 'fail', "the hub's is 45 s behind this cluster's: 30 s are allowed"],
])('a clock that differs by %d s: %s', async (seconds, expected, message) => {
  skew = seconds;
  const { clock } = await look();
  expect(clock).toMatchObject({ status: expected, message: expect.stringContaining(message) });
  if (expected === 'fail') expect(clock?.remedy).toContain('chronyc tracking');
});

test.each<[string, () => void, string, string, string]>([
  [
    'a missing right',
    () => {
      may = ({ verb }) => verb !== 'delete';
    },
    'rights',
    'may not delete leases',
    'muster manifests --registrar --namespace cluster-ids | kubectl --context HUB apply -f -',
  ],
  [
    'no namespace',
    () => {
      status = 404;
    },
    'reachable',
    'the hub has no namespace cluster-ids',
    'muster manifests --registrar --namespace cluster-ids | kubectl --context HUB apply -f -',
  ],
  [
    'a quota',
    () => {
      status = 403;
      message = 'leases "a" is forbidden: exceeded quota';
    },
    'reachable',
    'POST /apis/coordination.k8s.io/v1/namespaces/cluster-ids/leases: leases "a" is forbidden: exceeded quota',
    'remove what refuses it in cluster-ids of the hub, such as a quota',
  ],
  [
    'credentials that are not known',
    () => {
      status = 401;
    },
    'reachable',
    'the hub does not know the credentials',
    'kubectl -n muster-system create secret generic muster-hub --from-file hub.yaml --dry-run=client -o yaml | kubectl',
  ],
])('%s fails, with the command that fixes it', async (_, set, id, message, remedy) => {
  set();
  folder.put('hub.yaml', readFileSync(stub.kubeconfig));
  const { [id]: check } = await look(contextOf(id === 'reachable' ? 'hub.yaml' : 'kubeconfig'));
  expect(check).toMatchObject({ status: 'fail', message, remedy: expect.stringContaining(remedy) });
});

test('a hub that this machine does not reach: the servers may reach it all the same', async () => {
  folder.put('hub.yaml', readFileSync(stub.kubeconfig, 'utf8').replace(/127.0.0.1:\d+/, '127.0.0.1:1'));
  const { reachable } = await look(contextOf('hub.yaml'));
  expect(reachable).toMatchObject({ status: 'fail', message: expect.stringMatching(/can't be reached/) });
  const call = `kubectl --kubeconfig ${join(folder.path, 'hub.yaml')} version`;
  expect(reachable?.remedy).toMatch(/that this machine and the servers reach it by its kubeconfig: kubectl /);
  expect(reachable?.remedy?.endsWith(call)).toBe(true);
});

test('the same with a kubeconfig that only a Secret has: the fix gets it first', async () => {
  secret = readFileSync(stub.kubeconfig, 'utf8').replace(/127.0.0.1:\d+/, '127.0.0.1:1');
  const context = { ...contextOf('/etc/muster/hub.yaml'), configFile: undefined } as unknown as DoctorContext;
  const template = `'go-template={{index .data "hub.yaml" | base64decode}}'`;
  const get = `kubectl -n muster-system get secret muster-hub -o ${template}`;
  const call = `${get} > in-cluster-hub.yaml && kubectl --kubeconfig in-cluster-hub.yaml version`;
  expect((await look(context))['reachable']?.remedy?.endsWith(`: ${call}`)).toBe(true);
});

test('more rights than those to the Leases are a warning', async () => {
  may = () => true;
  expect((await look())['rights']).toMatchObject({
    status: 'warn',
    remedy: `see them: kubectl --kubeconfig ${stub.kubeconfig} auth can-i --list --namespace cluster-ids`,
  });
});

test('without --config the kubeconfig is that of the Secret that the pods mount', async () => {
  const context = () => ({ ...contextOf('/etc/muster/hub.yaml'), configFile: undefined }) as unknown as DoctorContext;
  const missing = (await look(context()))['reachable'];
  expect(missing).toMatchObject({ status: 'fail', message: 'Secret muster-system/muster-hub is missing' });
  secret = readFileSync(stub.kubeconfig, 'utf8');
  expect((await look(context()))['reachable']).toMatchObject({ status: 'ok' });
  secret = '{';
  const broken = (await look(context()))['reachable'];
  expect(broken?.message).toContain("the kubeconfig of the hub (Secret muster-system/muster-hub) can't be read");
});

test('the Secret may be mounted as a whole, into the folder of the kubeconfig', async () => {
  secret = readFileSync(stub.kubeconfig, 'utf8');
  const spec = {
    containers: [{ volumeMounts: [{ name: 'hub', mountPath: '/hub' }] }],
    volumes: [{ name: 'hub', secret: { secretName: 'hub-access' } }],
  };
  const deployment = { kind: 'found', body: { spec: { template: { spec } } } };
  const at = (file: string) => ({ ...contextOf(file), configFile: undefined, deployment }) as unknown as DoctorContext;
  expect((await look(at('/hub/hub.yaml')))['reachable']).toMatchObject({ status: 'ok' });
  expect((await look(at('../../hub/hub.yaml')))['reachable']).toMatchObject({ status: 'ok' });
  expect((await look(at('/other/hub.yaml')))['reachable']).toMatchObject({ status: 'unknown' });
  status = 401;
  expect((await look(at('/hub/hub.yaml')))['reachable']?.remedy).toContain('create secret generic hub-access ');
  spec.volumes = [{ name: 'hub', secret: { secretName: 'a; b' } }];
  expect((await look(at('/hub/hub.yaml')))['reachable']?.remedy).toContain("create secret generic 'a; b' --from-file ");
});

test('a kubeconfig that only the server has is unknown', async () => {
  const context = { ...contextOf('/hub/other.yaml'), configFile: undefined } as unknown as DoctorContext;
  expect((await look(context))['reachable']).toMatchObject({ status: 'unknown' });
});
