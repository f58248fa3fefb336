/** What makes the certificates: the Secret, a CronJob that rotates, a Job at install, and their rights; or cert-manager. */
import type { Enforcement } from '../engine/plan.ts';
import { granted, serviceAccount } from './access.ts';
import { type Manifest, manifest } from './manifest.ts';
import { CERTS, SERVER, TLS_SECRET, WEBHOOKS } from './names.ts';
import { cronJob, type ImageOptions, type JobOptions, jobSpec } from './pod.ts';
import { NOTHING_ENFORCED } from './registration.ts';

const CA = `${SERVER}-ca`;

interface CertificateOptions extends ImageOptions {
  /** What the server's configuration enforces, on which the webhooks depend; default: what holds without one. */
  readonly enforcement?: Enforcement;
}

/** Returns all of it. Rotation reads and writes one Secret, and the CA bundle in the webhook configurations of one name. */
export function certificates(options: CertificateOptions): readonly Manifest[] {
  const { namespace, enforcement = NOTHING_ENFORCED } = options;
  const run = jobOf(options);
  const registration = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
  const rule = (apiGroup: string, resources: readonly string[], name: string) => [
    { apiGroups: [apiGroup], resources, resourceNames: [name], verbs: ['get', 'update'] },
  ];
  return [
    // There from the start: RBAC can't restrict `create` to a name. Without data: applying it again changes no keys.
    manifest(['v1', 'Secret'], { name: TLS_SECRET, namespace, component: 'certs' }, { type: 'Opaque' }),
    serviceAccount(CERTS, namespace, 'certs'),
    ...granted(CERTS, namespace, 'certs', {
      inCluster: rule('admissionregistration.k8s.io', registration, WEBHOOKS),
      inNamespace: rule('', ['secrets'], TLS_SECRET),
    }),
    // Every hour: a step of a rotation takes at least one, and a changed CA bundle is fixed within one.
    cronJob(run, '17 * * * *', 1),
    job(run, enforcement),
  ];
}

/** Returns the objects with which cert-manager replaces `muster certs`: a CA that signs one certificate, in the same Secret. */
export function certManager(namespace: string): readonly Manifest[] {
  const object = (kind: string, name: string, spec: object) =>
    manifest(['cert-manager.io/v1', kind], { name, namespace, component: 'server' }, { spec });
  const key = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' };
  return [
    object('Issuer', `${SERVER}-self-signed`, { selfSigned: {} }),
    object('Certificate', CA, {
      isCA: true,
      commonName: CA,
      secretName: CA,
      duration: '87600h',
      privateKey: { ...key, rotationPolicy: 'Never' },
      issuerRef: { name: `${SERVER}-self-signed`, kind: 'Issuer' },
    }),
    object('Issuer', CA, { ca: { secretName: CA } }),
    object('Certificate', SERVER, {
      secretName: TLS_SECRET,
      duration: '2160h',
      renewBefore: '720h',
      // The name by which an API server calls a Service.
      dnsNames: [`${SERVER}.${namespace}.svc`, `${SERVER}.${namespace}.svc.cluster.local`],
      usages: ['server auth', 'digital signature'],
      privateKey: key,
      issuerRef: { name: CA, kind: 'Issuer' },
    }),
  ];
}

/**
 * Its name depends on its spec: a Job can't be changed, and applying a new image to it would be refused. It depends on the webhooks too:
 * one that a new configuration adds gets its CA from a new Job.
 */
function job(run: JobOptions, enforcement: Enforcement): Manifest {
  const spec = jobSpec(run);
  const name = `${CERTS}-${digest(JSON.stringify([spec, enforcement]))}`;
  return manifest(['batch/v1', 'Job'], { name, namespace: run.namespace, component: 'certs' }, { spec });
}

function jobOf({ namespace, image }: ImageOptions): JobOptions {
  return {
    ...{ name: CERTS, namespace, component: 'certs', image },
    args: [
      'certs',
      `--secret=${namespace}/${TLS_SECRET}`,
      `--service=${namespace}/${SERVER}`,
      `--webhook=${WEBHOOKS}`,
      '--overlap=1h',
    ],
    resources: { requests: { cpu: '10m', memory: '160Mi' }, limits: { memory: '320Mi' } },
    restartPolicy: 'OnFailure',
    limits: { backoffLimit: 6, activeDeadlineSeconds: 900 },
    isConfigured: false,
  };
}

/** Returns a hash of eight characters (FNV-1a, 32 bits). */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
