/** How the commands of remedies begin: they call the cluster that was checked, whatever the current context is. */
import { shellQuoted } from '../../base/text.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';

/** Programs that call a cluster, each with the flags that name it. */
export interface Programs {
  readonly kubectl: string;
  readonly helm: string;
  readonly certs: string;
}

/** Returns the programs with the kubeconfig and context that doctor was given. Without these flags, none is added. */
export function programsOf({ kubeconfig, context }: AccessFlags): Programs {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${shellQuoted(kubeconfig)}`;
  const named = (flag: string) => (context === undefined ? '' : ` ${flag} ${shellQuoted(context)}`);
  return {
    kubectl: `kubectl${file}${named('--context')}`,
    helm: `helm${file}${named('--kube-context')}`,
    certs: `muster certs${file}${named('--context')}`,
  };
}
