/** docs/operations.md names each metric, label value and ceiling that `/metrics` shows, and no other. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeCauses, rejectionCauses } from '../../src/server/admission/observer.ts';
import { handshakeFailures } from '../../src/server/connections/handshake-failure.ts';
import { faultPlaces } from '../../src/server/lifecycle/faults.ts';
import { endChildren, serveChild } from './child.ts';

const text = readFileSync('docs/operations.md', 'utf8');
const section = /\n## Metrics\n([\s\S]*?)\n### /.exec(text)?.[1] ?? '';
const rows = [...section.matchAll(/^\| (`[^|]+`) \|([^|]*)\|([^|]*)\|$/gm)].map(
  ([, names = '', labels = '', rest = '']) => ({
    names: quotedIn(names),
    labels: quotedIn(labels),
    said: quotedIn(rest),
  }),
);
const documented = rows.filter(({ names }) => names[0]?.startsWith('muster_'));
const ceilings = rows.filter(({ names }) => names.length === 1 && !names[0]?.startsWith('muster_'));
const folder = mkdtempSync(join(tmpdir(), 'muster-metrics-'));
let shown: string[];

function quotedIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function ofHeld(name: string): Map<string, number> {
  const samples = shown.flatMap((line) => {
    const [, what, value] = new RegExp(`^${name}\\{what="(\\w+)"\\} (\\S+)$`).exec(line) ?? [];
    return what === undefined ? [] : [[what, Number(value)] as const];
  });
  return new Map(samples);
}

beforeAll(async () => {
  const clusters = [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user: { token: 't' } }];
  const kubeconfig = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts, 'current-context': 'x' };
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(kubeconfig));
  const served = await serveChild({ args: ['--kubeconfig', file, '--namespace', 'fleet'] });
  shown = (await served.ops('/metrics')).split('\n');
}, 90_000);
afterAll(() => {
  endChildren();
  rmSync(folder, { recursive: true });
});

test('each metric', () => {
  const there = shown.flatMap((line) => /^# TYPE (muster_\w+) /.exec(line)?.[1] ?? []);
  expect(documented.flatMap(({ names }) => names).sort()).toEqual(there.sort());
});

test('each value of a label that has few', () => {
  const said = (name: string) => documented.find(({ names }) => names.includes(name))?.said;
  expect(said('muster_internal_errors')).toEqual([...faultPlaces]);
  expect(said('muster_requests_shed')).toEqual([...rejectionCauses]);
  expect(said('muster_connections_cut')).toEqual([...closeCauses]);
  expect(said('muster_handshakes_failed')?.filter((one) => !one.startsWith('-'))).toEqual([...handshakeFailures]);
});

test('each ceiling, with what is held below its limit', () => {
  const [held, limit] = [ofHeld('muster_held'), ofHeld('muster_limit')];
  const names = ceilings.flatMap((row) => row.names).filter((name) => name !== 'what');
  expect([...held.keys()].sort()).toEqual(names.sort());
  expect([...limit.keys()].sort()).toEqual(names.sort());
  for (const [name, most] of limit) {
    expect([name, Number(held.get(name)) <= most]).toEqual([name, true]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(2 ** 60);
  }
});
