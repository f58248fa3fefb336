/** An import says what all constituents say, where these agree and are all known. */
import { expect, test } from '@jest/globals';
import { serviceExport } from '../../../../src/api/dialects.ts';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/import/differs.ts';
import { type Clusters, conflictsIn, testComparison } from '../../../support/compared.ts';
import { type Tweak, tweaked } from '../../../support/rule-tester.ts';
import { condition, exported, exportedWith, importedFrom, memberOf, service } from '../../../support/services.ts';

const blue = (id: string) => memberOf('blue', id);
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
const ports = (...all: readonly JsonObject[]): Tweak => ({ '/spec/ports': all });
/** Of another type, with this export. */
const after = (...conditions: readonly JsonObject[]) => fleet(HEADLESS, {}, exportedWith(...conditions));
/** Of another type, with an import of this status. */
const naming = (status: JsonObject | undefined) => fleet(HEADLESS, { '/status': status });
const north = (ofService: Tweak, ofExport = exported()) => ({ north: [...blue('n'), ofExport, service(ofService)] });
const LATE = '2026-06-01T11:10:00Z';
const resolved = after(condition('Valid', 'True'), condition('Conflict', 'False', '2026-06-01T11:00:01Z'));
const API: Tweak = { '/metadata/name': 'api' };
/** `web` with a difference, and `api` without. */
const withApi = () => {
  const { east = [], west = [] } = fleet(HEADLESS);
  return { east: [...east, exported(API), service(API)], west: [tweaked(importedFrom('e'), API), ...west] };
};
const complete = { isComplete: true };

testComparison(rule, {
  points: ['scan'],
  related: false,
  line: (field) => `west ServiceImport shop/web: warn import/differs ${field}`,
  findings: ['spec.type'],
  reports: [
    ['another type', fleet(HEADLESS)],
    ['another type, beside a service without a difference', withApi()],
    ['a headless import of a Service with an address', fleet({}, imported)],
    ['another port', fleet({ '/spec/ports/0/port': 8080 }), ['spec.ports']],
    ['another name of a port', fleet({ '/spec/ports/0/name': 'web' }), ['spec.ports']],
    ['another protocol', fleet({ '/spec/ports/0/protocol': 'UDP' }), ['spec.ports']],
    ['an application protocol', fleet({ '/spec/ports/0/appProtocol': 'h2c' }), ['spec.ports']],
    ['a missing port', fleet({}, ports()), ['spec.ports']],
    ['a port too many', fleet({}, { '/spec/ports/1': { name: 'more', port: 81 } }), ['spec.ports']],
    ['session affinity', fleet(CLIENT_IP), ['spec.sessionAffinity']],
    ['session affinity of the import alone', fleet({}, CLIENT_IP), ['spec.sessionAffinity']],
    ['another timeout', fleet(timeout(60), timeout(90)), [TIMEOUT]],
    ['another timeout than the default', fleet(CLIENT_IP, timeout(60)), [TIMEOUT]],
    ['no session affinity, where the import alone is headless', fleet(CLIENT_IP, imported)],
    ['each of them', fleet({ ...HEADLESS, '/spec/ports/0/port': 81 }), ['spec.type', 'spec.ports']],
    ['an import without a status, in a complete run', naming(undefined), undefined, complete],
    ['an import that names no cluster, in a complete run', naming({ clusters: [] }), undefined, complete],
    ['an import of another, in a complete run', naming({ clusters: [{ cluster: 'gone' }] }), undefined, complete],
    ['after a conflict that never was', after(condition('Valid', 'True'), condition('Conflict', 'False'))],
    [
      'after a conflict that was false before the export was valid',
      after(condition('Valid', 'True', LATE), condition('Conflict', 'False')),
    ],
    ['after a conflict that is still reported', after(condition('Valid', 'True'), condition('Conflict', 'True', LATE))],
    ['after no condition Valid', after(condition('Conflict', 'False', LATE))],
    [
      'beside labels that conflict',
      { ...fleet(HEADLESS), ...north(HEADLESS, exported({ '/spec': { exportedLabels: { tier: 'gold' } } })) },
    ],
    [
      'where exports of a cluster could not be read that the import does not name',
      fleet(HEADLESS),
      undefined,
      {
        unread: { west: [serviceExport] },
      },
    ],
  ],
  silent: [
    ['an import that agrees', fleet({})],
    [
      'ports in another order',
      fleet(
        ports({ name: 'b', port: 2 }, { name: 'a', port: 1 }),
        ports({ name: 'a', port: 1 }, { name: 'b', port: 2, protocol: 'TCP' }),
      ),
    ],
    ['an empty session affinity', fleet({}, { '/spec/sessionAffinity': '' })],
    ['the default timeout', fleet(CLIENT_IP, timeout(10_800))],
    ['the session affinity of a headless service', fleet({ ...HEADLESS, ...CLIENT_IP }, imported)],
    ['the session affinity of a headless import', fleet(HEADLESS, { ...imported, ...CLIENT_IP })],
    ['constituents that conflict', { ...fleet({}), ...north(HEADLESS) }],
    ['a Service that is not there', { ...fleet(HEADLESS), east: [...blue('e'), exported()] }],
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
    ['an import without a status', naming(undefined)],
    [
      'an import of AWS Cloud Map, whose status is not kept up to date',
      fleet(HEADLESS, { '/metadata/annotations': { 'multicluster.k8s.aws/derived-service': '[]' } }),
    ],
    ['an import that names no cluster', naming({ clusters: [] })],
    ['an import of another', naming({ clusters: [{ cluster: 'gone' }] })],
    ['a conflict that was resolved', resolved],
    ['a conflict that one of two exports says was resolved', { ...resolved, ...north(HEADLESS) }],
    [
      'Services that could not be read',
      { ...fleet(HEADLESS), north: [...blue('n'), exported()] },
      { unread: { north: [serviceKind] } },
    ],
    ['exports that could not be read', fleet(HEADLESS), { unread: { east: [serviceExport] } }],
    [
      'exports of any cluster that could not be read, in a complete run',
      fleet(HEADLESS),
      { ...complete, unread: { west: [serviceExport] } },
    ],
  ],
  messages: [
    [
      'what is expected of whom, with the exports',
      fleet({ '/spec/ports/0/port': 8080 }),
      [
        'must be http 8080/TCP, as exported without a conflict by east, got http 80/TCP; see why the ' +
          'controller does not update the import',
        '  an export of the service',
      ],
    ],
    [
      'of one cluster, which has no name',
      { '': [...blue('e'), exported(), service(HEADLESS), importedFrom('e')] },
      [
        'must be Headless, as exported without a conflict by this cluster, got ClusterSetIP; see why the ' +
          'controller does not update the import',
        '  an export of the service',
      ],
      { isAcross: false },
    ],
  ],
});

test('a finding names the exports that differ', async () => {
  expect(await conflictsIn(fleet({ '/spec/ports/0/port': 8080 }), { rule: rule.id })).toEqual([
    'west ServiceImport shop/web: warn import/differs spec.ports',
    '  east ServiceExport shop/web ',
  ]);
});
