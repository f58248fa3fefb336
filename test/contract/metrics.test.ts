/** docs/operations.md names each metric and each value of a label with few values, and no other. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { closeCauses, rejectionCauses } from '../../src/server/admission/observer.ts';
import { handshakeFailures } from '../../src/server/connections/handshake-failure.ts';
import { internalErrorSources } from '../../src/server/lifecycle/internal-errors.ts';
import { endChildren, serveChild } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-metrics-'));
afterAll(() => {
  endChildren();
  rmSync(folder, { recursive: true });
});

const text = readFileSync('docs/operations.md', 'utf8');
const section = /\n## Metrics\n([\s\S]*?)\n### /.exec(text)?.[1] ?? '';
const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const rows = section.split('\n').filter((line) => line.startsWith('| `muster_'));

test('docs/operations.md has each metric, and each limit stands beside what is held', async () => {
  const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user: { token: 't' } }];
  const kubeconfig = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts, 'current-context': 'x' };
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(kubeconfig));
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
