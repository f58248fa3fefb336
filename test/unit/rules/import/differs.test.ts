/** An import says what all constituents say, where these agree and are all known. */
import { describe, expect, test } from '@jest/globals';
import { serviceExport } from '../../../../src/api/dialects.ts';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type Clusters, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { type Tweak, tweaked } from '../../../support/rule-tester.ts';
import { condition, exported, exportedWith, importedFrom, memberOf, service } from '../../../support/services.ts';

const RULE = 'import/differs';
const blue = (id: string) => memberOf('blue', id);
const found = async (clusters: Clusters, options: Parameters<typeof conflictsIn>[1] = {}) =>
  (await conflictsIn(clusters, { rule: RULE, ...options })).filter((line) => !line.startsWith(' '));
const differs = (field: string) => `west ServiceImport shop/web: warn import/differs ${field}`;

/** `web` exported by `east` as this Service, and imported by `west` with these differences. */
const fleet = (ofService: Tweak, ofImport: Tweak = {}, ofExport: JsonObject = exported()): Clusters => ({
  east: [...blue('e'), ofExport, service(ofService)],
  west: [...blue('w'), tweaked(importedFrom('e'), ofImport)],
});
const CLIENT_IP: Tweak = { '/spec/sessionAffinity': 'ClientIP' };
const TIMEOUT = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
const timeout = (seconds: number): Tweak => ({ ...CLIENT_IP, [`/${TIMEOUT.replaceAll('.', '/')}`]: seconds });
const HEADLESS: Tweak = { '/spec/clusterIP': 'None' };
const imported: Tweak = { '/spec/type': 'Headless' };

describe('reports', () => {
  test.each<[string, Clusters, readonly string[]]>([
    ['another type', fleet(HEADLESS), ['spec.type']],
    ['a headless import of a Service with an address', fleet({}, imported), ['spec.type']],
    ['another port', fleet({ '/spec/ports/0/port': 8080 }), ['spec.ports']],
    ['another name of a port', fleet({ '/spec/ports/0/name': 'web' }), ['spec.ports']],
    ['another protocol', fleet({ '/spec/ports/0/protocol': 'UDP' }), ['spec.ports']],
    ['an application protocol', fleet({ '/spec/ports/0/appProtocol': 'h2c' }), ['spec.ports']],
    ['a missing port', fleet({}, { '/spec/ports': [] }), ['spec.ports']],
    ['a port too many', fleet({}, { '/spec/ports/1': { name: 'more', port: 81 } }), ['spec.ports']],
    ['session affinity', fleet(CLIENT_IP), ['spec.sessionAffinity']],
    ['session affinity of the import alone', fleet({}, CLIENT_IP), ['spec.sessionAffinity']],
    ['another timeout', fleet(timeout(60), timeout(90)), [TIMEOUT]],
    ['another timeout than the default', fleet(CLIENT_IP, timeout(60)), [TIMEOUT]],
    ['no session affinity, where the import alone is headless', fleet(CLIENT_IP, imported), ['spec.type']],
    ['each of them', fleet({ ...HEADLESS, '/spec/ports/0/port': 81 }), ['spec.type', 'spec.ports']],
  ])('%s', async (_, clusters, fields) => expect(await found(clusters)).toEqual(fields.map(differs)));

  test('what is expected of whom, with the exports', async () => {
    const clusters = fleet({ '/spec/ports/0/port': 8080 });
    expect(await messagesOf(clusters, RULE)).toEqual([
      'must be http 8080/TCP, as in east, which export the service without a conflict, got http 80/TCP; see why the ' +
        'controller does not update the import',
      '  an export of the service',
    ]);
    const [, related] = await conflictsIn(clusters, { rule: RULE });
    expect(related).toBe('  east ServiceExport shop/web ');
  });

  test('an import that names no cluster, or others, in a complete run alone', async () => {
    for (const status of [undefined, { clusters: [] }, { clusters: [{ cluster: 'gone' }] }]) {
      const clusters = fleet(HEADLESS, { '/status': status });
      expect(await found(clusters, { isComplete: true })).toEqual([differs('spec.type')]);
      expect(await found(clusters)).toEqual([]);
    }
  });

  test.each<[string, JsonObject]>([
    ['a conflict that never was', exportedWith(condition('Valid', 'True'), condition('Conflict', 'False'))],
    [
      'a conflict that was false before the export was valid',
      exportedWith(condition('Valid', 'True', '2026-06-01T11:10:00Z'), condition('Conflict', 'False')),
    ],
    [
      'a conflict that is still reported',
      exportedWith(condition('Valid', 'True'), condition('Conflict', 'True', '2026-06-01T11:10:00Z')),
    ],
    ['no condition Valid', exportedWith(condition('Conflict', 'False', '2026-06-01T11:10:00Z'))],
  ])('a difference after %s', async (_, ofExport) => {
    expect(await found(fleet(HEADLESS, {}, ofExport))).toEqual([differs('spec.type')]);
  });

  test('a difference beside labels that conflict', async () => {
    const clusters = fleet(HEADLESS);
    const labelled = exported({ '/spec': { exportedLabels: { tier: 'gold' } } });
    const both = { ...clusters, north: [...blue('n'), labelled, service(HEADLESS)] };
    expect(await found(both)).toEqual([differs('spec.type')]);
  });
});

