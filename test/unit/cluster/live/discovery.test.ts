import { expect, test } from '@jest/globals';
import { clusterProfile } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ApiClient } from '../../../../src/cluster/live/client.ts';
import { servedVersions } from '../../../../src/cluster/live/discovery.ts';
import { ClusterError, type ClusterErrorCode } from '../../../../src/cluster/live/errors.ts';

type Answer = (path: string) => JsonObject;

const servedBy = (answer: Answer) => {
  const call: ApiClient['call'] = async ({ path }) => ({ body: answer(path), date: undefined });
  return servedVersions({ call }, clusterProfile);
};
const group =
  (served: Record<string, readonly string[]>, preferred = ''): Answer =>
  (path) => {
    const [, , , version] = path.split('/');
    if (version !== undefined) return { resources: (served[version] ?? []).map((name) => ({ name })) };
    const versions = Object.keys(served).map((name) => ({ version: name }));
    return { versions, preferredVersion: { version: preferred } };
  };
const failing =
  (code: ClusterErrorCode): Answer =>
  () => {
    throw new ClusterError(code, 'as it is');
  };
const PROFILES = ['clusterprofiles'];
const newest = clusterProfile.versions.at(-1) ?? '';

test.each<[string, Answer, readonly string[]]>([
  ['the newest known version first', group({ v1alpha1: PROFILES, [newest]: PROFILES }), [newest, 'v1alpha1']],
  ['no version without the kind', group({ v1alpha1: PROFILES, v1alpha2: ['clusterprofiles/status'] }), ['v1alpha1']],
  ['unknown versions, the preferred one first', group({ v3: PROFILES, v1: PROFILES }, 'v1'), ['v1', 'v3']],
  ['nothing in lists that are null, as Go encodes empty ones', () => ({ versions: null }), []],
  ['no version whose resources are null', () => ({ versions: versionsOf(1), resources: null }), []],
  ['nothing where the group is not served', failing('not-found'), []],
  ['all known versions where discovery is forbidden', failing('forbidden'), [newest, 'v1alpha1']],
])('finds %s', async (_, answer, expected) => {
  expect(await servedBy(answer)).toEqual(expected);
});

test.each<[string, Answer]>([
  ['a group without versions', () => ({})],
  ['a group of versions without end', () => ({ versions: versionsOf(101), resources: [] })],
  ['a group whose version has no name', () => ({ versions: [{ groupVersion: 'a/v1' }], resources: [] })],
  ['a version without resources', () => ({ versions: versionsOf(1) })],
  ['a resource without a name', () => ({ versions: versionsOf(1), resources: [{ kind: 'ClusterProfile' }] })],
])('%s is no answer', async (_, answer) => {
  await expect(servedBy(answer)).rejects.toMatchObject({ code: 'unreadable' });
});

function versionsOf(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ version: `v${index}` }));
}
