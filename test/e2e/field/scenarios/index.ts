/** All scenarios, in the order of the tables. */
import { type Scenario, TOOLS, type Tool, type ToolScenario } from '../scenario.ts';
import { argocd } from './argocd.ts';
import { controllerRuntime } from './controller-runtime.ts';
import { flux } from './flux.ts';
import { garbageCollector } from './garbage-collector.ts';
import { helm } from './helm.ts';
import { kapp } from './kapp.ts';
import { kubectl } from './kubectl.ts';
import { kubefleet } from './kubefleet.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { ocm } from './ocm.ts';
import { storageMigration } from './storage-migration.ts';
import { velero } from './velero.ts';

const BY_TOOL: Readonly<Record<Tool, readonly ToolScenario[]>> = {
  'Argo CD': argocd,
  Flux: flux,
  Helm: helm,
  kapp,
  kubectl,
  Velero: velero,
  'Open Cluster Management': ocm,
  KubeFleet: kubefleet,
  'controller-runtime': controllerRuntime,
  'Storage migration': storageMigration,
  'Garbage collector': garbageCollector,
  'Namespace deletion': namespaceDeletion,
};

export const scenarios: readonly Scenario[] = (Object.keys(TOOLS) as Tool[]).flatMap((tool) =>
  BY_TOOL[tool].map((scenario) => ({ ...scenario, tool })),
);
