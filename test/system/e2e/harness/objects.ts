/** Objects into a cluster, as its administrator: whatever kind they are. */
import type { Api, Json } from './api.ts';
import { until } from './daemon.ts';

export interface Cluster {
  /** Server-side apply, forced; a CustomResourceDefinition is waited for. @throws Error on any refusal */
  apply(...objects: readonly object[]): Promise<void>;
  /** The path of an object of this kind, with its name; without one, of all of them. */
  pathOf(object: Json): Promise<string>;
}

export function clusterOf(api: Api): Cluster {
  const plurals = new Map<string, { plural: string; namespaced: boolean }>();
  const pathOf = async (object: Json) => {
    const { apiVersion, kind, metadata = {} } = object;
    const key = `${apiVersion}/${kind}`;
    if (!plurals.has(key)) await discover(api, apiVersion, plurals);
    const found = plurals.get(key);
    if (found === undefined) throw new Error(`the API server serves no ${kind} of ${apiVersion}`);
    const namespace = found.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    const name = metadata.name === undefined ? '' : `/${metadata.name}`;
    return `${rootOf(apiVersion)}${namespace}/${found.plural}${name}`;
  };
  const applyOne = async (object: Json) => {
    const path = await pathOf(object);
    const query = 'fieldManager=e2e&force=true';
    const contentType = 'application/apply-patch+yaml';
    const { status, body } = await api.call('PATCH', `${path}?${query}`, object, { contentType });
    if (status > 299) throw new Error(`${object.kind} ${object.metadata?.name}: ${status} ${body.message ?? body}`);
    if (object.kind === 'CustomResourceDefinition') await established(api, path, object);
  };
  return {
    pathOf,
    async apply(...objects) {
      for (const object of objects) await applyOne(object);
    },
  };
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

async function discover(api: Api, apiVersion: string, plurals: Map<string, { plural: string; namespaced: boolean }>) {
  const { body } = await api.call('GET', rootOf(apiVersion));
  for (const { name, kind, namespaced } of body.resources ?? []) {
    if (!name.includes('/')) plurals.set(`${apiVersion}/${kind}`, { plural: name, namespaced });
  }
}

/** Until its objects can be listed: the condition alone comes a little early. */
async function established(api: Api, path: string, { spec }: Json): Promise<void> {
  const served = spec.versions.filter((version: Json) => version.served);
  await until(`${path} to be established`, async () => {
    const { body } = await api.call('GET', path);
    const condition = body.status?.conditions?.find(({ type }: Json) => type === 'Established');
    if (condition?.status !== 'True') return false;
    const lists = served.map(({ name }: Json) =>
      api.call('GET', `/apis/${spec.group}/${name}/${spec.names.plural}?limit=1`),
    );
    return (await Promise.all(lists)).every(({ status }) => status === 200);
  });
}
