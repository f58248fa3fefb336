/** docs/reference/metrics.md names each metric that a server with a live cluster serves. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { kubeconfigOf } from '../../support/api-stub.ts';
import { endChildren, serveChild } from '../../support/child.ts';
import { configurationOf } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';

const { replace: write } = newFolder();
afterAll(endChildren);

const [ofServer = ''] = readFileSync('docs/reference/metrics.md', 'utf8').split('\n## muster scan\n');

test('each metric is in the reference, and each limit stands beside what is held', async () => {
  const file = write('kubeconfig', kubeconfigOf('https://127.0.0.1:1'));
  const registrar = { kubeconfig: file, namespace: 'cluster-ids' };
  const config = write('muster.yaml', configurationOf({ registrar }));
  const cluster = ['--kubeconfig', file, '--namespace', 'fleet'];
  const served = await serveChild({
    args: [...cluster, '--config', config, '--tracing-endpoint', 'http://127.0.0.1:1', '--events'],
  });
  const lines = (await served.ops('/metrics')).split('\n');
  const shown = lines.flatMap((line) => /^# TYPE (muster_\w+) /.exec(line)?.[1] ?? []);
  const documented = [...ofServer.matchAll(/^\| `(muster_\w+)` \|/gm)].map(([, name = '']) => name);
  expect(documented.sort()).toEqual(shown.sort());
  const value = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
  for (const name of shown.filter((each) => each.includes('_limit'))) {
    expect([name, value(name.replace('_limit', '')) <= value(name)]).toEqual([name, true]);
  }
});
