/** Finds the clusters of a fleet: those that the ClusterProfiles of a hub name, with the access data of each. */
import { clusterProfile } from '../../../api/dialects.ts';
import { type ApiClient, openAccess } from '../../../cluster/live/client.ts';
import type { Access, accessOf as makeAccess } from '../../../cluster/live/credentials.ts';
import { ClusterError, onlyClusterErrors, whyUnreadable } from '../../../cluster/live/errors.ts';
import { listAll, type Page } from '../../../cluster/live/list.ts';
import { collectionPath, servedVersions } from '../../../cluster/live/paths.ts';
import { plain } from '../../../engine/text.ts';
import { textAt } from '../../../rules/json.ts';
import type { CheckError } from '../../output/report.ts';
import type { Target, Targets } from '../side-by-side.ts';
import { type AccessData, accessDataOf } from './access-data.ts';
import type { Provider } from './provider-file.ts';

export interface FleetOptions {
  readonly hub: ApiClient;
  /** The hub itself if it is scanned too, else empty. */
  readonly own: readonly Target[];
  /** The exec plugins that may run. */
  readonly providers: readonly Provider[];
  /** Milliseconds for reading the profiles. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** More than a hub can hold; a list without an end must not fill the memory. */
const MOST_PROFILES = 50_000;

/**
 * Returns the clusters of the fleet, each called by NAMESPACE/NAME of its profile, and the hub. A profile that can't be used is an error with its name. Only
 * the hub is called.
 */
export async function fleetOf({ hub, own, providers, timeoutMs, signal }: FleetOptions): Promise<Targets> {
  const [found, errors, notes]: [Found[], CheckError[], string[]] = [[], [], []];
  const { resource } = clusterProfile;
  const fail = (file: string, message: string, cluster?: string) =>
    errors.push({ ...(cluster !== undefined && { cluster }), file, line: 1, column: 1, message: plain(message) });
  const begin = () => {
    for (const list of [found, errors]) list.splice(0);
  };
  const limit = AbortSignal.timeout(timeoutMs);
  const take = ({ items }: Page) => {
    if (found.length + errors.length > MOST_PROFILES)
      throw new ClusterError(
        'unreadable',
        `the hub has more than ${MOST_PROFILES} ClusterProfiles, or its list has no end`,
      );
    for (const { object } of items) {
      const name = `${textAt(object, ['metadata', 'namespace']) ?? ''}/${textAt(object, ['metadata', 'name']) ?? ''}`;
      try {
        found.push({ name, data: accessDataOf(object, providers) });
      } catch (error) {
        fail(`${resource}/${name}`, `the cluster can't be scanned: ${(error as Error).message}`, name);
      }
    }
  };
  try {
    const [version] = await servedVersions(hub, clusterProfile);
    const options = {
      path: collectionPath(clusterProfile, version ?? ''),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    };
    if (version === undefined) fail(resource, 'the cluster serves no ClusterProfiles: name the hub with --context');
    else await listAll(hub, options, { begin, take });
  } catch (error) {
    fail(resource, whyUnreadable('list', resource, onlyClusterErrors(error)));
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length + errors.length === 0) notes.push('note: the cluster has no ClusterProfiles: no cluster to scan');
  notes.push(...found.flatMap(noteOf));
  const { accessOf } = await import('../../../cluster/live/credentials.ts');
  const clusters = [...Map.groupBy(found, keyOf).values()];
  const members = clusters.filter((same) => own.length === 0 || !isHub(same, hub));
  return { targets: [...own, ...members.map((same) => targetOf(same, accessOf, notes))], errors, notes };
}

type AccessOf = typeof makeAccess;

interface Found {
  readonly name: string;
  readonly data: AccessData;
}

/** Profiles with the same server and the same data for the plugin name one cluster, which is scanned once. */
function keyOf({ data }: Found): string {
  return JSON.stringify([addressOf(data), data.config]);
}

function addressOf({ server, tlsServerName = '' }: AccessData): string {
  const { origin, pathname } = new URL(server);
  return `${origin}${pathname.replace(/\/$/, '')} ${tlsServerName}`;
}

function isHub([first]: readonly Found[], { address }: ApiClient): boolean {
  return first !== undefined && addressOf(first.data) === address;
}

function targetOf(same: readonly Found[], accessOf: AccessOf, notes: string[]): Target {
  const [cluster = '', ...others] = same.map(({ name }) => name);
  if (others.length > 0)
    notes.push(`note: ${cluster} and ${others.join(', ')} name the same server: it is scanned once, as ${cluster}`);
  const ways = same.map((one) => ({ isShared: false, open: () => openAccess(() => accessFor(one, accessOf)) }));
  return { cluster, ways };
}

/** Each profile has a plugin of its own: no credential of one cluster is sent to another. */
function accessFor({ name, data }: Found, accessOf: AccessOf): Access {
  const { server, tlsServerName, caData, exec, config } = data;
  const tls = { ...(caData && { caData }), ...(tlsServerName && { tlsServerName }) };
  return accessOf({ name, server, skipTLSVerify: false, ...tls }, { name, exec }, config);
}

function noteOf({ name, data: { ignored } }: Found): readonly string[] {
  if (ignored.length === 0) return [];
  return [
    `note: ${name}: its own additional ${ignored.join(' and ')} are ignored: --provider-file does not allow them`,
  ];
}
