/** Random updates from a seed: the same seed and number make the same update, but for times, which are near the present. */

import { type Dialect, dialects } from '../../../src/api/dialects.ts';
import type { Json, JsonObject } from '../../../src/rules/rule.ts';
import { type Random, randomOf } from '../../fuzz/random.ts';
import { examples } from '../../rules/examples.ts';
import { edited } from './edits.ts';
import { entryFor, near } from './pools.ts';
import type { Setting, Update } from './update.ts';

/** Statuses take the most: that is where lists are. */
const WEIGHTS: Readonly<Record<Dialect['name'], number>> = {
  'cluster-claim': 2,
  'ocm-cluster-claim': 2,
  'cluster-property': 4,
  'inventory-cluster': 6,
  'cluster-profile': 8,
  feature: 9,
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
  ({ ruleId }) => ruleId.split('/')[0] as Dialect['concept'],
) as Readonly<Record<Dialect['concept'], typeof examples>>;
const NAMESPACES: readonly string[] = ['kube-system', 'fleet-a', 'fleet-a', 'estuary'];
const OTHER_CLAIMS = ['region.example.org', 'mine.k8s.io', 'bare'];

/** The update of that number: an example of a rule, in the version and under the name of a dialect, edited. `now` in milliseconds. */
export function updateOf(seed: number, index: number, now: number): Update {
  const random = randomOf(Math.imul(seed, 0x85ebca6b) ^ Math.imul(index + 1, 0x9e3779b1));
  const dialect = random.of(CHOICES);
  const subresource = dialect.claim === undefined && !random.oneIn(3) ? 'status' : '';
  const { object: after = {}, old: before = after } = random.of(EXAMPLES[dialect.concept]);
  const [apiVersion, kind] = [`${dialect.group}/${random.of(dialect.versions)}`, dialect.kind];
  const metadata = metadataOf(dialect, random, index);
  const whole = ({ spec = {}, status }: JsonObject): JsonObject =>
    near(
      { apiVersion, kind, metadata, spec, ...(status !== undefined && dialect.claim === undefined ? { status } : {}) },
      random,
      now,
    );
  const isFree = (path: readonly (string | number)[]) => path[0] === 'spec' || path[0] === 'status';
  let old = whole(before);
  for (let faults = random.of([0, 0, 1, 2, 3]); faults > 0; faults--)
    old = edited(old, { random, now }, [], isFree) as JsonObject;
  const object = next(old, random.oneIn(2) ? whole(after) : old, subresource, random, now);
  const setting: Setting = random.oneIn(6)
    ? 'configured'
    : random.of(dialect.claim === undefined ? ['alone'] : ['alone', 'member', 'member', 'leaving']);
  const people = setting === 'configured' ? CONFIGURED_PEOPLE : random.oneIn(20) ? PEOPLE : PEOPLE.slice(0, 1);
  return { dialect, subresource, old, object, ...random.of(people), setting };
}

/** `index` keeps the name apart, but for the claims that have one name in every cluster. */
function metadataOf({ concept, scope, claim }: Dialect, random: Random, index: number): JsonObject {
  const names = claim && [...claim.idNames, ...claim.idNames, claim.membershipName];
  const name = names && !random.oneIn(3) ? random.of(names) : `u-${index}${claim ? `.${random.of(OTHER_CLAIMS)}` : ''}`;
  const isGoing = random.oneIn(12);
  const labels = {
    ...(concept !== 'inventory' || random.oneIn(10)
      ? {}
      : { 'x-k8s.io/cluster-manager': random.of(['tidewater', 'tidewater', 'harbour', 'north']) }),
    ...(concept === 'inventory' && random.oneIn(3)
      ? { 'multicluster.x-k8s.io/inventory-member-id': random.of(['m1', 'm2', '']) }
      : {}),
    ...(random.oneIn(6) ? { team: 'a' } : {}),
  };
  return {
    name,
    ...(scope === 'Namespaced' ? { namespace: random.of(NAMESPACES) } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(random.oneIn(4) ? { annotations: { 'example.org/note': 'a' } } : {}),
    ...(random.oneIn(8) ? { ownerReferences: [entryFor(random, 0, 'ownerReferences')].filter(isPlain) } : {}),
    ...(isGoing || random.oneIn(8) ? { finalizers: ['example.org/hold', 'example.org/keep'] } : {}),
    ...(isGoing ? { deletionTimestamp: '2026-05-31T23:59:00Z', deletionGracePeriodSeconds: 0 } : {}),
  };
}

/** What the API server shows of the write: of `/status` the status alone changes, of the main resource all but the status. */
function next(
  old: JsonObject,
  wanted: JsonObject,
  subresource: Update['subresource'],
  random: Random,
  now: number,
): JsonObject {
  let object = subresource === 'status' ? withStatus(old, wanted['status']) : withStatus(wanted, old['status']);
  const isFree = (path: readonly (string | number)[]) =>
    subresource === 'status' ? path[0] === 'status' : isMain(path);
  // A second try where an edit came to nothing: an update that changes nothing proves little.
  for (let edits = random.of(wanted === old ? [1, 1, 2, 3] : [0, 0, 1]); edits > 0; edits--)
    object = changedBy(object, () => edited(object, { random, now }, [], isFree) as JsonObject);
  return subresource === '' ? { ...object, metadata: typed(object['metadata'] as JsonObject, random) } : object;
}

function withStatus({ status: _, ...rest }: JsonObject, status: Json | undefined): JsonObject {
  return status === undefined ? rest : { ...rest, status };
}

function changedBy(object: JsonObject, edit: () => JsonObject): JsonObject {
  const once = edit();
  return JSON.stringify(once) === JSON.stringify(object) ? edit() : once;
}

/** Of the metadata only what people write; the rest is the API server's. */
function isMain([part, member]: readonly (string | number)[]): boolean {
  if (part === 'spec') return true;
  return part === 'metadata' && ['labels', 'annotations', 'ownerReferences', 'finalizers'].includes(String(member));
}

const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The API server keeps metadata typed: labels are label values, annotations texts, owners whole. */
function typed(metadata: JsonObject, random: Random): JsonObject {
  const result: Record<string, Json> = { ...metadata };
  for (const key of ['labels', 'annotations']) {
    const map = metadata[key];
    const texts = Object.entries(isPlain(map) ? map : {}).filter(
      ([, value]) => typeof value === 'string' && (key === 'annotations' || LABEL_VALUE.test(value)),
    );
    if (random.oneIn(4)) texts.push([random.of(['team', 'x-k8s.io/cluster-manager']), random.of(['a', 'harbour'])]);
    if (texts.length > 0) result[key] = Object.fromEntries(texts);
    else delete result[key];
  }
  for (const key of ['ownerReferences', 'finalizers']) {
    const list = metadata[key];
    const whole = (Array.isArray(list) ? list : []).filter((entry) => isWhole(key, entry));
    if (whole.length > 0) result[key] = whole;
    else delete result[key];
  }
  return result;
}

function isWhole(key: string, entry: Json): boolean {
  if (key === 'finalizers') return typeof entry === 'string' && entry.includes('/');
  return (
    isPlain(entry) &&
    ['apiVersion', 'kind', 'name', 'uid'].every((member) => typeof entry[member] === 'string' && entry[member] !== '')
  );
}

function isPlain(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
