/** Builds the texts of findings on services: what consumers get, and which values the constituents have. */
import { type Phrase, Phrases } from '../../base/text.ts';
import {
  type Constituent,
  clustersAt,
  type DerivedService,
  derive,
  type GlobalProperty,
  isAffinity,
  isMetadata,
  possibleOrders,
} from './derivation.ts';
import type { ExportedService } from './fleet-services.ts';
import type { ServicePort } from './service-properties.ts';

/** The templates of the phrases of this module. */
export const outcomePhrases = {
  text: '{{text}}',
  none: 'none',
  andMore: '{{first}} and {{count}} more',
  seconds: '{{seconds}} s',
  otherKeys: 'other values of {{keys}}',
  others: '{{value}} in {{clusters}}',
  port: '{{name}} {{port}}/{{protocol}}',
  portWithoutName: '{{port}}/{{protocol}}',
  portWithProtocol: '{{port}} ({{appProtocol}})',
  noPorts: 'no ports',
  unknownPorts: 'ports that are not known',
  unknownType: 'a service of unknown type',
  got: '{{type}} with {{ports}}',
  gotValue: '{{got}} and {{property}} {{value}}',
  gotMap: '{{got}} and the {{property}} of {{cluster}}',
  gotWithout: '{{got}}, without {{dropped}}',
  droppedPort: '{{port}} of {{clusters}}',
  certain: 'the export of {{cluster}} is the oldest and wins, so {{name}} is {{got}}',
  alike: 'whichever export is the oldest, {{name}} is {{got}}',
  open: 'it is open which export is the oldest and wins, so {{name}} is {{outcomes}}',
  outcome: '{{got}} (if it is that of {{clusters}})',
  openNext:
    'the export of {{cluster}} is the oldest and wins, and it is open which is next, so {{name}} is {{outcomes}}',
  outcomeNext: '{{got}} (if that of {{clusters}} is)',
  openLater:
    'the export of {{cluster}} is the oldest and wins, and it is open which comes after that of {{before}}, so ' +
    '{{name}} is {{outcomes}}',
  outcomeLater: '{{got}} (if that of {{clusters}} does)',
  inClusterSet: 'in the ClusterSet {{clusterSet}}, {{outcomes}}',
  change: '{{from}} becomes {{to}}',
  changeIf: '{{from}} becomes {{to}} (if the export of {{clusters}} is the oldest)',
  changeIfAfter: '{{from}} becomes {{to}} (if the export of {{clusters}} comes right after that of {{before}})',
  changeIfNext: '{{from}} becomes {{to}} (if the export of {{clusters}} is the oldest, and that of {{next}} next)',
} as const;

/** The names of the properties whose value consumers get from the oldest export. */
const WORDS: Readonly<Partial<Record<GlobalProperty, string>>> = {
  sessionAffinity: 'session affinity',
  timeoutSeconds: 'session affinity timeout',
  internalTrafficPolicy: 'internal traffic policy',
  trafficDistribution: 'traffic distribution',
  labels: 'labels',
  annotations: 'annotations',
};

/** The most clusters, ports, values and outcomes that a message lists. */
const MOST_LISTED = 4;

/** Returns the name that consumers use. (KEP-1645, "DNS") */
export function consumersNameOf({ name, namespace }: Pick<ExportedService, 'name' | 'namespace'>): string {
  return `${name}.${namespace}.svc.clusterset.local`;
}

/**
 * Returns which export wins a conflict on a property, or that it is not decided, and what consumers get in each case.
 */
export function outcomesOf(
  service: ExportedService,
  constituents: readonly Constituent[],
  property: GlobalProperty,
): Phrases {
  const name = consumersNameOf(service);
  const orders = possibleOrders(constituents).map(derive);
  // Orders that differ only in younger exports often have the same outcome.
  const outcomes = [...Map.groupBy(orders, (derived) => outcomeKey(derived, property)).values()];
  const [[first] = []] = outcomes;
  const mayBeAt = (derived: readonly DerivedService[], place: number) =>
    clustersAt(
      derived.map(({ order }) => order),
      place,
    );
  const oldest = mayBeAt(orders, 0);
  const data = { name, cluster: clustersText(oldest, ' or '), got: first && derivedText(first, property) };
  if (outcomes.length === 1) return new Phrases([{ phraseId: oldest.length > 1 ? 'alike' : 'certain', data }]);
  const openAt = firstOpenPlace(orders.map(({ order }) => order));
  const [phraseId, outcomeId] = OPEN_PHRASES[openAt] ?? LATER_PHRASES;
  const before = clustersText(mayBeAt(orders, openAt - 1), ' or ');
  const outcomeText = (same: readonly DerivedService[]): Phrase => {
    const got = same[0] && derivedText(same[0], property);
    const clusters = clustersText(mayBeAt(same, openAt), ' or ');
    return { phraseId: outcomeId, data: { clusters, got } };
  };
  return new Phrases([{ phraseId, data: { ...data, before, outcomes: listed(outcomes, outcomeText, ', or ') } }]);
}

