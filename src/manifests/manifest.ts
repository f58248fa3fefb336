/** Builds the objects that are applied to a cluster. */
import { stringify } from 'yaml';
import { LABELS } from './names.ts';

interface Metadata {
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

/** Returns an object with muster's labels. @param body all fields besides apiVersion, kind and metadata */
export function manifest(
  [apiVersion, kind]: readonly [apiVersion: string, kind: string],
  named: Pick<Metadata, 'name' | 'namespace'>,
  body: Readonly<Record<string, unknown>> = {},
): Manifest {
  return { apiVersion, kind, metadata: { ...named, labels: LABELS }, ...body };
}

/** Returns an object as YAML. Texts such as On and Off are quoted, since kubectl reads them as booleans (YAML 1.1). */
export function toYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