describe('is silent on', () => {
  test.each<[string, Clusters]>([
    ['an import that agrees', fleet({})],
    [
      'ports in another order',
      {
        ...fleet({
          '/spec/ports': [
            { name: 'b', port: 2 },
            { name: 'a', port: 1 },
          ],
        }),
        west: [
          ...blue('w'),
          tweaked(importedFrom('e'), {
            '/spec/ports': [
              { name: 'a', port: 1 },
              { name: 'b', port: 2, protocol: 'TCP' },
            ],
          }),
        ],
      },
    ],
    ['an empty session affinity', fleet({}, { '/spec/sessionAffinity': '' })],
    ['the default timeout', fleet(CLIENT_IP, timeout(10_800))],
    ['the session affinity of a headless service', fleet({ ...HEADLESS, ...CLIENT_IP }, imported)],
    ['the session affinity of a headless import', fleet(HEADLESS, { ...imported, ...CLIENT_IP })],
    ['constituents that conflict', { ...fleet({}), north: [...blue('n'), exported(), service(HEADLESS)] }],
    ['a Service that is not there', { east: [...blue('e'), exported()], west: fleet(HEADLESS)['west'] ?? [] }],
    ['an import of no type', fleet({}, { '/spec/type': undefined })],
    ['ports that are no list', fleet({}, { '/spec/ports': 'http' })],
    ['a cluster of the status that is not in the run', fleet(HEADLESS, { '/status/clusters/1': { cluster: 'gone' } })],
    [
      'exports of another ClusterSet',
      {
        east: [...memberOf('red', 'e'), exported(), service(HEADLESS)],
        west: [...blue('w'), importedFrom('w')],
      },
    ],
    [
      'a conflict that was resolved',
      fleet(
        HEADLESS,
        {},
        exportedWith(condition('Valid', 'True'), condition('Conflict', 'False', '2026-06-01T11:00:01Z')),
      ),
    ],
  ])('%s', async (_, clusters) => expect(await found(clusters)).toEqual([]));

  test('a conflict that one of two exports says was resolved', async () => {
    const resolved = exportedWith(condition('Valid', 'True'), condition('Conflict', 'False', '2026-06-01T11:00:01Z'));
    const clusters = { ...fleet(HEADLESS, {}, resolved), north: [...blue('n'), exported(), service(HEADLESS)] };
    expect(await found(clusters)).toEqual([]);
  });

  test('Services or exports that could not be read', async () => {
    const both: Clusters = { ...fleet(HEADLESS), north: [...blue('n'), exported()] };
    expect(await found(both, { unread: { north: [serviceKind] } })).toEqual([]);
    expect(await found(fleet(HEADLESS), { unread: { east: [serviceExport] } })).toEqual([]);
    expect(await found(fleet(HEADLESS), { unread: { west: [serviceExport] } })).toEqual([differs('spec.type')]);
    const complete = { unread: { west: [serviceExport] }, isComplete: true } as const;
    expect(await found(fleet(HEADLESS), complete)).toEqual([]);
  });

  test('anything at check', async () => expect(await found(fleet(HEADLESS), { point: 'check' })).toEqual([]));
});
