/** What pods have in common: the security settings (an unprivileged user, nothing writable, no way to more rights), and jobs. */
import { type Component, labelsOf, type Manifest, manifest } from './manifest.ts';
import { CONFIG_MAP } from './names.ts';

/** The user and group of the image. */
const NOBODY = 65_532;

/** A pod's own part of the restricted security context. */
export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: NOBODY,
  runAsGroup: NOBODY,
  // Only this group can read the mounted key.
  fsGroup: NOBODY,
  seccompProfile: { type: 'RuntimeDefault' },
} as const;

/** A container's. */
export const containerSecurity = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
} as const;

/** The image is one of Linux; mixed clusters have nodes of others. */
export const nodeSelector = { 'kubernetes.io/os': 'linux' } as const;

/** The server's configuration, for a container that mounts `configuration`. */
export const configurationMount = { name: 'configuration', mountPath: '/etc/muster', readOnly: true } as const;
export const configurationVolume = { name: 'configuration', configMap: { name: CONFIG_MAP } } as const;

const mounts = { volumeMounts: [configurationMount] };

export interface ImageOptions {
  readonly namespace: string;
  readonly image: string;
}

export interface JobOptions extends ImageOptions {
  readonly name: string;
  readonly component: Component;
  readonly args: readonly string[];
  readonly resources: object;
  readonly restartPolicy: 'Never' | 'OnFailure';
  readonly limits: { readonly backoffLimit: number; readonly activeDeadlineSeconds: number };
  /** Whether the job reads the server's configuration. */
  readonly isConfigured: boolean;
}

/** Returns the spec of a Job: one restricted container that calls the API server. */
export function jobSpec(job: JobOptions) {
  const { name, component, image, args, resources, restartPolicy, limits, isConfigured } = job;
  const spec = {
    serviceAccountName: name,
    automountServiceAccountToken: true,
    restartPolicy,
    // Their variables (MUSTER_PORT=tcp://…) are spelled as those of our flags.
    enableServiceLinks: false,
    securityContext: podSecurity,
    nodeSelector,
    containers: [{ name, image, args, resources, securityContext: containerSecurity, ...(isConfigured && mounts) }],
    ...(isConfigured && { volumes: [configurationVolume] }),
  };
  return { ...limits, template: { metadata: { labels: labelsOf(component) }, spec } };
}

/** Returns a CronJob that runs every hour. `schedule` has the minute; one run at a time. */
export function cronJob(job: JobOptions, schedule: string, failedJobsHistoryLimit: number): Manifest {
  const { name, namespace, component } = job;
  const spec = {
    schedule,
    concurrencyPolicy: 'Forbid',
    startingDeadlineSeconds: 600,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit,
    jobTemplate: { metadata: { labels: labelsOf(component) }, spec: jobSpec(job) },
  };
  return manifest(['batch/v1', 'CronJob'], { name, namespace, component }, { spec });
}
