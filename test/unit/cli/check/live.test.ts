/** `check --live` against a server that answers as a test wants. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CheckReport } from '../../../../src/report/report.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { placement } from '../../../support/bases.ts';
import { cluster, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';
import { tweaked } from '../../../support/rule-tester.ts';

let folder: Folder;
let stub: ApiStub;
beforeEach(async () => {
  folder = newFolder();
  stub = await startApiStub(folder.path);
  const versions = [{ version: 'v1alpha1' }];
  const resources = [{ name: 'clusterprofiles' }];
  stub.answer = ({ url = '' }, response) => {
    if (url.endsWith('/apis/multicluster.x-k8s.io')) json(response, 200, { versions });
    else if (url.endsWith('/v1alpha1')) json(response, 200, { resources });
    else json(response, 404, { kind: 'Status', code: 404, details: { name: url.split('/').at(-1) } });
  };
});
afterEach(() => stub.close());

const check = (...args: string[]) =>
  musterHere(['check', '--live', '--kubeconfig', stub.kubeconfig, ...args], { cwd: folder.path });
const profile = { ...cluster('a', { metadata: { name: 'a', namespace: 'own' } }), kind: 'ClusterProfile' };

test('the connections are closed at the end, not when the server gives them up', async () => {
  const file = folder.put('a.yaml', yaml(profile));
  const ends: Promise<string>[] = [];
  const { answer } = stub;
  stub.answer = (request, response) => {
    const { socket } = request;
    ends.push(Promise.race(['end', 'timeout'].map((event) => once(socket, event).then(() => event))));
    answer(request, response);
  };
  await check(file);
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['end']));
});

test('a deletion of an object that the cluster does not have is listed as skipped', async () => {
  const file = folder.put('a.yaml', yaml(profile));
  const { err } = await check('--deleted', file, '-v');
  expect(err).toMatch(/^\S*a\.yaml:\d+:1: note: skipped: the cluster does not have it\n/);
});

/** Answers for objects of three kinds in `open`, of which it has none, and in `closed`, which may not be read. */
const closing: ApiStub['answer'] = ({ url = '' }, response) => {
  const [path = ''] = url.split('?');
  const kinds = ['clusterprofiles', 'placementdecisions', 'serviceexports'].map((name) => ({ name }));
  const name = path.split('/').at(-1);
  if (path.endsWith('/apis/multicluster.x-k8s.io')) json(response, 200, { versions: [{ version: 'v1alpha1' }] });
  else if (path.endsWith('/v1alpha1')) json(response, 200, { resources: kinds });
  else if (path === '/api/v1') json(response, 200, { resources: [{ name: 'services' }] });
  else if (/\/closed\/(placementdecisions|services)/.test(path))
    json(response, 403, { kind: 'Status', code: 403, reason: 'Forbidden', message: 'may not read' });
  else if (name === 'placementdecisions') json(response, 200, { metadata: {}, items: [] });
  else json(response, 404, { kind: 'Status', code: 404, details: { name } });
};
const found = ({ out }: { readonly out: string }, rule: string) =>
  (JSON.parse(out) as CheckReport).results.flatMap(({ namespace, findings }) =>
    findings.some(({ ruleId }) => ruleId === rule) ? namespace : [],
  );

test('slices of a namespace that can not be read hide no gap in another one', async () => {
  stub.answer = closing;
  const second = (namespace: string) =>
    tweaked(placement, {
      '/metadata/namespace': namespace,
      '/metadata/labels': { 'multicluster.x-k8s.io/decision-key': 'k', 'multicluster.x-k8s.io/decision-index': '1' },
      '/decisions': [],
    });
  folder.put('a.yaml', yaml(second('closed'), second('open')));
  const checked = await check('a.yaml', '-o', 'json');
  expect(checked.code).toBe(2);
  expect(found(checked, 'placement/slices')).toEqual(['open']);
});

test('Services of a namespace that can not be read hide no missing one in another namespace', async () => {
  stub.answer = closing;
  const exported = (namespace: string) => ({
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ServiceExport',
    metadata: { namespace, name: 'web' },
  });
  folder.put('a.yaml', yaml(exported('closed'), exported('open')));
  const flags = ['--cluster', 'east=a.yaml', '--live=east=x', '--kubeconfig', stub.kubeconfig, '-o', 'json'];
  const checked = await musterHere(['check', ...flags], { cwd: folder.path, env: { MUSTER_QUIET: '' } });
  expect(found(checked, 'export/service')).toEqual(['open']);
  expect(checked.err).toContain(
    'note: 1 ServiceExport (east: closed/web) is not compared, since its Service is not known in this run\n',
  );
});
