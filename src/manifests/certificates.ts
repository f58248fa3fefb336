/** What makes the certificates: the Secret, a CronJob that rotates, a Job at install, and their rights. */
import { granted, serviceAccount } from './access.ts';
import { labelsOf, type Manifest, manifest } from './manifest.ts';
import { CERTS, SERVER, TLS_SECRET, WEBHOOKS } from './names.ts';
import { containerSecurity, nodeSelector, podSecurity } from './pod.ts';

export interface CertificateOptions {
  readonly namespace: string;
  readonly image: string;
}

/** Returns all of it. Rotation reads and writes one Secret, and the CA bundle in the webhook configurations of one name. */
export function certificates(options: CertificateOptions): readonly Manifest[] {
  const { namespace } = options;
  const readsAndWrites = ['get', 'update'];
  const registration = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
  return [
    secret(namespace),
    serviceAccount(CERTS, namespace, 'certs'),
    ...granted(CERTS, namespace, 'certs', {
      inCluster: [
        {
          apiGroups: ['admissionregistration.k8s.io'],
          resources: registration,
          resourceNames: [WEBHOOKS],
          verbs: readsAndWrites,
        },
      ],
      inNamespace: [{ apiGroups: [''], resources: ['secrets'], resourceNames: [TLS_SECRET], verbs: readsAndWrites }],
    }),
    cronJob(options),
    job(options),
  ];
}

/**
 * It exists from the start, because RBAC can't restrict a right to create to one name. It has no data, so that applying it again
 * changes no keys.
 */
function secret(namespace: string): Manifest {
  return manifest(['v1', 'Secret'], { name: TLS_SECRET, namespace, component: 'certs' }, { type: 'Opaque' });
}

/** Every hour: a step of a rotation takes at least one, and a changed CA bundle is fixed within one. */
function cronJob(options: CertificateOptions): Manifest {
  return manifest(
    ['batch/v1', 'CronJob'],
    { name: CERTS, namespace: options.namespace, component: 'certs' },
    {
      spec: {
        schedule: '17 * * * *',
        concurrencyPolicy: 'Forbid',
        startingDeadlineSeconds: 600,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: { metadata: { labels: labelsOf('certs') }, spec: run(options) },
      },
    },
  );
}

/**
 * Its name depends on its spec. A Job can't be changed: under one name, applying a new image would be refused, and a Job whose
 * image can't be pulled would block it forever.
 */
function job(options: CertificateOptions): Manifest {
  const spec = run(options);
  const name = `${CERTS}-${digest(JSON.stringify(spec))}`;
  return manifest(['batch/v1', 'Job'], { name, namespace: options.namespace, component: 'certs' }, { spec });
}

function run({ namespace, image }: CertificateOptions) {
  return {
    backoffLimit: 6,
    activeDeadlineSeconds: 900,
    template: {
      metadata: { labels: labelsOf('certs') },
      spec: {
        serviceAccountName: CERTS,
        automountServiceAccountToken: true,
        restartPolicy: 'OnFailure',
        // Their variables (MUSTER_PORT=tcp://…) are spelled as those of our flags.
        enableServiceLinks: false,
        securityContext: podSecurity,
        nodeSelector,
        containers: [
          {
            name: CERTS,
            image,
            args: [
              'certs',
              `--secret=${namespace}/${TLS_SECRET}`,
              `--service=${namespace}/${SERVER}`,
              `--webhook=${WEBHOOKS}`,
              '--overlap=1h',
            ],
            resources: { requests: { cpu: '10m', memory: '160Mi' }, limits: { memory: '320Mi' } },
            securityContext: containerSecurity,
          },
        ],
      },
    },
  };
}

/** Returns a hash of eight characters (FNV-1a, 32 bits). */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
