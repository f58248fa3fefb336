/** The security settings of every pod: an unprivileged user, nothing writable, no way to more rights. */

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