/** The phrases for several outcomes, by the first place that is not decided (0 for the oldest). */
const OPEN_PHRASES = [
  ['open', 'outcome'],
  ['openNext', 'outcomeNext'],
] as const;
const LATER_PHRASES = ['openLater', 'outcomeLater'] as const;

/** Returns the first place at which orders differ, from 0 for the oldest; -1 if they are the same. */
export function firstOpenPlace(orders: readonly (readonly Constituent[])[]): number {
  const [first = []] = orders;
  return first.findIndex((one, place) => orders.some((order) => order[place] !== one));
}

/** Returns the type and the ports that consumers get, the value of a property, and the ports that are dropped. */
export function derivedText(derived: DerivedService, ...properties: readonly GlobalProperty[]): Phrases {
  const { type, ports, arePortsKnown, dropped, order } = derived;
  const typeText = new Phrases([type === undefined ? { phraseId: 'unknownType' } : textPhrase(type)]);
  const portTexts = arePortsKnown ? portsText(ports) : new Phrases([{ phraseId: 'unknownPorts' }]);
  let got: Phrase = { phraseId: 'got', data: { type: typeText, ports: portTexts } };
  const cluster = order[0]?.cluster ?? '';
  for (const property of properties) {
    const word = WORDS[property];
    if (word === undefined || (type === 'Headless' && isAffinity(property))) continue;
    if (isMetadata(property)) {
      got = { phraseId: 'gotMap', data: { got: new Phrases([got]), property: word, cluster } };
      continue;
    }
    const value = order[0] && valueText(order[0], property);
    if (value) got = { phraseId: 'gotValue', data: { got: new Phrases([got]), property: word, value } };
  }
  if (dropped.length === 0) return new Phrases([got]);
  const lost = listed(dropped, ({ port, clusters }) => {
    const data = { port: new Phrases([portPhrase(port)]), clusters: clustersText(clusters) };
    return { phraseId: 'droppedPort', data };
  });
  return new Phrases([{ phraseId: 'gotWithout', data: { got: new Phrases([got]), dropped: lost } }]);
}

/** Returns the value of a property of a constituent; undefined if it has none. */
export function valueText({ properties }: Constituent, property: GlobalProperty): Phrases | undefined {
  if (property === 'ports') return properties.ports && portsText(properties.ports);
  const value = properties[property];
  if (value === undefined) return undefined;
  if (value === '') return new Phrases([{ phraseId: 'none' }]);
  if (typeof value === 'number') return new Phrases([{ phraseId: 'seconds', data: { seconds: value } }]);
  return typeof value === 'string' ? new Phrases([textPhrase(value)]) : listed(value, (one) => textPhrase(String(one)));
}

/** Lists the names of clusters. @param separator by default a comma */
export function clustersText(clusters: readonly string[], separator?: ' or '): Phrases {
  return listed(clusters, textPhrase, separator);
}

/** Lists the phrases for at most MOST_LISTED items, and the number of the others. Only those are made. */
export function listed<T>(items: readonly T[], phraseOf: (item: T) => Phrase, separator = ', '): Phrases {
  const first = new Phrases(items.slice(0, MOST_LISTED).map(phraseOf), separator);
  const more = items.length - MOST_LISTED;
  return more <= 0 ? first : new Phrases([{ phraseId: 'andMore', data: { first, count: more } }]);
}

export function textPhrase(text: string): Phrase {
  return { phraseId: 'text', data: { text } };
}

/** Returns a text that is equal for two derived services exactly if their phrases differ only in the winner. */
export function outcomeKey(derived: DerivedService, ...properties: readonly GlobalProperty[]): string {
  const { type, ports, dropped, arePortsKnown, order } = derived;
  const values = properties.map((property) => {
    const isUnseen = property === 'ports' || property === 'ipFamilies' || (type === 'Headless' && isAffinity(property));
    return isUnseen ? '' : order[0]?.properties[property];
  });
  const inOneOrder = (of: readonly ServicePort[]) => of.map((one) => JSON.stringify(one)).sort();
  const lost = dropped.map(({ port }) => port);
  return JSON.stringify([type, arePortsKnown, inOneOrder(ports), inOneOrder(lost), values]);
}

function portsText(ports: readonly ServicePort[]): Phrases {
  return ports.length === 0 ? new Phrases([{ phraseId: 'noPorts' }]) : listed(ports, portPhrase);
}

function portPhrase({ name, protocol, port, appProtocol }: ServicePort): Phrase {
  const own = { phraseId: name === '' ? 'portWithoutName' : 'port', data: { name, protocol, port } };
  return appProtocol === '' ? own : { phraseId: 'portWithProtocol', data: { port: new Phrases([own]), appProtocol } };
}
