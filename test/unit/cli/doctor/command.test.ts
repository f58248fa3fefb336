/** `muster doctor` as a command. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { doctorCommand } from '../../../../src/cli/doctor/run.ts';
import { type ApiStub, json, startApiStub } from '../../../support/api-stub.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';

let folder: Folder;
let stub: ApiStub;
beforeAll(async () => {
  folder = newFolder();
  stub = await startApiStub(folder.path);
  // A version that says nothing is a warning. All else is forbidden, thus unknown.
  stub.answer = ({ url }, response) =>
    url === '/version'
      ? json(response, 200, {})
      : json(response, 403, { kind: 'Status', code: 403, reason: 'Forbidden' });
});
afterAll(() => stub.close());

test.each([
  ['without --strict warnings do not fail it, and what is unknown is 2', false, 2],
  ['with --strict a warning fails it', true, 1],
])('%s', async (_, strict, expected) => {
  const before = process.exitCode;
  await doctorCommand({ kubeconfig: stub.kubeconfig, strict, output: [`json=${folder.path}/report.json`] });
  const { exitCode } = process;
  process.exitCode = before;
  expect(exitCode).toBe(expected);
});

test('the commands of its fixes call the cluster of the flags', async () => {
  stub.answer = ({ url }, response) => json(response, url === '/version' ? 200 : 404, {});
  const before = process.exitCode;
  await doctorCommand({ kubeconfig: stub.kubeconfig, output: [`json=${folder.path}/report.json`] });
  process.exitCode = before;
  const { checks } = JSON.parse(readFileSync(`${folder.path}/report.json`, 'utf8'));
  expect(checks.at(-1)).toMatchObject({
    id: 'cluster/installed',
    remedy: expect.stringContaining(` | kubectl --kubeconfig ${stub.kubeconfig} apply -f -; `),
  });
});
