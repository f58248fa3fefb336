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

/** The part of muster that an object belongs to. */
export type Component = 'server' | 'certs' | 'scan';

/**
 * Returns an object with muster's labels; without a namespace it is cluster-scoped. `body` is everything besides kind
 * and metadata.
 */
export function manifest(
  [apiVersion, kind]: readonly [apiVersion: string, kind: string],
  { component, ...named }: Pick<Metadata, 'name' | 'namespace'> & { readonly component?: Component },
  body: Readonly<Record<string, unknown>> = {},
): Manifest {
  const labels = component === undefined ? LABELS : labelsOf(component);
  return { apiVersion, kind, metadata: { ...named, labels }, ...body };
}

/** Returns muster's labels for an object of a component. */
export function labelsOf(component: Component): Readonly<Record<string, string>> {
  return { ...LABELS, ...selectorOf(component) };
}

/**
 * Returns the labels by which a Deployment or a Service selects pods. They never change, as a Deployment's selector
 * can't.
 */
export function selectorOf(component: Component): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': component };
}

/** Returns an object as YAML. It quotes what kubectl, a reader of YAML 1.1, would take for a boolean: On, Off. */
export function print(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
