/** The flags, files and life of one kube-apiserver, and of the controller manager beside it. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificates } from '../../../../src/certificates/issue.ts';
import { createApi } from './api.ts';
import { type Daemon, freePort, SELDOM_COLLECTED, startDaemon, waitFor } from './daemon.ts';
import { type UserMap, writeKubeconfig, writeTokens } from './users.ts';

export interface ApiServerOptions {
  readonly folder: string;
  readonly etcdUrl: string;
  readonly users: UserMap;
  readonly apiServerFlags?: readonly string[];
  /** Content of `--admission-control-config-file`. */
  readonly admissionConfig?: object;
}

export interface ApiServer {
  readonly url: string;
  readonly caFile: string;
  readonly ca: string;
  /** The key that signs the tokens of service accounts. */
  readonly serviceAccountKeyFile: string;
  /** Of the process, while there is one. */
  pid(): number | undefined;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const env = { ...process.env, ...SELDOM_COLLECTED };

/** Writes its files; `start` runs it, the second time on the same port. */
export async function prepareApiServer(program: string, options: ApiServerOptions): Promise<ApiServer> {
  const { folder } = options;
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const files = await writeFiles(folder);
  const args = [...argumentsOf(options, port, files), ...(options.apiServerFlags ?? [])];
  let daemon: Daemon | undefined;
  return {
    url,
    caFile: files.caFile,
    ca: files.ca,
    serviceAccountKeyFile: files.serviceAccountKey,
    pid: () => (daemon?.running() ? daemon.pid : undefined),
    async start() {
      daemon = startDaemon(program, args, { logFile: join(folder, 'kube-apiserver.log'), env });
      const api = createApi(url, files.ca, undefined);
      const isReady = async () => (await api.call('GET', '/readyz')).status === 200;
      await waitFor('kube-apiserver', daemon, isReady).finally(() => api.close());
    },
    async stop(signal = 'SIGTERM') {
      await daemon?.stop(signal);
    },
  };
}

const CONTROLLERS = [
  'namespace-controller garbage-collector-controller serviceaccount-controller deployment-controller',
  'replicaset-controller endpointslice-controller disruption-controller job-controller',
  'cronjob-controller resourcequota-controller validatingadmissionpolicy-status-controller',
].flatMap((names) => names.split(' '));

/**
 * Every controller acts as its own service account, as in a cluster. `--controllers` of the flags are added to ours.
 */
export async function startControllerManager(
  program: string,
  folder: string,
  apiServer: ApiServer,
  flags: readonly string[],
): Promise<Daemon> {
  const kubeconfig = writeKubeconfig(join(folder, 'controller-manager.kubeconfig'), 'controller-manager', apiServer);
  const port = await freePort();
  const args = [
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${apiServer.serviceAccountKeyFile}`,
    '--use-service-account-credentials=true',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'controller-manager')}`,
    '--leader-elect=false',
    `--controllers=${CONTROLLERS.join(',')}`,
    ...flags,
  ];
  const daemon = startDaemon(program, args, { logFile: join(folder, 'kube-controller-manager.log'), env });
  // Each writes a line; namespaces and garbage are what tests wait for.
  const begun = [/namespace_controller\.go\S* "Starting/, /garbagecollector\.go\S* "Starting/];
  await waitFor('kube-controller-manager', daemon, async () => begun.every((line) => line.test(daemon.log())));
  return daemon;
}

type Files = Awaited<ReturnType<typeof writeFiles>>;

async function writeFiles(folder: string) {
  const issued = await issueCertificates({
    names: ['127.0.0.1', '::1', 'localhost', 'kubernetes.default.svc'],
    caName: 'e2e control plane',
  });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    ca: issued.ca,
    caFile: write('ca.crt', issued.ca),
    cert: write('apiserver.crt', issued.cert),
    key: write('apiserver.key', issued.key),
    serviceAccountKey: write('sa.key', pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
    serviceAccountPublicKey: write('sa.pub', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
  };
}

function argumentsOf(options: ApiServerOptions, port: number, files: Files): string[] {
  const { folder, etcdUrl, users, admissionConfig } = options;
  const admissionFile = join(folder, 'admission.json');
  if (admissionConfig !== undefined) writeFileSync(admissionFile, JSON.stringify(admissionConfig));
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${files.cert}`,
    `--tls-private-key-file=${files.key}`,
    `--cert-dir=${folder}`,
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${writeTokens(folder, users)}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    // There is one, on loopback, which no Endpoints object may hold.
    '--endpoint-reconciler-type=none',
    ...(admissionConfig === undefined ? [] : [`--admission-control-config-file=${admissionFile}`]),
  ];
}
