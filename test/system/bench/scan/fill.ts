/** Puts a great number of objects into a cluster, past its API server: through it 100,000 creates take half an hour. */
import { type ControlPlane, until } from '../../e2e/harness/index.ts';
import { KINDS, type Kind, nameOf } from './objects.ts';

/** Writes of one transaction, of the 128 that etcd takes at most. */
const AT_ONCE = 100;
const PATIENCE_S = 120;

/** Writes `count` objects of mixed kinds into etcd, and waits until the API server lists them all. */
export async function fill(plane: ControlPlane, count: number): Promise<void> {
  for (const kind of KINDS) {
    const many = Math.round((count * kind.share) / 100);
    for (let from = 0; from < many; from += AT_ONCE) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, many - from) }, (_, offset) => from + offset);
      await put(
        plane.etcd.url,
        indexes.map((index) => entryOf(kind, index)),
      );
    }
    await listed(plane, kind, many);
  }
}

/** Paths of the lists, as whoever reads all of it asks for them. */
export const LISTS: readonly string[] = KINDS.map(
  ({ group, version, plural }) => `/apis/${group}/${version}/${plural}`,
);

/** Where and how an API server stores what a CustomResourceDefinition defines. */
function entryOf(kind: Kind, index: number) {
  const { group, version, plural, namespace } = kind;
  const { metadata, ...rest } = kind.object(index);
  const name = nameOf(kind, index);
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const placed = { ...(metadata as object), name, uid, ...(namespace && { namespace: namespace(index) }) };
  const key = ['/registry', group, plural, ...(namespace ? [namespace(index)] : []), name].join('/');
  return { key, value: JSON.stringify({ ...rest, apiVersion: `${group}/${version}`, metadata: placed }) };
}

async function put(etcd: string, entries: readonly { key: string; value: string }[]): Promise<void> {
  const success = entries.map(({ key, value }) => ({ requestPut: { key: base64(key), value: base64(value) } }));
  const response = await fetch(`${etcd}/v3/kv/txn`, { method: 'POST', body: JSON.stringify({ success }) });
  if (!response.ok) throw new Error(`etcd: ${response.status} ${await response.text()}`);
}

/** Until the second page can be had too: an API server that is still taking in what was written loses its place. */
async function listed(plane: ControlPlane, { group, version, plural }: Kind, many: number): Promise<void> {
  const path = `/apis/${group}/${version}/${plural}`;
  await until(
    `${many} ${plural}`,
    async () => {
      const { body } = await plane.api('admin').call('GET', `${path}?limit=1`);
      const { remainingItemCount = 0, continue: token } = body.metadata ?? {};
      if ((body.items?.length ?? 0) + remainingItemCount !== many) return false;
      return !token || (await plane.api('admin').call('GET', `${path}?limit=1&continue=${token}`)).status === 200;
    },
    PATIENCE_S,
  );
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
