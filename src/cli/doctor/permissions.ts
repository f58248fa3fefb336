/** Checks that the server may do what it needs, and no more, by SubjectAccessReviews, which store nothing. */
import { dialects } from '../../api/dialects.ts';
import { at } from '../../base/json.ts';
import { onlyClusterErrors } from '../../cluster/live/errors.ts';
import { partOf } from '../../manifests/installation.ts';
import { identityOf } from '../shared.ts';
import { VERSION } from './causes.ts';
import { type Resource, rightTo, unknownFor } from './read.ts';
import { type DoctorContext, restore } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

type Right = Resource & { readonly verb: string };

interface RoleRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns a check of the rights that are needed, and one of those that are not. */
export async function checkPermissions(context: DoctorContext): Promise<readonly Finding[]> {
  const { serverUser } = context;
  const needed = resultsOf('permission/needed', `rights of ${serverUser}`);
  const excess = resultsOf('permission/excess', `rights of ${serverUser} that it does not need`);
  try {
    const wanted = neededRights(context);
    const [held, unneeded] = await Promise.all([heldOf(context, wanted), heldOf(context, excessRights(context))]);
    const missing = wanted.flatMap((right) => (held.includes(right) ? [] : { message: rightTo(right.verb, right) }));
    const lacking = `lacks ${missing.length} of ${wanted.length}: ${missing[0]?.message}`;
    const more = { details: missing, after: ['installation/rbac', VERSION] };
    const remedy = `remove them: kubectl auth can-i --list --as ${serverUser} shows them all`;
    return [
      missing.length === 0 ? needed.ok('complete') : needed.fail(lacking, restore(context, 'rbac'), more),
      unneeded.length === 0
        ? excess.ok('none that was looked for')
        : excess.warn(`may also ${unneeded.map((right) => rightTo(right.verb, right)).join(', ')}`, remedy),
    ];
  } catch (error) {
    const { reason, remedy } = unknownFor(onlyClusterErrors(error), 'create subjectaccessreviews.authorization.k8s.io');
    return [needed.unknown(reason, remedy)];
  }
}

/** Returns the rights that the roles of the manifests grant. */
function neededRights({ namespace, names, reads }: DoctorContext): readonly Right[] {
  return partOf('rbac', { namespace, name: names.base, ...(reads && { reads }) }).flatMap(({ rules = [], metadata }) =>
    (rules as readonly RoleRule[]).flatMap(({ apiGroups, resources, resourceNames = [undefined], verbs }) => {
      const resource = { apiVersion: `${apiGroups[0]}/v1`, plural: resources[0] ?? '', namespace: metadata.namespace };
      return resourceNames.flatMap((name) => verbs.map((verb) => ({ verb, ...resource, ...(name && { name }) })));
    }),
  );
}

/** Returns rights with which somebody who controls the server could disable the webhooks or read secrets. */
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
    ...dialects.flatMap(({ claim, group, plural }) =>
      claim ? [{ verb: 'update', apiVersion: `${group}/v1`, plural }] : [],
    ),
  ];
}

/** Returns the rights that the server has. Throws ClusterError if that can't be asked. */
async function heldOf({ client, serverUser: user }: DoctorContext, rights: readonly Right[]) {
  const { groups } = identityOf(user);
  const type = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const answers = await Promise.all(
    rights.map(({ verb, apiVersion, plural: resource, name, namespace }) => {
      const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
      const spec = { user, groups, resourceAttributes: { verb, group, resource, name, namespace } };
      return client.call({ method: 'POST', path, body: { ...type, spec } });
    }),
  );
  return rights.filter((_, index) => at(answers[index]?.body, ['status', 'allowed']) === true);
}
