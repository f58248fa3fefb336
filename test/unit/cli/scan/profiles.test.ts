/** The clusters of a fleet, out of the ClusterProfiles of a hub. */
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { fleetOf } from '../../../../src/cli/scan/fleet/profiles.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { ClusterError } from '../../../../src/cluster/live/errors.ts';

const PROFILES = '/apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles';

/** A hub that answers a list of profiles page by page. */
function hubOf(...pages: readonly (JsonObject | ClusterError)[]): ApiClient {
  const left = [...pages];
  const call: ApiClient['call'] = async ({ path }) => {
    const body: JsonObject | ClusterError | undefined = path.startsWith(PROFILES)
      ? left.shift()
      : { versions: [{ version: 'v1alpha1' }], resources: [{ name: 'clusterprofiles' }] };
    if (body === undefined || body instanceof ClusterError) throw body ?? new Error('no page left');
    return { body, date: undefined };
  };
  return { server: 'https://hub', namespace: '', call, close: () => undefined };
}

const profile = (name: string, status: JsonObject) => ({ metadata: { name, namespace: 'n' }, status });
const providers = [{ name: 'p', execConfig: { command: 'plugin' } }];
const find = (hub: ApiClient) => fleetOf({ hub, own: [], providers, timeoutMs: 10_000, signal: undefined });

test('a list that begins again has each profile once', async () => {
  const items = [
    profile('a', { accessProviders: [{ name: 'p', cluster: { server: 'https://a.example.com' } }] }),
    profile('b', {}),
  ];
  const forgotten = new ClusterError('unavailable', 'expired', { status: 410 });
  const hub = hubOf({ metadata: { continue: 'more' }, items }, forgotten, { metadata: {}, items });
  const { targets, errors, notes } = await find(hub);
  expect(targets.map(({ cluster, source }) => [cluster, 'clients' in source && source.clients.length])).toEqual([
    ['n/a', 1],
  ]);
  expect(errors.map(({ cluster }) => cluster)).toEqual(['n/b']);
  expect(notes).toEqual([]);
});

test('a hub that hangs ends with --timeout, at its first call too', async () => {
  const call: ApiClient['call'] = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new ClusterError('timeout', 'late'))));
  const { errors } = await fleetOf({ hub: { ...hubOf(), call }, own: [], providers, timeoutMs: 20, signal: undefined });
  const message = /^https:\/\/hub did not list all ClusterProfiles within 0\.02 s \(--timeout\): is it up, /;
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
});

interface Member {
  readonly name: string;
  readonly id?: string;
  readonly created?: string;
  readonly server?: string;
}

const MORNING = '2026-01-01T08:00:00Z';
const NOON = '2026-01-01T12:00:00Z';
const LABEL = 'multicluster.x-k8s.io/inventory-member-id';

/** A profile of a member; each has a server of its own. */
function member({ name, id, created = MORNING, server = `https://${name}.example.com` }: Member): JsonObject {
  const labels: JsonObject = id === undefined ? {} : { [LABEL]: id };
  const metadata = { name, namespace: 'n', creationTimestamp: created, labels };
  return { metadata, status: { accessProviders: [{ name: 'p', cluster: { server } }] } };
}

/** Without access data. */
const unusable = (of: Member): JsonObject => ({ ...member(of), status: {} });

async function fleet(...items: JsonObject[]) {
  const { targets, errors, notes } = await find(hubOf({ metadata: {}, items }));
  return {
    targets: targets.map(({ cluster }) => cluster),
    errors: errors.map(({ cluster, message }) => [cluster, message]),
    notes,
  };
}

describe('profiles with one member id are of one cluster', () => {
  test('the oldest is acted on, whatever its name and place in the list', async () => {
    const later = member({ name: 'a', id: 'one', created: NOON });
    expect(await fleet(later, member({ name: 'b', id: 'one' }), member({ name: 'c', id: 'two' }))).toEqual({
      targets: ['n/b', 'n/c'],
      errors: [],
      notes: ['note: n/a, n/b have the member id one: it is scanned once, as the oldest, n/b'],
    });
  });

  test('of several that are the oldest none is: an error of that member, and the others are scanned', async () => {
    const tie = [member({ name: 'a', id: 'one' }), member({ name: 'b', id: 'one' })];
    const later = member({ name: 'c', id: 'one', created: NOON });
    expect(await fleet(...tie, later, member({ name: 'd', id: 'two' }), member({ name: 'e' }))).toEqual({
      targets: ['n/d', 'n/e'],
      errors: [['n/a', expect.stringMatching(/member id one is not scanned: n\/a and n\/b .*; delete all but one$/)]],
      notes: [],
    });
  });

  test('where the oldest cannot be used, that is an error, and the next is not tried', async () => {
    const oldest = unusable({ name: 'b', id: 'one' });
    const { targets, errors } = await fleet(member({ name: 'a', id: 'one', created: NOON }), oldest);
    expect(targets).toEqual([]);
    expect(errors).toEqual([['n/b', expect.stringContaining('names no access providers')]]);
  });

  test('a profile without a time is younger than all others', async () => {
    const unknown = member({ name: 'a', id: 'one', created: '' });
    expect((await fleet(unknown, member({ name: 'b', id: 'one', created: NOON }))).targets).toEqual(['n/b']);
  });

  test('different ids are different clusters, with the same server too', async () => {
    const server = 'https://gateway.example.com';
    const both = [member({ name: 'a', id: 'one', server }), member({ name: 'b', id: 'two', server })];
    expect(await fleet(...both)).toEqual({ targets: ['n/a', 'n/b'], errors: [], notes: [] });
  });
});

test('a profile without an id is of the cluster of a member with its server', async () => {
  const server = 'https://a.example.com:6443';
  const both = [member({ name: 'a', server }), member({ name: 'b', id: 'one', server })];
  expect(await fleet(...both, member({ name: 'c', id: 'two' }))).toEqual({
    targets: ['n/a', 'n/c'],
    errors: [],
    notes: ['note: n/a and n/b name the same server: it is scanned once, as n/a'],
  });
});

test.each([undefined, ''])('profiles with the id %p are one cluster if they have one server', async (id) => {
  const server = 'https://a.example.com:6443';
  const same = ['a', 'b'].map((name) => member({ name, server, ...(id !== undefined && { id }) }));
  const other = member({ name: 'c', ...(id !== undefined && { id }) });
  expect(await fleet(...same, other)).toEqual({
    targets: ['n/a', 'n/c'],
    errors: [],
    notes: ['note: n/a and n/b name the same server: it is scanned once, as n/a'],
  });
});
