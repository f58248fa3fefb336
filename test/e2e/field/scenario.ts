/** One write of a well-known tool, and its result. The tables of docs/integrations are made of these. */
import type { Field } from './field.ts';

/** The tools with the names of their pages, in the order of the tables. */
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

/** `restarting`: one replica is replaced by the next, as in a rolling update. `away`: no replica behind the registration. */
export type MusterState = 'up' | 'restarting' | 'away';

type Run = (field: Field) => Promise<void>;

interface Steps {
  /** The configuration names managers. */
  readonly managers?: true;
  /** Prepares what is stored before, while muster is up. */
  before?: Run;
  run: Run;
}

export interface ToolScenario extends Steps {
  /** The write, as a user of the tool makes it. */
  readonly pattern: string;
  readonly muster: MusterState;
  /** Begins with `passes` or `refused`. */
  readonly result: string;
}

export interface Scenario extends ToolScenario {
  readonly tool: Tool;
}

export function inState(muster: MusterState, pattern: string, result: string, steps: Run | Steps): ToolScenario {
  return { muster, pattern, result, ...(typeof steps === 'function' ? { run: steps } : steps) };
}

export const up = (pattern: string, result: string, steps: Run | Steps) => inState('up', pattern, result, steps);
export const restarting = (pattern: string, result: string, steps: Run | Steps) =>
  inState('restarting', pattern, result, steps);
export const away = (pattern: string, result: string, steps: Run | Steps) => inState('away', pattern, result, steps);
