/** Helm with the chart, and how its objects compare with those of `muster manifests` and kustomize. */
import { parse, parseAllDocuments } from 'yaml';
import { ensureTools, type Json, type Outcome, runProgram, succeeded } from '../harness/index.ts';

export const CHART = 'charts/kube-muster';
export const HELMS = ['helm-3', 'helm-4'] as const;
export type Helm = (typeof HELMS)[number];

/** Runs Helm in an empty home; `values` are read from standard input. */
export async function helm(version: Helm, args: readonly string[], values: object = {}, env = {}): Promise<Outcome> {
  const tools = await ensureTools();
  const more = args[0] === 'uninstall' ? [] : ['--values', '-'];
  const { PATH } = process.env;
  const home = { PATH, HOME: '/nonexistent', HELM_CACHE_HOME: '/nonexistent', ...env };
  return runProgram(tools[version], [...args, ...more], JSON.stringify(values), home);
}

/** Returns the objects that the chart renders. @throws Error with what Helm said */
export async function rendered(
  version: Helm,
  values: object,
  namespace = 'muster-system',
  release = 'muster',
): Promise<Json[]> {
  const args = ['template', release, CHART, '-n', namespace, '--kube-version', '1.36'];
  return objectsOf((await succeeded(helm(version, args, values))).stdout);
}

export function objectsOf(text: string): Json[] {
  return parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
}

/**
 * Returns the objects by kind, namespace and name, without the labels of a Helm release. Two things differ by design:
 * the digest in the Job's name, and the text of the configuration, of which the content counts (with the default mode
 * written out or not).
 */
export function comparable(objects: readonly Json[]): Record<string, Json> {
  const entries = objects.map((object): [string, Json] => {
    const { labels = {}, ...metadata } = object.metadata;
    const own = Object.entries(labels).filter(([name]) => !RELEASE_LABELS.includes(name));
    const named = object.kind === 'Job' ? { name: metadata.name.replace(/[0-9a-f]{8}$/, '') } : {};
    const text = object.kind === 'ConfigMap' &&
      'muster.yaml' in object.data && {
        data: { 'muster.yaml': { mode: 'enforce', ...parse(object.data['muster.yaml']) } },
      };
    const plain = { ...object, ...text, metadata: { ...metadata, ...named, labels: Object.fromEntries(own) } };
    return [`${object.kind} ${metadata.namespace ?? ''} ${plain.metadata.name}`, plain];
  });
  return Object.fromEntries(entries);
}

/** The labels of a Helm release, which the chart adds. */
export const RELEASE_LABELS = [
  'helm.sh/chart',
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
];
