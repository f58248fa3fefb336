/** The objects of charts/kube-muster, for an installation without Helm. They were rendered by `npm run generate`. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { isObject } from '../base/json.ts';
import { CHART_OBJECTS } from './chart-objects.generated.ts';
import type { Manifest } from './manifest.ts';
import { CONFIGURATION_FOLDER } from './names.ts';
import type { Enforcement, ServerReads } from './requirements.ts';

/** A file or folder of the chart's templates. */
type ChartPart = keyof typeof CHART_OBJECTS;

export interface ChartOptions {
  readonly namespace: string;
  /** The name of all objects except the Leases, or its prefix: `muster`, or the one of a Helm release. */
  readonly name: string;
  /** The image of server and jobs. */
  readonly image: string;
  readonly replicas: number;
  /** The text of a MusterConfiguration. */
  readonly configuration: string;
  /** Whether the server writes Events of denied writes. */
  readonly events: boolean;
  /** What the configuration enforces. */
  readonly enforcement: Enforcement;
  /** What the server reads in the cluster. */
  readonly reads: ServerReads;
}

/** Returns the objects of a part as the chart renders them for these options, without the labels of a Helm release. */
export function chartObjects(part: ChartPart, options: ChartOptions): readonly Manifest[] {
  // Replaces within parsed values, not in the JSON text: `doctor` reads the image from a cluster, and it may contain
  // any characters.
  const rendered = JSON.stringify(CHART_OBJECTS[part]);
  const objects: readonly Manifest[] = JSON.parse(rendered, (key, value) => adjusted(part, key, value, options));
  return objects.map((object) => (object.kind === 'Job' ? renamed(object, options) : object));
}

/** The placeholders with which the chart was rendered. */
const PLACEHOLDERS = /release-namespace|release-fullname|release-image:release-tag/g;

/** Returns a value within an object, with the changes that the chart's templates make for these options. */
function adjusted(part: ChartPart, key: string, value: unknown, options: ChartOptions): unknown {
  if (part === 'config' && key === 'muster.yaml') return options.configuration;
  if (typeof value === 'string') return filled(value, options);
  // The server lists only ClusterProfiles, and needs it for one rule.
  if (part === 'rbac' && key === 'verbs' && !options.reads.profileLists)
    return (value as readonly string[]).filter((verb) => verb !== 'list');
  if (part !== 'workload') return value;
  if (key === 'replicas') return options.replicas;
  if (key === 'args' && options.events) return [...(value as readonly string[]), '--events'];
  const isConfiguration = isObject(value) && value['name'] === 'configuration' && 'projected' in value;
  return isConfiguration ? { ...value, ...configurationSource(options) } : value;
}

function filled(text: string, { namespace, name, image }: ChartOptions): string {
  const values: Readonly<Record<string, string>> = {
    'release-namespace': namespace,
    'release-fullname': name,
    'release-image:release-tag': image,
  };
  return text.replace(PLACEHOLDERS, (placeholder) => values[placeholder] ?? placeholder);
}

/**
 * Returns the source of the volume with the configuration. It has the hub's kubeconfig too, if that is in this folder.
 * As in the chart, it is projected in both cases.
 */
function configurationSource({ name, reads }: ChartOptions) {
  const configMap = { name: `${name}-config` };
  const file =
    reads.registrar &&
    posix.relative(CONFIGURATION_FOLDER, posix.resolve(CONFIGURATION_FOLDER, reads.registrar.kubeconfig));
  if (!file || file.includes('/')) return { projected: { sources: [{ configMap }] } };
  const secret = { name: `${name}-hub`, items: [{ key: file, path: file, mode: 0o440 }] };
  return { projected: { sources: [{ configMap }, { secret }] } };
}

/**
 * Renames a Job. A Job can't be changed, so its name depends on its spec, as in the chart. It also depends on the
 * webhooks, since a new Job has to write the CA into a webhook that a new version (whose chart rendered another name)
 * or a new configuration adds.
 */
function renamed(object: Manifest, { enforcement }: ChartOptions): Manifest {
  const { name } = object.metadata;
  const digest = createHash('sha256')
    .update(JSON.stringify([name, object['spec'], enforcement]))
    .digest('hex')
    .slice(0, 8);
  return { ...object, metadata: { ...object.metadata, name: name.replace(/[0-9a-f]{8}$/, digest) } };
}
