/** A hub and two members on real API servers, each with muster before it, set up by the printed recipe as it stands. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clusterProperty } from '../../../../src/api/dialects.ts';
import { defaultPolicy } from '../../../../src/engine/policy.ts';
import { partOf } from '../../../../src/manifests/installation.ts';
import { requiredReads } from '../../../../src/manifests/requirements.ts';
import { configurationOf } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';
import {
  type ControlPlane,
  ensureAssets,
  type Guarded,
  type Identity,
  identityOf,
  type Outcome,
  runMuster,
  runProgram,
  startControlPlane,
  startGuarded,
  succeeded,
} from '../harness/index.ts';

/** Of the hub. */
export const NAMESPACE = 'cluster-ids';
const MEMBERS = ['east', 'west'] as const;
type Member = (typeof MEMBERS)[number];
const registrarIn = (kubeconfig: string) => ({ kubeconfig, namespace: NAMESPACE, whenUnreachable: 'deny' }) as const;

/** What `muster registrar list -o json` says of a reservation. */
interface Listed {
  readonly id: string;
  readonly holder: string;
  readonly confirmed: boolean;
}

export interface Fleet {
  readonly hub: ControlPlane;
  readonly east: Guarded;
  readonly west: Guarded;
  /** Returns the path of a member's kubeconfig for the hub. */
  hubKubeconfig(member: Member): string;
  /** Starts muster before a member, again after it was killed. */
  musterOptions(member: Member): { readonly config: string };
  identity(member: Member): Identity;
  /** Runs `muster registrar` with a member's configuration and kubeconfig. */
  registrar(member: Member, ...args: readonly string[]): Promise<Outcome>;
  listed(): Promise<readonly Listed[]>;
  uidOf(member: Member): Promise<string>;
  /** Returns the requests of a member at the hub so far: `VERB NAME`. */
  requestsOf(member: Member): readonly string[];
  stop(): Promise<void>;
}

/** Starts the three API servers and both musters. */
export async function startFleet(): Promise<Fleet> {
  const folder = newFolder().path;
  const audit = join(folder, 'audit.log');
  const policy = join(folder, 'audit-policy.yaml');
  const rules = [{ level: 'Metadata', resources: [{ group: 'coordination.k8s.io' }], omitStages: ['RequestReceived'] }];
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  const flags = [`--audit-policy-file=${policy}`, `--audit-log-path=${audit}`];
  const hub = await startControlPlane({ crds: 'none', apiServerFlags: flags });
  const { stdout } = await succeeded(runMuster(['manifests', '--registrar', '--namespace', NAMESPACE]));
  await succeeded(hub.kubectl('admin', ['apply', '-f', '-'], stdout));
  const configOf = (member: Member) => join(folder, member, 'muster.yaml');
  for (const member of MEMBERS) await configure(hub, folder, member, stdout);
  const [east, west] = (await Promise.all(MEMBERS.map((member) => startMember(configOf(member))))) as [
    Guarded,
    Guarded,
  ];
  const members = { east, west };
  const planeOf = (member: Member) => members[member].controlPlane;
  const registrar: Fleet['registrar'] = (member, ...args) => {
    const access =
      args[0] === 'list' || args[0] === 'release' ? [] : ['--kubeconfig', planeOf(member).kubeconfig('admin')];
    return runMuster(['registrar', ...args, '--config', configOf(member), ...access]);
  };
  return {
    hub,
    east,
    west,
    hubKubeconfig: (member) => join(folder, member, 'hub.yaml'),
    musterOptions: (member) => ({ config: configOf(member) }),
    identity: (member) => identityOf(clusterProperty, planeOf(member).api('jane')),
    registrar,
    async listed() {
      const { stdout: text } = await succeeded(registrar('east', 'list', '-o', 'json'));
      return JSON.parse(text).items;
    },
    async uidOf(member) {
      const { body } = await planeOf(member).api('admin').call('GET', '/api/v1/namespaces/kube-system');
      return body.metadata.uid;
    },
    requestsOf(member) {
      const user = `system:serviceaccount:${NAMESPACE}:${member}`;
      const events = readFileSync(audit, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      const own = events.filter((event) => event.user.username === user);
      return own.map(({ verb, objectRef }) => `${verb} ${objectRef?.name ?? ''}`);
    },
    async stop() {
      await Promise.all([east.stop(), west.stop()]);
      await hub.stop();
    },
  };
}

/** Makes the kubeconfig of a member by the commands that the manifests print, and a configuration that names it. */
async function configure(hub: ControlPlane, folder: string, member: Member, manifests: string): Promise<void> {
  const [first = ''] = manifests.split('# Then in the member');
  const lines = [...first.matchAll(/^# {3}(.*)$/gm)].map(([, line = '']) => line.replaceAll(/\beast\b/g, member));
  const own = join(folder, member);
  mkdirSync(own);
  writeFileSync(join(own, 'recipe.sh'), `set -e\n${lines.join('\n')}\n`);
  const { kubectl } = await ensureAssets();
  const PATH = `${dirname(kubectl)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH, KUBECONFIG: hub.kubeconfig('admin') };
  await succeeded(runProgram('bash', ['-c', `cd ${own} && bash recipe.sh`], undefined, env));
  const registrar = registrarIn('hub.yaml');
  writeFileSync(join(own, 'muster.yaml'), JSON.stringify(configurationOf({ registrar })));
}

function startMember(config: string): Promise<Guarded> {
  const objects = partOf('rbac', { reads: { ...requiredReads(defaultPolicy), registrar: registrarIn('hub.yaml') } });
  return startGuarded({ objects, muster: { config } });
}
