/**
 * What a kubeconfig says. client-node reads its entries, by a module of its own: the package as a whole takes half a second
 * and 80 MB to load, for the calls and types of every kind there is.
 */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { readDocuments } from '../../documents/index.ts';
import { isObject, listAt, textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { withTokenFile } from './token-file.ts';

export type { Cluster, Context, User };

export interface Kubeconfig {
  readonly clusters: readonly Cluster[];
  readonly users: readonly User[];
  readonly contexts: readonly Context[];
  /** Empty: none is named. */
  readonly current: string;
}

/** Its paths are relative to its folder. @throws Error where it can't be read, or is none */
export function readKubeconfig(file: string): Kubeconfig {
  const value = parse(readFileSync(file, 'utf8'), file);
  const placed = (path: string | undefined) => (!path || isAbsolute(path) ? path : join(dirname(file), path));
  const clusters = newClusters(value['clusters']);
  for (const cluster of clusters) Object.assign(cluster, { caFile: placed(cluster.caFile) });
  const users = newUsers(value['users']).map((user, index) => {
    Object.assign(user, { certFile: placed(user.certFile), keyFile: placed(user.keyFile) });
    // client-node knows it by another name.
    return withTokenFile(user, placed(textAt(listAt(value, ['users'])[index], ['user', 'tokenFile'])));
  });
  const current = textAt(value, ['current-context']) ?? '';
  return { clusters, users, contexts: newContexts(value['contexts']), current };
}

/** Of several files the first that says something counts, as for kubectl. */
export function merged([first, ...more]: readonly [Kubeconfig, ...Kubeconfig[]]): Kubeconfig {
  return more.reduce(
    (all, next) => ({
      clusters: [...all.clusters, ...next.clusters],
      users: [...all.users, ...next.users],
      contexts: [...all.contexts, ...next.contexts],
      current: all.current || next.current,
    }),
    first,
  );
}

function parse(text: string, file: string): JsonObject {
  const { documents, errors } = readDocuments(text, file);
  const value = documents[0]?.value;
  // What stands in it may be secret, and so may what is said about it.
  if (errors.length > 0 || value === undefined || !isObject(value)) throw new Error('no kubeconfig');
  return value;
}
