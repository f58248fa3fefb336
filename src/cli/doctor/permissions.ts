/** Checks that the server may do what it needs, and no more, by SubjectAccessReviews, which store nothing. */
import { claimDialects } from '../../api/dialects.ts';
import { at } from '../../base/json.ts';
import { shellQuoted } from '../../base/text.ts';
import { addressPath, type ObjectAddress } from '../../cluster/live/api-paths.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { partOf } from '../../manifests/installation.ts';
import { identityOf } from '../shared.ts';
import type { Installed } from './installed.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { resultsOf, type UnlinkedCheck, VERSION_CHECK } from './report.ts';
import { groupOf, rightTo, unknownFor } from './stored-objects.ts';

/** A verb on a resource. */
export type Right = ObjectAddress & { readonly verb: string };

interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns a check of the rights that are needed, and one of those that are not. */
export async function checkPermissions(context: DoctorContext): Promise<readonly UnlinkedCheck[]> {
  const { client, serverUser, programs } = context;
  const ofServer = { user: serverUser };
  const needed = resultsOf('permission/needed', `rights of ${serverUser}`);
  const excess = resultsOf('permission/excess', `rights of ${serverUser} that it does not need`);
  try {
    const wanted = neededRights(context);
    const [held, unneeded] = await Promise.all([
      heldRights(client, wanted, ofServer),
      heldRights(client, excessRights(context), ofServer),
    ]);
    const missing = wanted.flatMap((right) => (held.includes(right) ? [] : { message: rightTo(right.verb, right) }));
    const lacking = `lacks ${missing.length} of ${wanted.length}: ${missing[0]?.message}`;
    const more = { details: missing, after: ['installation/rbac', VERSION_CHECK] };
    const remedy = `remove them: ${programs.kubectl} auth can-i --list --as ${shellQuoted(serverUser)} shows them all`;
    return [
      missing.length === 0 ? needed.ok('complete') : needed.fail(lacking, grantRemedy(context), more),
      unneeded.length === 0
        ? excess.ok('none of those checked')
        : excess.warn(`may also ${unneeded.map((right) => rightTo(right.verb, right)).join(', ')}`, remedy),
    ];
  } catch (error) {
    const { reason, remedy } = unknownFor(onlyClusterErrors(error), 'create subjectaccessreviews.authorization.k8s.io');
    return [needed.unknown(reason, remedy)];
  }
}

/** Returns how to grant the rights. The manifests bind their roles only to the account of a server in the cluster. */
function grantRemedy(context: DoctorContext): string {
  const { serverUser } = context;
  if (serverUser === defaultUser(context)) return restore(context, 'rbac');
  const roles = partOf('rbac', context.options).flatMap(({ kind, metadata: { name, namespace } }) =>
    kind.endsWith('Role') ? [`the ${kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}`] : [],
  );
  return `bind to ${serverUser}: ${roles.join(', ')}`;
}

/** Returns the user name of the server that runs in the cluster. */
export function defaultUser({ namespace, names }: Installed): string {
  return `system:serviceaccount:${namespace}:${names.account}`;
}

/** Returns the rights that the roles of the manifests grant. */
function neededRights({ options }: DoctorContext): readonly Right[] {
  return partOf('rbac', options).flatMap(({ rules = [], metadata }) =>
    (rules as readonly RoleRule[]).flatMap(({ apiGroups, resources, resourceNames = [undefined], verbs }) => {
      const resource = { apiVersion: `${apiGroups[0]}/v1`, plural: resources[0] ?? '', namespace: metadata.namespace };
      return resourceNames.flatMap((name) => verbs.map((verb) => ({ verb, ...resource, ...(name && { name }) })));
    }),
  );
}

/** Returns rights that would let an attacker who controls the server disable the webhooks or read secrets. */
function excessRights({ namespace, names }: DoctorContext): readonly Right[] {
  const registration = { apiVersion: 'admissionregistration.k8s.io/v1', name: names.base };
  const secrets = { apiVersion: 'v1', plural: 'secrets' };
  return [
    { verb: 'update', plural: 'validatingwebhookconfigurations', ...registration },
    { verb: 'delete', plural: 'validatingwebhookconfigurations', ...registration },
    { verb: 'update', plural: 'mutatingwebhookconfigurations', ...registration },
    { verb: 'get', ...secrets, name: names.secret, namespace },
    { verb: 'update', ...secrets, name: names.secret, namespace },
    { verb: 'list', ...secrets },
    { verb: 'create', apiVersion: 'rbac.authorization.k8s.io/v1', plural: 'clusterrolebindings' },
    ...claimDialects.map(({ group, plural }) => ({ verb: 'update', apiVersion: `${group}/v1`, plural })),
  ];
}

/**
 * Returns the rights that a user has; default: the account of the client, which may always ask for its own.
 * @throws ClusterError if that can't be asked
 */
export async function heldRights(
  client: ApiClient,
  rights: readonly Right[],
  { user, ...limits }: { readonly user?: string; readonly timeoutMs?: number },
): Promise<readonly Right[]> {
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const subject = user === undefined ? {} : { user, groups: identityOf(user).groups };
  const apiVersion = 'authorization.k8s.io/v1';
  const path = addressPath({ apiVersion, plural: `${kind.toLowerCase()}s` });
  const answers = await Promise.all(
    rights.map((right) => {
      const { verb, plural: resource, name, namespace } = right;
      const spec = { ...subject, resourceAttributes: { verb, group: groupOf(right), resource, name, namespace } };
      const body = { apiVersion, kind, spec };
      return client.call({ method: 'POST', path, body, ...limits });
    }),
  );
  return rights.filter((_, index) => at(answers[index]?.body, ['status', 'allowed']) === true);
}
