/** Finds the clusters of a fleet: those that the ClusterProfiles of a hub name, with the access data of each. */
import { clusterProfile } from '../../../api/dialects.ts';
import { type JsonObject, textAt } from '../../../base/json.ts';
import { escapeControls } from '../../../base/text.ts';
import { collectionPath } from '../../../cluster/live/api-paths.ts';
import { type ApiClient, openAccess } from '../../../cluster/live/client.ts';
import { LONG_PAUSES_MS, withRetries } from '../../../cluster/live/client-wrappers.ts';
import { type Access, accessOf, clusterAddress } from '../../../cluster/live/credentials.ts';
import { servedVersions } from '../../../cluster/live/discovery.ts';
import { ClusterError, describeCommandReadError, onlyClusterErrors } from '../../../cluster/live/errors.ts';
import { pathsIn } from '../../../cluster/live/exec-plugin.ts';
import { listAll, type Page } from '../../../cluster/live/list.ts';
import type { PlacedMessage } from '../../../input/place.ts';
import { MEMBER_ID_PATH } from '../../../rules/inventory/inventory-fields.ts';
import { withinTime } from '../limits.ts';
import type { ScanTarget, Targets } from '../side-by-side.ts';
import { type AccessData, accessDataOf } from './access-data.ts';
import type { Provider } from './provider-file.ts';

