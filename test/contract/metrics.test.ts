/** docs/operations.md names each metric and each value of a label with few values, and no other. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { closeCauses, rejectionCauses } from '../../src/server/admission/observer.ts';
import { handshakeFailures } from '../../src/server/connections/layer.ts';
import { internalErrorSources } from '../../src/server/lifecycle/internal-errors.ts';
import { endChildren, kubeconfigOf, serveChild, testFolder } from './child.ts';

const write = testFolder();
afterAll(endChildren);

const text = readFileSync('docs/operations.md', 'utf8');
const section = /\n## Metrics\n([\s\S]*?)\n### /.exec(text)?.[1] ?? '';
const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const rows = section.split('\n').filter((line) => line.startsWith('| `muster_'));

test('docs/operations.md has each metric, and each limit stands beside what is held', async () => {
  const file = write('kubeconfig', kubeconfigOf('https://127.0.0.1:1'));
  const served = await serveChild({ args: ['--kubeconfig', file, '--namespace', 'fleet'] });
  const lines = (await served.ops('/metrics')).split('\n');
  const shown = lines.flatMap((line) => /^# TYPE (muster_\w+) /.exec(line)?.[1] ?? []);
  const documented = rows.flatMap((row) => quoted(row).filter((name) => name.startsWith('muster_')));
  expect(documented.sort()).toEqual(shown.sort());
  const value = (name: string) => Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
  for (const name of shown.filter((each) => each.includes('_limit'))) {
    expect([name, value(name.replace('_limit', '')) <= value(name)]).toEqual([name, true]);
  }
}, 90_000);

test.each([
  ['muster_internal_errors_total', internalErrorSources],
  ['muster_requests_rejected_total', rejectionCauses],
  ['muster_connections_closed_total', closeCauses],
  ['muster_handshakes_failed_total', handshakeFailures],
])('docs/operations.md has each value of the label of %s', (name, values) => {
  const [, , , meaning] = rows.find((row) => row.includes(`\`${name}\``))?.split('|') ?? [];
  expect(quoted(meaning).filter((each) => !each.startsWith('-'))).toEqual([...values]);
});
