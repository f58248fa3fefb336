/** An object as a cluster is given it. */
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

/** What of muster an object belongs to. */
export type Component = 'server' | 'certs' | 'scan';

/** An object of muster's; without a namespace, one of the whole cluster. `body` is all beside kind and metadata. */
export function manifest(
  type: readonly [apiVersion: string, kind: string],
  {
    name,
    namespace,
    component,
  }: { readonly name: string; readonly namespace?: string; readonly component?: Component },
  body: Readonly<Record<string, unknown>> = {},
): Manifest {
  const [apiVersion, kind] = type;
  const labels = component === undefined ? LABELS : labelsOf(component);
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels }, ...body };
}

export function labelsOf(component: Component): Readonly<Record<string, string>> {
  return { ...LABELS, ...selectorOf(component) };
}

/** What a Deployment, a Service and the like choose pods by. It never changes: a Deployment's selector can't. */
export function selectorOf(component: Component): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'muster', 'app.kubernetes.io/component': component };
}
