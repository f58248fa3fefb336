/** All scenarios, in the order of the tables. */
import type { Scenario } from '../scenario.ts';
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

export const scenarios: readonly Scenario[] = [
  ...argocd,
  ...flux,
  ...helm,
  ...kapp,
  ...kubectl,
  ...velero,
  ...ocm,
  ...kubefleet,
  ...controllerRuntime,
  ...storageMigration,
  ...garbageCollector,
  ...namespaceDeletion,
];
