/** What the server may do: exactly what it needs. Asked by SubjectAccessReviews, which store nothing. */

import { dialects, lockLeaseOf } from '../../api/dialects.ts';
import { ClusterError } from '../../cluster/live/errors.ts';
import { at } from '../../rules/json.ts';
import { apply, type Examination } from './examination.ts';
import { whyNot } from './look.ts';
import { about, type Check } from './report.ts';

/** `resourceAttributes` of a SubjectAccessReview. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** What the server asks for: claims that tell of identity, by name, and its Leases. */
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

/** What would let whoever breaks into the server lift the guard, or read what is none of its business. */
export function excessRights({
  namespace,
  webhook,
  secret,
}: Pick<Examination, 'namespace' | 'webhook' | 'secret'>): readonly Right[] {
  const admission = 'admissionregistration.k8s.io';
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  return [
    { verb: 'update', group: admission, resource: 'validatingwebhookconfigurations', name: webhook },
    { verb: 'delete', group: admission, resource: 'validatingwebhookconfigurations', name: webhook },
    { verb: 'update', group: admission, resource: 'mutatingwebhookconfigurations', name: webhook },
    { verb: 'get', group: '', resource: 'secrets', name: secret, namespace },
    { verb: 'update', group: '', resource: 'secrets', name: secret, namespace },
    { verb: 'list', group: '', resource: 'secrets' },
    { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
    ...claims.map(({ group, plural: resource }) => ({ verb: 'update', group, resource })),
  ];
}

export async function checkPermissions(examination: Examination): Promise<readonly Check[]> {
  const { serverUser, namespace } = examination;
  const needed = about('permission/needed', `rights of ${serverUser}`);
  const excess = about('permission/excess', `rights of ${serverUser} beyond its need`);
  const remedy = apply(examination, 'rbac');
  try {
    const [wanted, unwanted] = [neededRights(namespace), excessRights(examination)];
    const answers = await Promise.all([...wanted, ...unwanted].map((right) => isAllowed(examination, right)));
    const missing = wanted.filter((_, index) => answers[index] === false);
    const tooMany = unwanted.filter((_, index) => answers[wanted.length + index] === true);
    return [
      missing.length === 0
        ? needed.ok('has all it needs')
        : needed.fail(`lacks ${missing.length} of ${wanted.length}: ${nameOf(missing[0])}`, remedy, detailsOf(missing)),
      tooMany.length === 0
        ? excess.ok('none that was looked for')
        : excess.warn(
            `may also ${tooMany.map(nameOf).join(', ')}`,
            `take them away: kubectl auth can-i --list --as ${serverUser} shows them all`,
            detailsOf(tooMany),
          ),
    ];
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    const { reason, remedy: help } = whyNot(error, 'create subjectaccessreviews.authorization.k8s.io');
    return [needed.unknown(reason, help)];
  }
}

async function isAllowed({ client, serverUser }: Examination, right: Right): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: serverUser, groups: groupsOf(serverUser), resourceAttributes: right },
  };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const answer = await client.call({ method: 'POST', path, body });
  return at(answer.body, ['status', 'allowed']) === true;
}

/** A service account's groups follow from its name; roles may be bound to them. */
function groupsOf(user: string): readonly string[] {
  const namespace = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user)?.[1];
  const accounts = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return [...accounts, 'system:authenticated'];
}

function detailsOf(rights: readonly Right[]) {
  return rights.map((right) => ({ message: nameOf(right) }));
}

function nameOf(right: Right | undefined): string {
  if (right === undefined) return '';
  const { verb, group, resource, name, namespace } = right;
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : ` ${name}`}${where}`;
}
