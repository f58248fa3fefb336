/**
 * docs/architecture.md lists the files that a request and a manifest pass, and where things are decided: this follows
 * the calls of the real program, and looks into the files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { clusterClaim } from '../../../src/api/dialects.ts';
import { answerFrom, startApiStub } from '../../support/api-stub.ts';
import { endChildren, type Served, serveChild } from '../../support/child.ts';
import { HEAD } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { SOURCE_MAIN } from '../../support/main.ts';
import { createMemoryCluster, NAMESPACE } from '../../support/memory-cluster.ts';
import { claim } from '../../support/objects.ts';
import { reviewWith } from '../../support/reviews.ts';
import { exchange, responseOf } from '../../support/test-server.ts';
import { createRecorder, listedFiles, mistakesOf } from './called.ts';

const MANIFEST = `apiVersion: about.k8s.io/v1
kind: ClusterProperty
metadata:
  name: color.example.com
spec:
  value: red
`;

afterEach(endChildren);

const processOf = (served: Served) => ({ ...served, pid: served.process.pid });

test('a request passes the listed files, 12 at most, and a new connection those listed for it', async () => {
  const recorder = createRecorder();
  const served = await serveChild({ main: SOURCE_MAIN, env: recorder.env });
  const called = (agent: Agent) =>
    recorder.during(processOf(served), () =>
      exchange({ port: served.port, ca: served.ca, agent }, JSON.stringify(reviewWith())),
    );
  const first = new Agent({ keepAlive: true });
  const second = new Agent({ keepAlive: true });
  await called(first);
  expect(mistakesOf('One request', await called(first))).toEqual([]);
  expect(listedFiles('One request').length).toBeLessThanOrEqual(12);
  expect(mistakesOf('One connection', await called(second), 'One request')).toEqual([]);
  first.destroy();
  second.destroy();
});

test('a changed configuration passes the listed files', async () => {
  const recorder = createRecorder();
  const folder = newFolder().path;
  const config = join(folder, 'muster.yaml');
  const configured = (mode: string) => writeFileSync(config, `${HEAD}mode: ${mode}\n`);
  configured('enforce');
  const served = await serveChild({ args: ['--config', config], main: SOURCE_MAIN, env: recorder.env });
  const changed = (mode: string) =>
    recorder.during(processOf(served), async () => configured(mode), 'a new configuration is in effect');
  await changed('warn');
  const called = await changed('audit');
  expect(mistakesOf('One changed file', called)).toEqual([]);
});

test('an identity write passes the listed files and holds a lock', async () => {
  const recorder = createRecorder();
  const cluster = createMemoryCluster();
  cluster.put(clusterClaim, 'id.k8s.io', 'north-1');
  const api = await startApiStub(newFolder().path);
  api.answer = answerFrom(cluster, api);
  const args = ['--kubeconfig', api.kubeconfig, '--namespace', NAMESPACE];
  const served = await serveChild({ args, main: SOURCE_MAIN, env: recorder.env });
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify(reviewWith({ name: 'clusterset.k8s.io', object: claim('clusterset.k8s.io', 'fleet') }));
  const join = () =>
    recorder.during(processOf(served), async () =>
      expect(responseOf(await exchange({ port: served.port, ca: served.ca, agent }, body))).toMatchObject({
        allowed: true,
      }),
    );
  try {
    await join();
    expect(cluster.lease(clusterClaim)['spec']).toMatchObject({ holderIdentity: expect.any(String) });
    // Free again, as after a leave.
    cluster.setLease(clusterClaim, { metadata: {} });
    expect(mistakesOf('One identity write with its lock', await join(), 'One request')).toEqual([]);
  } finally {
    agent.destroy();
    await api.close();
  }
});

test('a file passes the listed files through check', () => {
  const recorder = createRecorder();
  const manifest = newFolder().put('manifest.yaml', MANIFEST);
  execFileSync(process.execPath, [SOURCE_MAIN, 'check', manifest], { env: { ...process.env, ...recorder.env } });
  expect(mistakesOf('One file through check', recorder.files())).toEqual([]);
  expect(listedFiles('One file through check').length).toBeLessThanOrEqual(32);
});

test('what the table says is decided in a file is there', () => {
  const [, table = ''] =
    /^## Where things are decided\n([\s\S]*?)^## /m.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  const rows = [...table.matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].slice(1).map(([, where = '']) => where);
  const wrong = rows.flatMap((where) => {
    let names: string[] = [];
    return [...where.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => {
      if (!quoted.startsWith('src/')) {
        names.push(quoted);
        return [];
      }
      const code = existsSync(quoted) ? readFileSync(quoted, 'utf8') : '';
      const missing = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
      names = [];
      return missing.map((name) => `${quoted} has no ${name}`);
    });
  });
  expect(rows.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});
