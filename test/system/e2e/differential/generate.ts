/**
 * Random updates from a seed: the same seed and number make the same update, but for times, which are near the present.
 */

import { type Dialect, dialects } from '../../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { examples } from '../../../support/examples.ts';
import { type Random, randomOf } from '../../../support/random.ts';
import { edited } from './edits.ts';
import { near } from './pools.ts';
import type { Setting, Update } from './update.ts';

/** Statuses take the most: that is where lists are. */
const WEIGHTS: Readonly<Record<Dialect['name'], number>> = {
  'cluster-claim': 2,
  'ocm-cluster-claim': 2,
  'cluster-property': 4,
  'inventory-cluster': 6,
  'cluster-profile': 8,
  'placement-decision': 7,
  feature: 9,
  'service-export': 7,
  'service-import': 7,
};
const CHOICES = dialects.flatMap((dialect) => Array.from({ length: WEIGHTS[dialect.name] }, () => dialect));

const PEOPLE: readonly Pick<Update, 'username' | 'groups'>[] = [
  { username: 'jane', groups: ['e2e:editors'] },
  { username: 'system:serviceaccount:kube-system:generic-garbage-collector', groups: [] },
];
/** Those whom the configuration names, and a stranger. */
const CONFIGURED_PEOPLE: readonly Pick<Update, 'username' | 'groups'>[] = [
  { username: 'jane', groups: ['e2e:editors'] },
  { username: 'system:serviceaccount:fleet:manager', groups: [] },
  { username: 'rescuer', groups: ['break-glass'] },
];

/** Those of one claims or inventory API serve all of them. */
const EXAMPLES = Object.groupBy(
  examples.filter(({ object }) => object !== undefined),
  ({ ruleId }) => ruleId.split('/')[0] ?? '',
) as Readonly<Record<string, typeof examples>>;
const examplesOf = ({ name, concept }: Dialect) => EXAMPLES[concept === 'service' ? name.slice(8) : concept] ?? [];
const NAMESPACES: readonly string[] = ['kube-system', 'fleet-a', 'fleet-a', 'estuary'];
const OF_EVERY_OBJECT: readonly (string | number)[] = ['apiVersion', 'kind', 'metadata'];
const OTHER_CLAIMS = ['region.example.org', 'mine.k8s.io', 'bare'];

/**
 * The update of that number: an example of a rule, in the version and under the name of a dialect, edited. `now` in
 * milliseconds.
 */
export function updateOf(seed: number, index: number, now: number): Update {
  const random = randomOf(Math.imul(seed, 0x85ebca6b) ^ Math.imul(index + 1, 0x9e3779b1));
  const dialect = random.of(CHOICES);
  const subresource = dialect.claim === undefined && !random.oneIn(3) ? 'status' : '';
  const { object: after = {}, old: before = after } = random.of(examplesOf(dialect));
  const apiVersion = `${dialect.group}/${random.of(dialect.versions)}`;
  const kind = dialect.kind;
  const metadata = metadataOf(dialect, random, index);
  // A placement decision has no spec: its decisions stand beside its metadata.
  const content = dialect.concept === 'placement' ? {} : { spec: {} };
  const whole = ({ apiVersion: _, kind: __, metadata: ___, status, ...rest }: JsonObject): JsonObject => {
    const parts = { ...content, ...rest, ...(status !== undefined && dialect.claim === undefined ? { status } : {}) };
    return near({ apiVersion, kind, metadata, ...parts }, random, now);
  };
  const isFree = ([part = '']: readonly (string | number)[]) => !OF_EVERY_OBJECT.includes(part);
  let old = whole(before);
  for (let faults = random.of([0, 0, 1, 2, 3]); faults > 0; faults--)
    old = edited(old, { random, now }, [], isFree) as JsonObject;
  const object = next(dialect, old, random.oneIn(2) ? whole(after) : old, subresource, random, now);
  const setting: Setting = random.oneIn(6)
    ? 'configured'
    : random.of(dialect.claim === undefined ? ['alone'] : ['alone', 'member', 'member', 'leaving']);
  const people = setting === 'configured' ? CONFIGURED_PEOPLE : random.oneIn(20) ? PEOPLE : PEOPLE.slice(0, 1);
  return { dialect, subresource, old, object, ...random.of(people), setting };
}

/** `index` keeps the name apart, but for the claims that have one name in every cluster. */
function metadataOf(dialect: Dialect, random: Random, index: number): JsonObject {
  const { scope, claim } = dialect;
  const names = claim && [...claim.idNames, ...claim.idNames, claim.membershipName];
  const name = names && !random.oneIn(3) ? random.of(names) : `u-${index}${claim ? `.${random.of(OTHER_CLAIMS)}` : ''}`;
  return {
    name,
    ...(scope === 'Namespaced' ? { namespace: random.of(NAMESPACES) } : {}),
    ...writtenMetadata(dialect, random),
    ...(random.oneIn(12)
      ? { deletionTimestamp: '2026-05-31T23:59:00Z', deletionGracePeriodSeconds: 0, finalizers: ['example.org/hold'] }
      : {}),
  };
}

/** Of the metadata what people write; the rest is the API server's. */
function writtenMetadata({ concept }: Dialect, random: Random): JsonObject {
  const manager = concept === 'inventory' && !random.oneIn(10);
  const memberId = concept === 'inventory' && random.oneIn(3);
  const labels = {
    ...(manager ? { 'x-k8s.io/cluster-manager': random.of(['tidewater', 'tidewater', 'harbour', 'north', '']) } : {}),
    ...(memberId ? { 'multicluster.x-k8s.io/inventory-member-id': random.of(['m1', 'm2', '']) } : {}),
    ...(random.oneIn(6) ? { team: 'a' } : {}),
  };
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: random.of(['0000-a', '0000-b']) };
  return {
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(random.oneIn(4) ? { annotations: { 'example.org/note': random.of(['a', 'b']) } } : {}),
    ...(random.oneIn(8) ? { ownerReferences: [owner] } : {}),
    ...(random.oneIn(8) ? { finalizers: ['example.org/hold', 'example.org/keep'] } : {}),
  };
}

/**
 * What the API server shows of the write: of `/status` the status alone changes, of the main resource all but the
 * status.
 */
function next(
  dialect: Dialect,
  old: JsonObject,
  wanted: JsonObject,
  subresource: Update['subresource'],
  random: Random,
  now: number,
): JsonObject {
  let object = subresource === 'status' ? withStatus(old, wanted['status']) : withStatus(wanted, old['status']);
  const isFree = ([part = '']: readonly (string | number)[]) =>
    subresource === 'status' ? part === 'status' : part !== 'status' && !OF_EVERY_OBJECT.includes(part);
  // A second try where an edit came to nothing: an update that changes nothing proves little.
  for (let edits = random.of(wanted === old ? [1, 1, 2, 3] : [0, 0, 1]); edits > 0; edits--)
    object = changedBy(object, () => edited(object, { random, now }, [], isFree) as JsonObject);
  if (subresource === 'status' || random.oneIn(2)) return object;
  const { labels: _, annotations: __, ownerReferences: ___, ...kept } = object['metadata'] as JsonObject;
  return { ...object, metadata: { ...writtenMetadata(dialect, random), ...kept } };
}

function withStatus({ status: _, ...rest }: JsonObject, status: Json | undefined): JsonObject {
  return status === undefined ? rest : { ...rest, status };
}

function changedBy(object: JsonObject, edit: () => JsonObject): JsonObject {
  const once = edit();
  return JSON.stringify(once) === JSON.stringify(object) ? edit() : once;
}
