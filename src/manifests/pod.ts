/** What every pod of muster's is held to: nobody's user, nothing writable, no way to more rights. */

/** The user and group of the image. */
const NOBODY = 65_532;

/** A pod's own part of the restricted security context. */
export const podSecurity = {
  runAsNonRoot: true,
  runAsUser: NOBODY,
  runAsGroup: NOBODY,
  // The mounted key is readable by this group, and by nobody else.
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
