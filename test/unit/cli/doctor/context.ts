/** The input of doctor's checks, for an installation by manifests unless a test says otherwise. */
import { optionsOf } from '../../../../src/cli/doctor/expected.ts';
import { programsOf } from '../../../../src/cli/doctor/programs.ts';
import type { DoctorContext } from '../../../../src/cli/doctor/remedies.ts';
import type { InstallationOptions } from '../../../../src/manifests/installation.ts';

export const SERVICE = { namespace: 'muster-system', name: 'muster', port: 443 };

/** Returns what `over` and `options` say, and else an installation without anything wrong. */
export function contextOf(over: object = {}, options: Partial<InstallationOptions> = {}): DoctorContext {
  const installed = {
    programs: programsOf({}),
    way: { kind: 'manifests' },
    issuer: { kind: 'muster' },
    service: SERVICE,
    registration: [],
    deployment: { kind: 'missing' },
  };
  const names = { base: 'muster', account: 'muster', secret: 'muster-tls' };
  const context = { namespace: 'muster-system', names, ...installed, ...over } as unknown as DoctorContext;
  return { ...context, options: { ...optionsOf(context), ...options } };
}
