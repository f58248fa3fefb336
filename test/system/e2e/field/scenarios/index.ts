/** All scenarios, by tool, in the order of the tables; `page` is the tool's page in docs/integrations. */
import { clusternet, sveltos } from './add-ons.ts';
import { kapp, kubectlScenarios } from './commands.ts';
import { controllerRuntime } from './controller-runtime.ts';
import { garbageCollector, namespaceDeletion, storageMigration } from './controllers.ts';
import { argocd, flux } from './gitops.ts';
import { helmScenarios } from './helm.ts';
import { kubefleet, ocm } from './hubs.ts';
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
  { tool: 'Sveltos', page: 'sveltos', scenarios: sveltos },
  { tool: 'Clusternet', page: 'clusternet', scenarios: clusternet },
  { tool: 'controller-runtime', page: 'controller-runtime', scenarios: controllerRuntime },
  { tool: 'Storage migration', page: 'storage-migration', scenarios: storageMigration },
  { tool: 'Garbage collector', page: 'garbage-collector', scenarios: garbageCollector },
  { tool: 'Namespace deletion', page: 'namespace-deletion', scenarios: namespaceDeletion },
] as const;
