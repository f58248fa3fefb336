/** The flags in a remedy's commands are those of doctor, quoted for a shell. */
import { expect, test } from '@jest/globals';
import { programsOf } from '../../../../src/cli/doctor/programs.ts';

test.each([
  [{}, { kubectl: 'kubectl', helm: 'helm', certs: 'muster certs' }],
  [
    { context: 'east' },
    { kubectl: 'kubectl --context east', helm: 'helm --kube-context east', certs: 'muster certs --context east' },
  ],
  [
    { kubeconfig: 'k.yaml', context: "it's" },
    {
      kubectl: "kubectl --kubeconfig k.yaml --context 'it'\\''s'",
      helm: "helm --kubeconfig k.yaml --kube-context 'it'\\''s'",
      certs: "muster certs --kubeconfig k.yaml --context 'it'\\''s'",
    },
  ],
])('%j', (flags, expected) => expect(programsOf(flags)).toEqual(expected));
