/** The cluster of the field scenarios: one control plane, and a muster that is up, replaced or away behind one address. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfiguration } from '../../../src/config/load.ts';
import { enforcementOf } from '../../../src/engine/plan.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { issueCertificates } from '../../../src/tls/issue.ts';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../harness/index.ts';
import { type Front, openFront } from './front.ts';
import { FIELD_USERS, TOOLS_BINDING } from './users.ts';

const MIGRATION = '--feature-gates=StorageVersionMigrator=true';
/** The controller of migrations asks for it, as of client-go. */
const INFORMERS = '--feature-gates=InformerResourceVersion=true';
const exemptions = { users: ['admin'] };
const principals = [{ user: FIELD_USERS.manager.name }];

/** Where features have a server flow; a configuration names each. */
export const FLOW_NAMESPACES = ['flow', 'flow-that-goes', 'flow-that-goes-too'];

export const CONFIGURATIONS = {
  /** The default, but for who cleans up. */
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

export interface World {
  readonly controlPlane: ControlPlane;
  /** Registers muster and starts it under this configuration. */
  configure(name: keyof typeof CONFIGURATIONS): Promise<void>;
  /** Ends muster, so that nobody answers. */
  leave(): Promise<void>;
  /** Starts another replica, leads to it, and stops the one before. */
  replace(): Promise<void>;
  muster(): Muster;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const controlPlane = await startControlPlane({
    controllerManager: true,
    users: FIELD_USERS,
    apiServerFlags: [MIGRATION, '--runtime-config=storagemigration.k8s.io/v1beta1=true'],
    controllerManagerFlags: [MIGRATION, INFORMERS, '--controllers=storage-version-migrator-controller'],
  });
  await grantAccess(controlPlane);
  await controlPlane.apply(TOOLS_BINDING);
  const certs = await writeCertificates(join(controlPlane.folder, 'muster-certs'));
  return worldOf(controlPlane, await openFront(), certs);
}

function worldOf(controlPlane: ControlPlane, front: Front, certs: string): World {
  let muster: Muster | undefined;
  let config = '';
  const replace = async () => {
    const before = muster;
    // A grace of a second: replies close their connections, so that the API server leaves for the next replica.
    muster = await startMuster({ controlPlane, config, certs, args: ['--drain-seconds', '1'] });
    await front.lead(muster.port);
    await before?.stop();
  };
  const leave = async () => {
    await front.lead(undefined);
    await muster?.kill();
    muster = undefined;
  };
  return {
    controlPlane,
    async configure(name) {
      config = writeConfiguration(join(controlPlane.folder, `${name}.json`), CONFIGURATIONS[name]);
      await replace();
      const { policy } = await loadConfiguration(config, ruleIds, Date.now());
      const endpoint = { url: front.url, caFile: join(certs, 'ca.crt') };
      await register(controlPlane, endpoint, { enforcement: enforcementOf(policy) });
    },
    leave,
    replace,
    muster() {
      if (muster === undefined) throw new Error('muster is away');
      return muster;
    },
    async stop() {
      await leave();
      await controlPlane.stop();
    },
  };
}

function writeConfiguration(file: string, configuration: object): string {
  writeFileSync(file, JSON.stringify({ apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...configuration }));
  return file;
}

/** One certificate for all replicas, as the Secret of an installation is. */
async function writeCertificates(folder: string): Promise<string> {
  const { ca, cert, key } = await issueCertificates({ names: ['127.0.0.1'], caName: 'field' });
  mkdirSync(folder);
  writeFileSync(join(folder, 'ca.crt'), ca);
  writeFileSync(join(folder, 'tls.crt'), cert);
  writeFileSync(join(folder, 'tls.key'), key, { mode: 0o600 });
  return folder;
}
