/**
 * What the conformance suite of mcs-api (`conformance/service_import.go`) expects of an implementation, as far as it
 * follows from exports and Services: each scenario by its facts, held against the derivation.
 */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { exportPropertiesOf, isExternalName, servicePropertiesOf } from '../../../../src/rules/service/constituent.ts';
import {
  type Constituent,
  conflictReasons,
  conflictsAmong,
  type DerivedService,
  derive,
  possibleOrders,
} from '../../../../src/rules/service/derivation.ts';

/** What a cluster exports; `spec` of the Service changes that of `HELLO`. */
interface Exported {
  readonly spec?: JsonObject;
  readonly exported?: JsonObject;
}

interface Scenario {
  /** The suite's expectation, in our words. */
  readonly title: string;
  /** The first cluster's export is a second older. */
  readonly first: Exported;
  readonly second?: Exported;
  /** Reasons of the condition `Conflict`. */
  readonly conflicts?: readonly string[];
  /** What is said of the ServiceImport. */
  readonly derived: Partial<DerivedService>;
}

const TCP = { name: 'tcp', port: 42, protocol: 'TCP' };
const UDP = { name: 'udp', port: 42, protocol: 'UDP' };
const SCTP = { name: 'stcp', port: 142, protocol: 'SCTP' };

/** The Service that all scenarios begin with. */
const HELLO: JsonObject = {
  selector: { app: 'hello' },
  ports: [TCP, UDP],
  sessionAffinity: 'ClientIP',
  sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
  ipFamilyPolicy: 'PreferDualStack',
};
const HEADLESS: Exported = { spec: { clusterIP: 'None' } };

const asDerived = (...ports: readonly (typeof TCP)[]) => ports.map((port) => ({ ...port, appProtocol: '' }));

const SCENARIOS: readonly Scenario[] = [
  {
    title: 'a Service with an IP is imported as ClusterSetIP, with its ports',
    first: {},
    derived: { type: 'ClusterSetIP', ports: asDerived(TCP, UDP) },
  },
  {
    title: 'the session affinity of an import and its timeout are those of the Service',
    first: {},
    derived: { sessionAffinity: 'ClientIP', timeoutSeconds: 10 },
  },
  {
    title: 'the internal traffic policy of an import is that of the Service',
    first: { spec: { internalTrafficPolicy: 'Cluster' } },
    derived: { internalTrafficPolicy: 'Cluster' },
  },
  {
    title: 'the traffic distribution of an import is that of the Service',
    first: { spec: { trafficDistribution: 'PreferClose' } },
    derived: { trafficDistribution: 'PreferClose' },
  },
  {
    title: 'a headless Service is imported as Headless',
    first: HEADLESS,
    derived: { type: 'Headless', ports: asDerived(TCP, UDP) },
  },
  {
    title: 'the same Service of a second cluster changes nothing',
    first: {},
    second: {},
    derived: { type: 'ClusterSetIP', ports: asDerived(TCP, UDP), sessionAffinity: 'ClientIP' },
  },
  {
    title: 'other exported labels and annotations are a conflict on both',
    first: {
      exported: { exportedLabels: { 'dummy-label': 'true' }, exportedAnnotations: { 'dummy-annotation': 'true' } },
    },
    second: {
      exported: { exportedLabels: { 'dummy-label2': 'true' }, exportedAnnotations: { 'dummy-annotation2': 'true' } },
    },
    conflicts: ['LabelsConflict', 'AnnotationsConflict'],
    derived: { type: 'ClusterSetIP' },
  },
  {
    title: 'a port more in the second cluster: the union of both, and a conflict on both',
    first: {},
    second: { spec: { ports: [TCP, SCTP] } },
    conflicts: ['PortConflict'],
    derived: { ports: asDerived(TCP, UDP, SCTP), dropped: [] },
  },
  {
    title: 'another number for a port: the older one is taken, and a conflict on both',
    first: {},
    second: { spec: { ports: [{ ...TCP, port: 43 }] } },
    conflicts: ['PortConflict'],
    derived: {
      ports: asDerived(TCP, UDP),
      dropped: [{ port: { ...TCP, port: 43, appProtocol: '' }, clusters: ['second'] }],
    },
  },
  {
    title: 'a headless Service in the second cluster: the older type is taken, and a conflict on both',
    first: {},
    second: HEADLESS,
    conflicts: ['TypeConflict'],
    derived: { type: 'ClusterSetIP' },
  },
];

test.each(SCENARIOS)('$title', ({ first, second, conflicts = [], derived }) => {
  const constituents = [
    constituentOf('first', 1, first),
    ...(second === undefined ? [] : [constituentOf('second', 2, second)]),
  ];
  const found = [...conflictsAmong(constituents).keys()].map((property) => conflictReasons[property]);
  expect(found).toEqual(conflicts);
  // Whatever the order in which the clusters are read.
  for (const read of [constituents, constituents.toReversed()]) {
    const orders = possibleOrders(read);
    expect(orders).toHaveLength(1);
    expect(derive(orders[0] ?? [])).toMatchObject(derived);
  }
});

test('after the first cluster exports no more, the import is that of the second', () => {
  const second = constituentOf('second', 2, { spec: { clusterIP: 'None', ports: [SCTP] } });
  expect(derive([second])).toMatchObject({ type: 'Headless', ports: asDerived(SCTP) });
});

test('an ExternalName is no constituent', () => {
  expect(isExternalName({ spec: { ...HELLO, type: 'ExternalName', externalName: 'example.com' } })).toBe(true);
});

function constituentOf(cluster: string, seconds: number, { spec = {}, exported = {} }: Exported): Constituent {
  const properties = {
    ...servicePropertiesOf({ spec: { ...HELLO, ...spec } }),
    ...exportPropertiesOf({ spec: exported }),
  };
  return { cluster, created: seconds * 1000, properties };
}
