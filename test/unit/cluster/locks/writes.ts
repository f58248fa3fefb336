/** Writes of claims as the server hands them on: each test shows only what matters to it. */

import { clusterClaim, type Dialect } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { newestOf } from '../../../../src/cluster/live/api-paths.ts';
import { subjectOf } from '../../../../src/engine/review.ts';
import type { Subject } from '../../../../src/rules/rule.ts';
import type { MemoryCluster } from '../../../support/memory-cluster.ts';

export interface WriteOptions {
  readonly dialect?: Dialect;
  readonly user?: string;
  readonly dryRun?: boolean;
  /** Of the object that is to be created. */
  readonly uid?: string;
}

export const ID = 'id.k8s.io';
export const MEMBERSHIP = 'clusterset.k8s.io';

export function creation(name: string, value: string, options: WriteOptions = {}): Subject {
  const { dialect = clusterClaim, uid = `uid-of-${name}` } = options;
  const apiVersion = `${dialect.group}/${dialect.versions.at(-1)}`;
  const object = { apiVersion, kind: dialect.kind, metadata: { name, uid }, spec: { value } };
  return written('CREATE', name, object, undefined, options);
}

/** Of what is stored now, or of `stored`, which an API server's cache may hold instead. */
export function change(
  cluster: MemoryCluster,
  name: string,
  value: string,
  options: WriteOptions = {},
  stored: JsonObject = storedIn(cluster, name, options),
): Subject {
  return written('UPDATE', name, { ...stored, spec: { value } }, stored, options);
}

export function deletion(
  cluster: MemoryCluster,
  name: string,
  options: WriteOptions = {},
  stored: JsonObject = storedIn(cluster, name, options),
): Subject {
  return written('DELETE', name, stored, stored, options);
}

function storedIn(cluster: MemoryCluster, name: string, { dialect = clusterClaim }: WriteOptions): JsonObject {
  const stored = cluster.get(dialect, name);
  if (stored === undefined) throw new Error(`no ${name} is stored`);
  return stored.object;
}

function written(
  operation: Subject['operation'],
  name: string,
  object: JsonObject,
  stored: JsonObject | undefined,
  { dialect = clusterClaim, user = 'jane', dryRun = false }: WriteOptions,
): Subject {
  const identity = { username: user, groups: [] };
  const objects = structuredClone({ object, oldObject: stored });
  return subjectOf({ dialect, name }, { version: newestOf(dialect), operation, ...objects, identity, dryRun });
}
