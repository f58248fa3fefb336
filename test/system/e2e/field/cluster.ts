/**
 * The cluster of the field scenarios: one control plane, the users that tools run as, and a muster behind one address.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { requiredEnforcement } from '../../../../src/manifests/requirements.ts';
import { ruleIds } from '../../../../src/rules/index.ts';
import { configurationOf } from '../../../support/configuration.ts';
import {
  type ControlPlane,
  grantAccess,
  kubernetesMinor,
  type Muster,
  register,
  servingCertificates,
  startControlPlane,
  startMuster,
  startProxy,
} from '../harness/index.ts';
import { bindingOf, type User, type UserMap } from '../harness/users.ts';

const GROUP = 'field:tools';

/** The service accounts that the tools run as by default. */
const FIELD_USERS = {
  argocd: account('argocd', 'argocd-application-controller'),
  flux: account('flux-system', 'kustomize-controller'),
  /** A pipeline that runs Helm, kapp or kubectl. */
  deployer: { name: 'deployer', groups: [GROUP] },
  velero: account('velero', 'velero'),
  ocm: account('open-cluster-management-hub', 'registration-controller-sa'),
  ocmPlacement: account('open-cluster-management-hub', 'placement-controller-sa'),
  ocmAddOn: account('open-cluster-management-agent-addon', 'klusterlet-addon-workmgr'),
  kubefleet: account('fleet-system', 'hub-agent-sa'),
  sveltos: account('projectsveltos', 'addon-controller'),
  clusternet: account('clusternet-system', 'clusternet-app-deployer'),
  controller: account('fleet', 'controller'),
  migrator: account('kube-system', 'kube-storage-version-migrator-sa'),
  /** In the configuration with managers: all of them. */
  manager: { name: 'manager', groups: [GROUP] },
  /** There, none of them. */
  outsider: { name: 'outsider', groups: [GROUP] },
} as const satisfies UserMap;

export type FieldUser = keyof typeof FIELD_USERS;

/** Binds the tools to cluster-admin, as most of them are. */
const TOOLS_BINDING = bindingOf('field-tools', 'cluster-admin', GROUP);

/** Whether Kubernetes migrates stored objects by the version of its API that the scenarios use. */
export const MIGRATES = kubernetesMinor() >= 35;
const MIGRATION = '--feature-gates=StorageVersionMigrator=true';
/** The controller of migrations needs it, as of client-go. */
const INFORMERS = '--feature-gates=InformerResourceVersion=true';
const exemptions = { users: ['admin'] };
const principals = [{ user: FIELD_USERS.manager.name }];

/** Namespaces whose features have a server flow in the configuration with managers. */
export const FLOW_NAMESPACES = ['flow', 'flow-that-goes', 'flow-that-goes-too'];

const CONFIGURATIONS = {
  plain: { exemptions },
  managers: {
    exemptions,
    rules: { 'inventory/sole-manager': 'deny' },
    claims: { membershipManagers: principals },
    inventory: {
      managers: {
        fleet: principals,
        'open-cluster-management': [{ serviceAccount: 'open-cluster-management-hub/registration-controller-sa' }],
        KubeFleet: [{ serviceAccount: 'fleet-system/hub-agent-sa' }],
      },
    },
    features: { serverFlow: FLOW_NAMESPACES.map((namespace) => ({ namespace, principals })) },
  },
} as const;

export interface FieldCluster {
  readonly controlPlane: ControlPlane;
  /** Registers muster and starts it with this configuration. */
  configure(name: keyof typeof CONFIGURATIONS): Promise<void>;
  /** Ends muster. */
  leave(): Promise<void>;
  /** Starts another replica, sends new connections to it, and stops the one before. */
  replace(): Promise<void>;
  muster(): Muster;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<FieldCluster> {
  const controlPlane = await startControlPlane({
    controllerManager: true,
    users: FIELD_USERS,
    ...(MIGRATES && {
      apiServerFlags: [MIGRATION, '--runtime-config=storagemigration.k8s.io/v1beta1=true'],
      controllerManagerFlags: [MIGRATION, INFORMERS, '--controllers=storage-version-migrator-controller'],
    }),
  });
  await grantAccess(controlPlane);
  await controlPlane.apply(TOOLS_BINDING);
  const certs = await servingCertificates(join(controlPlane.folder, 'muster-certs'));
  let muster: Muster | undefined;
  let config = '';
  const proxy = await startProxy({ targets: () => (muster === undefined ? [] : [muster]) });
  const replace = async () => {
    const before = muster;
    // Answers within the drain of a second close their connections, so the API server opens new ones.
    muster = await startMuster({ controlPlane, config, certs, args: ['--drain-seconds', '1'] });
    await before?.stop();
  };
  const leave = async () => {
    const last = muster;
    muster = undefined;
    await last?.kill();
  };
  return {
    controlPlane,
    async configure(name) {
      config = join(controlPlane.folder, `${name}.json`);
      writeFileSync(config, JSON.stringify(configurationOf(CONFIGURATIONS[name])));
      await replace();
      const { policy } = await loadConfiguration(config, ruleIds, Date.now());
      const endpoint = { url: proxy.url, caFile: join(certs, 'ca.crt') };
      await register(controlPlane, endpoint, { enforcement: requiredEnforcement(policy) });
    },
    leave,
    replace,
    muster() {
      if (muster === undefined) throw new Error('muster is away');
      return muster;
    },
    async stop() {
      await leave();
      await proxy.close();
      await controlPlane.stop();
    },
  };
}

function account(namespace: string, name: string): User {
  const groups = [GROUP, 'system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: `system:serviceaccount:${namespace}:${name}`, groups };
}
