/** The input of doctor's checks, for an installation by manifests unless a test says otherwise. */
import { programsOf } from '../../../../src/cli/doctor/programs.ts';
import type { DoctorContext } from '../../../../src/cli/doctor/remedies.ts';

export const SERVICE = { namespace: 'muster-system', name: 'muster', port: 443 };

/** Returns what `over` says, and else an installation without anything wrong. */
export function contextOf(over: object = {}): DoctorContext {
  const installed = {
    programs: programsOf({}),
    way: { kind: 'manifests' },
    issuer: { kind: 'muster' },
    service: SERVICE,
    registration: [],
    deployment: { kind: 'missing' },
  };
  const names = { base: 'muster', account: 'muster', secret: 'muster-tls' };
  return { namespace: 'muster-system', names, ...installed, ...over } as unknown as DoctorContext;
}