interface FleetOptions {
  readonly hub: ApiClient;
  /** The hub itself if it is scanned too, else empty. */
  readonly own: readonly ScanTarget[];
  /** The exec plugins that may run. */
  readonly providers: readonly Provider[];
  /** Milliseconds for reading the profiles. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** More profiles than a hub can hold: a list without an end must not fill the memory. */
const MOST_PROFILES = 50_000;

/**
 * Returns the clusters of the fleet, each named NAMESPACE/NAME of its profile, and the hub. A profile that can't be
 * used is an error with its name. Calls the hub only.
 */
export async function fleetOf({ own, ...options }: FleetOptions): Promise<Targets> {
  const { providers } = options;
  const { client: hub, signal } = withinTime(options.hub, options, 'did not list all ClusterProfiles');
  const errors: PlacedMessage[] = [];
  const notes: string[] = [];
  const fail: Fail = (about, message, cluster) =>
    errors.push({ ...(cluster !== undefined && { cluster }), about, message: escapeControls(message) });
  const found = await readProfiles({ hub, providers, signal }, fail);
  if (found.length + errors.length === 0) notes.push('note: the cluster has no ClusterProfiles: no cluster to scan');
  const profiles = oldestOfEach(found, fail, notes).flatMap((one): Usable[] => {
    const { name, access } = one;
    if (typeof access !== 'string') return [{ ...one, access }];
    fail(`${clusterProfile.groupResource}/${name}`, `the cluster can't be scanned: ${access}`, name);
    return [];
  });
  notes.push(...profiles.flatMap(noteOf));
  const clusters = [...Map.groupBy(profiles, keyAmong(profiles)).values()];
  const members = clusters.filter((same) => own.length === 0 || !isHub(same, hub));
  const files = new Set(profiles.flatMap(({ access }) => pathsIn(access.exec)));
  return { targets: [...own, ...members.map((same) => targetOf(same, notes))], errors, notes, files: [...files] };
}

/** A ClusterProfile of the hub. */
interface FoundProfile {
  readonly name: string;
  /** The member id, by which it differs from all others; empty if the profile has none. */
  readonly memberId: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  /** The access data, or why they can't be used. */
  readonly access: AccessData | string;
}

/** A profile with access data that can be used. */
type Usable = FoundProfile & { readonly access: AccessData };

type Fail = (about: string, message: string, cluster?: string) => void;

/** Returns the profiles of the hub, sorted by name. Reports what can't be read with `fail`. */
async function readProfiles(
  { hub, providers, signal }: Pick<FleetOptions, 'hub' | 'providers' | 'signal'>,
  fail: Fail,
): Promise<readonly FoundProfile[]> {
  const { groupResource: resource } = clusterProfile;
  const found: FoundProfile[] = [];
  const take = ({ items }: Page) => {
    if (found.length > MOST_PROFILES)
      throw new ClusterError(
        'unreadable',
        `the hub has more than ${MOST_PROFILES} ClusterProfiles, or its list has no end`,
      );
    found.push(...items.map((object) => profileOf(object, providers)));
  };
  try {
    const [version] = await servedVersions(withRetries(hub, { pauses: LONG_PAUSES_MS }), clusterProfile);
    if (version === undefined) fail(resource, 'the cluster serves no ClusterProfiles: name the hub with --context');
    else {
      const begin = () => void found.splice(0);
      await listAll(hub, { path: collectionPath(clusterProfile, version), signal }, { begin, take });
    }
  } catch (error) {
    fail(resource, describeCommandReadError('list', resource, onlyClusterErrors(error)));
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function profileOf(object: JsonObject, providers: readonly Provider[]): FoundProfile {
  const name = `${textAt(object, ['metadata', 'namespace']) ?? ''}/${textAt(object, ['metadata', 'name']) ?? ''}`;
  const created = Date.parse(textAt(object, ['metadata', 'creationTimestamp']) ?? '') || Number.POSITIVE_INFINITY;
  const profile = { name, memberId: textAt(object, MEMBER_ID_PATH) ?? '', created };
  try {
    return { ...profile, access: accessDataOf(object, providers) };
  } catch (error) {
    return { ...profile, access: (error as Error).message };
  }
}

/**
 * Returns the profiles to use: all without a member id, and of each member id the oldest (KEP-4322). If several are the
 * oldest, the member is not scanned.
 */
function oldestOfEach(found: readonly FoundProfile[], fail: Fail, notes: string[]): readonly FoundProfile[] {
  const members = Map.groupBy(
    found.filter(({ memberId }) => memberId !== ''),
    ({ memberId }) => memberId,
  );
  const left = new Set<FoundProfile>();
  for (const [memberId, same] of members) {
    const created = Math.min(...same.map((one) => one.created));
    const oldest = same.filter((one) => one.created === created);
    const [first, second] = oldest;
    const names = same.map(({ name }) => name).join(', ');
    for (const one of same) if (one !== first || second) left.add(one);
    if (first === undefined || same.length === 1) continue;
    if (second === undefined) {
      notes.push(`note: ${names} have the member id ${memberId}: it is scanned once, as the oldest, ${first.name}`);
    } else {
      const oldestNames = oldest.map(({ name }) => name).join(' and ');
      const message =
        `the cluster with the member id ${memberId} is not scanned: ${oldestNames} were created at the same time, ` +
        'so none is the oldest; delete all but one';
      fail(`${clusterProfile.groupResource}/${first.name}`, message, first.name);
    }
  }
  return found.filter((one) => !left.has(one));
}

/**
 * Returns a function for the key of a profile's cluster. A member id identifies it. A profile without one counts as the
 * cluster of another one with the same server and the same data for the plugin: scanned twice, each of its ids would
 * count as a duplicate.
 */
function keyAmong(profiles: readonly Usable[]): (profile: Usable) => string {
  const accessKey = ({ access }: Usable) => JSON.stringify([addressOf(access), access.config]);
  const isMember = ({ memberId }: Usable) => memberId !== '';
  const members = new Map(profiles.filter(isMember).map((one) => [accessKey(one), one.name]));
  return (one) => (isMember(one) ? one.name : (members.get(accessKey(one)) ?? accessKey(one)));
}

function addressOf({ server, tlsServerName }: AccessData): string {
  return clusterAddress(new URL(server), tlsServerName);
}

function isHub([first]: readonly Usable[], { address }: ApiClient): boolean {
  return first !== undefined && addressOf(first.access) === address;
}

function targetOf(same: readonly Usable[], notes: string[]): ScanTarget {
  const [cluster = '', ...others] = same.map(({ name }) => name);
  if (others.length > 0)
    notes.push(`note: ${cluster} and ${others.join(', ')} name the same server: it is scanned once, as ${cluster}`);
  const clients = same.map((one) => () => openAccess(() => accessFor(one)));
  return { cluster, source: { clients, isOfFleet: true } };
}

/** Each profile has a plugin of its own: no credential of one cluster is sent to another. */
function accessFor({ name, access }: Usable): Access {
  const { server, tlsServerName, caData, exec, config } = access;
  const tls = { ...(caData && { caData }), ...(tlsServerName && { tlsServerName }) };
  return accessOf({ name, server, skipTLSVerify: false, ...tls }, { name, exec }, config);
}

function noteOf({ name, access: { ignored } }: Usable): readonly string[] {
  if (ignored.length === 0) return [];
  return [
    `note: ${name}: its own additional ${ignored.join(' and ')} are ignored: --provider-file does not allow them`,
  ];
}
