/** What to do where the cluster does not answer as it should, in the words of an answer to a user. */
import type { ClusterError } from './errors.ts';

export type Verb = 'get' | 'update';

/** Why an object can't be told of. `what` names it: `clusterclaims "id.k8s.io" (multicluster.x-k8s.io)`. */
export function whyUnread(what: string, error: ClusterError): string {
  if (error.absent === 'kind') return `the API server does not serve ${what}: install its CRD`;
  if (error.code === 'forbidden') return `muster may not get ${what}: apply its RBAC (muster manifests)`;
  if (error.code === 'unauthorized') return `the API server does not know muster's credentials, so ${what} is unread`;
  return `${what} can't be read: ${error.message}`;
}

/** Why no intent can be taken. `lease` is NAMESPACE/NAME. */
export function whyNoIntent(lease: string, verb: Verb, error: ClusterError): string {
  const what = `the Lease ${lease}`;
  if (error.code === 'not-found')
    return `${what} does not exist: apply muster's manifests, or name the namespace with --namespace`;
  if (error.code === 'forbidden') return `muster may not ${verb} ${what}: apply its RBAC (muster manifests)`;
  if (error.code === 'unauthorized')
    return `the API server does not know muster's credentials, so ${what} can't be taken`;
  return `${what} can't be taken: ${error.message}`;
}

/** Why objects can't be read by whoever runs a check. `what` names them: `clusterclaims (multicluster.x-k8s.io)`. */
export function whyUnreadable(verb: 'get' | 'list', what: string, error: ClusterError): string {
  if (error.code === 'forbidden') return `you may not ${verb} ${what}: ask for that right, or name another --context`;
  if (error.code === 'unauthorized')
    return 'the API server does not know your credentials: renew them, or name another --context';
  if (error.code === 'unreachable' || error.code === 'timeout') {
    return `${error.message}: is it up, and is this the right --kubeconfig and --context?`;
  }
  return error.code === 'no-access' ? error.message : `${what} can't be read: ${error.message}`;
}
