/** `check --live` against a server that answers as a test wants. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { checkCommand } from '../../../../src/cli/check/command.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { cluster, yaml } from '../../../support/command-line.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

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
  const { exitCode } = process;
  const output = ['text', 'json'].map((format) => `${format}=${folder.path}/report.${format}`);
  await checkCommand([file], { failOn: 'denied', live: [], kubeconfig: stub.kubeconfig, output });
  process.exitCode = exitCode;
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['end']));
});

test('a deletion of an object that the cluster does not have is listed as skipped', async () => {
  const file = folder.put('a.yaml', yaml(profile));
  const lines: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const { exitCode } = process;
  const output = [`json=${folder.path}/report.json`];
  const flags = { failOn: 'denied', live: [], kubeconfig: stub.kubeconfig, deleted: [file], verbose: true } as const;
  await checkCommand([], { ...flags, output }).finally(() => write.mockRestore());
  process.exitCode = exitCode;
  expect(lines).toContainEqual(expect.stringMatching(/a\.yaml:\d+:1: note: skipped: the cluster does not have it\n$/));
});
