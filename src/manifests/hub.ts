/** The objects that the hub of a registrar needs: a namespace, and the rights of its service accounts to its Leases. */
import { ownNamespace } from './installation.ts';
import { type Manifest, manifest, toYaml } from './manifest.ts';

const ROLE = 'muster-registrar';

/** Returns the objects for the hub. Each service account of the namespace has the rights of a member. */
export function hubObjects(namespace: string): readonly Manifest[] {
  const rbac = 'rbac.authorization.k8s.io';
  const rules = [
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'list', 'create', 'update', 'delete'] },
  ];
  const roleRef = { apiGroup: rbac, kind: 'Role', name: ROLE };
  const subjects = [{ apiGroup: rbac, kind: 'Group', name: `system:serviceaccounts:${namespace}` }];
  return [
    ownNamespace(namespace),
    manifest([`${rbac}/v1`, 'Role'], { name: ROLE, namespace }, { rules }),
    manifest([`${rbac}/v1`, 'RoleBinding'], { name: ROLE, namespace }, { roleRef, subjects }),
  ];
}

/** Returns the objects as YAML, after a comment on how to make the kubeconfig of a member. */
export function hubText(namespace: string): string {
  const comment = RECIPE.replaceAll('NAMESPACE', namespace).replace(/^/gm, '# ').replaceAll(/ +$/gm, '');
  return `${comment}\n${hubObjects(namespace)
    .map((object) => `---\n${toYaml(object)}`)
    .join('')}`;
}

const RECIPE = `The hub of muster's registrar: apply this to it.
Each service account in the namespace is a member. For each, such as east, with the kubeconfig of the hub:

  kubectl -n NAMESPACE create serviceaccount east
  server=$(kubectl config view --minify -o jsonpath='{.clusters[0].cluster.server}')
  ca='{.clusters[0].cluster.certificate-authority-data}'
  kubectl config view --minify --flatten --raw -o jsonpath="$ca" | base64 -d > hub-ca.crt
  token=$(kubectl -n NAMESPACE create token east --duration 8760h)
  (
    export KUBECONFIG=hub.yaml
    kubectl config set-cluster hub --server "$server" --certificate-authority hub-ca.crt --embed-certs
    kubectl config set-credentials east --token "$token"
    kubectl config set-context hub --cluster hub --user east
    kubectl config use-context hub
  )

Then in the member, and again before the token ends (muster reads the new one by itself):

  kubectl -n muster-system create secret generic muster-hub --from-file hub.yaml --dry-run=client -o yaml |
    kubectl apply -f -

The configuration of the member names the file:

  registrar: { kubeconfig: /etc/muster/hub.yaml, namespace: NAMESPACE }`;
