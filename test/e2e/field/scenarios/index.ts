/** All scenarios, by tool, in the order of the tables; `page` is the tool's page in docs/integrations. */
import { argocd } from './argocd.ts';
import { controllerRuntime } from './controller-runtime.ts';
import { flux } from './flux.ts';
import { garbageCollector } from './garbage-collector.ts';
import { helmScenarios } from './helm.ts';
import { kapp } from './kapp.ts';
import { kubectlScenarios } from './kubectl.ts';
import { kubefleet } from './kubefleet.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { ocm } from './ocm.ts';
import { storageMigration } from './storage-migration.ts';
import { velero } from './velero.ts';

export const tools = [
  { tool: 'Argo CD', page: 'argocd', scenarios: argocd },
  { tool: 'Flux', page: 'flux', scenarios: flux },
  { tool: 'Helm', page: 'helm', scenarios: helmScenarios },
  { tool: 'kapp', page: 'kapp', scenarios: kapp },
  { tool: 'kubectl', page: 'kubectl', scenarios: kubectlScenarios },
  { tool: 'Velero', page: 'velero', scenarios: velero },
  { tool: 'Open Cluster Management', page: 'ocm', scenarios: ocm },
  { tool: 'KubeFleet', page: 'kubefleet', scenarios: kubefleet },
  { tool: 'controller-runtime', page: 'controller-runtime', scenarios: controllerRuntime },
  { tool: 'Storage migration', page: 'storage-migration', scenarios: storageMigration },
  { tool: 'Garbage collector', page: 'garbage-collector', scenarios: garbageCollector },
  { tool: 'Namespace deletion', page: 'namespace-deletion', scenarios: namespaceDeletion },
] as const;
