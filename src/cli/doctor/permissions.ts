/** Checks that the server may do what it needs, and no more, by SubjectAccessReviews, which store nothing. */
import { dialects, lockLeaseOf } from '../../api/dialects.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { at } from '../../rules/json.ts';
import { identityOf } from '../shared.ts';
import { applyCommand, type DoctorContext } from './context.ts';
import { unknownFor } from './read.ts';
import { type Check, resultsOf } from './report.ts';

/** `resourceAttributes` of a SubjectAccessReview. */
interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Returns the rights that the server needs: to read the claims of an identity by name, and to write its Leases. */
export function neededRights(namespace: string): readonly Right[] {
  return dialects.flatMap((dialect) => {
    if (dialect.claim === undefined) return [];
    const { idNames, membershipName } = dialect.claim;
    const { group, plural: resource } = dialect;
    const lease = { group: 'coordination.k8s.io', resource: 'leases', name: lockLeaseOf(dialect), namespace };
    return [
      ...[...idNames, membershipName].map((name) => ({ verb: 'get', group, resource, name })),
      { verb: 'get', ...lease },
      { verb: 'update', ...lease },
    ];
  });
}

/** Returns rights with which somebody who controls the server could disable the webhooks or read secrets. */
function excessRights({ namespace, webhook, secret }: DoctorContext): readonly Right[] {
  const group = 'admissionregistration.k8s.io';
  const secrets = { group: '', resource: 'secrets' };
  return [
    ...['update', 'delete'].map((verb) => ({
      verb,
      group,
      resource: 'validatingwebhookconfigurations',
      name: webhook,
    })),
    { verb: 'update', group, resource: 'mutatingwebhookconfigurations', name: webhook },
    ...['get', 'update'].map((verb) => ({ verb, ...secrets, name: secret, namespace })),
    { verb: 'list', ...secrets },
    { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
    ...dialects.flatMap((each) => (each.claim ? [{ verb: 'update', group: each.group, resource: each.plural }] : [])),
  ];
}

/** Returns a check of the rights that are needed, and one of those that are not. */
export async function checkPermissions(context: DoctorContext): Promise<readonly Check[]> {
  const { serverUser } = context;
  const needed = resultsOf('permission/needed', `rights of ${serverUser}`);
  const excess = resultsOf('permission/excess', `rights of ${serverUser} that it does not need`);
  try {
    const wanted = neededRights(context.namespace);
    const [held, unneeded] = await Promise.all([heldOf(context, wanted), heldOf(context, excessRights(context))]);
    const missing = wanted.filter((right) => !held.includes(right));
    const remedy = `remove them: kubectl auth can-i --list --as ${serverUser} shows them all`;
    return [
      missing.length === 0
        ? needed.ok('complete')
        : needed.fail(
            `lacks ${missing.length} of ${wanted.length}: ${missing.slice(0, 1).map(nameOf)}`,
            applyCommand(context, 'rbac'),
            missing.map((right) => ({ message: nameOf(right) })),
          ),
      unneeded.length === 0
        ? excess.ok('none that was looked for')
        : excess.warn(`may also ${unneeded.map(nameOf).join(', ')}`, remedy),
    ];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const { reason, remedy } = unknownFor(error, 'create subjectaccessreviews.authorization.k8s.io');
    return [needed.unknown(reason, remedy)];
  }
}

/** Returns the rights that the server has. Throws ClusterError if that can't be asked. */
async function heldOf({ client, serverUser }: DoctorContext, rights: readonly Right[]): Promise<readonly Right[]> {
  const { groups } = identityOf(serverUser);
  const answers = await Promise.all(
    rights.map((resourceAttributes) =>
      client.call({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user: serverUser, groups, resourceAttributes },
        },
      }),
    ),
  );
  return rights.filter((_, index) => at(answers[index]?.body, ['status', 'allowed']) === true);
}

function nameOf({ verb, group, resource, name, namespace }: Right): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return [verb, kind, name, namespace && `in ${namespace}`].filter(Boolean).join(' ');
}
