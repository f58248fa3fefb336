/** One write of a tool in the field, and what becomes of it. The tables of docs/integrations are made of these. */
import type { Field } from './field.ts';

export const TOOLS = {
  'Argo CD': 'argocd',
  Flux: 'flux',
  Helm: 'helm',
  kapp: 'kapp',
  kubectl: 'kubectl',
  Velero: 'velero',
  'Open Cluster Management': 'ocm',
  KubeFleet: 'kubefleet',
  'controller-runtime': 'controller-runtime',
  'Storage migration': 'storage-migration',
  'Garbage collector': 'garbage-collector',
  'Namespace deletion': 'namespace-deletion',
} as const;

export type Tool = keyof typeof TOOLS;

/** `restarting`: one replica is replaced by the next, as in a rolling update. `away`: nobody behind the registration. */
export type MusterState = 'up' | 'restarting' | 'away';

export interface Scenario {
  readonly tool: Tool;
  /** In plain English; with the tool, unique. */
  readonly title: string;
  /** The write, as a user of the tool calls it. */
  readonly pattern: string;
  readonly muster: MusterState;
  /** Begins with `passes` or `refused`. */
  readonly result: string;
  /** Under a configuration that names managers. */
  readonly managers?: true;
  /** What is stored before; muster is up. */
  before?(field: Field): Promise<void>;
  run(field: Field): Promise<void>;
}
