/** `check --live` against a server that answers as a test wants. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { cluster, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { musterHere } from '../../../support/in-process.ts';

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
