/** Builds the objects that are applied to a cluster. */
import { stringify } from 'yaml';
import { LABELS } from './names.ts';

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [member: string]: unknown;
}

/**
 * Returns an object with muster's labels; without a namespace it is cluster-scoped. `body` is everything besides kind
 * and metadata.
 */
export function manifest(
  [apiVersion, kind]: readonly [apiVersion: string, kind: string],
  named: Pick<Metadata, 'name' | 'namespace'>,
  body: Readonly<Record<string, unknown>> = {},
): Manifest {
  return { apiVersion, kind, metadata: { ...named, labels: LABELS }, ...body };
}

/** Returns an object as YAML. It quotes what kubectl, a reader of YAML 1.1, would take for a boolean: On, Off. */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
