import { forClaims } from '../cel/claim.ts';
import { listLiteral, stringLiteral } from '../cel/expressions.ts';
import { type Context, defineRule, NAME } from '../rule.ts';
import { isId, isMembership } from './claim-fields.ts';

/** `sigs.k8s.io` is under the first. `k8s.io`, `foo.x-k8s.io` and `fookubernetes.io` are under neither. */
export const RESERVED = ['.k8s.io', '.kubernetes.io'];
const UNDER = RESERVED.map(
  (suffix) =>
    `(object.metadata.name.endsWith(${stringLiteral(suffix)}) && size(object.metadata.name) > ${suffix.length})`,
);

export const rule = defineRule({
  id: 'claim/reserved-name',
  on: ['CREATE'],
  // An add-on of OCM derives claims from labels, such as those under kubernetes.io.
  dialectActions: { 'ocm-cluster-claim': 'warn' },
  meta: {
    summary: 'Names under k8s.io and kubernetes.io are reserved for Kubernetes and related projects.',
    fix:
      'Choose a name under a domain of your own, such as region.example.com. If a Kubernetes project defines the ' +
      'claim, list its name in claims.allowedReservedNames.',
    level: 'MUST',
    source: 'KEP-2149 #additional-claims',
    quote: '`*.k8s.io`, `*.kubernetes.io`, and `sigs.k8s.io` claims are reserved for Kubernetes and related projects.',
    why: 'Which reserved names are allowed is configured, and a CRD has no configuration.',
    messages: {
      reserved:
        '"{{name}}" is reserved for Kubernetes and related projects; use a domain of your own, such as ' +
        '{{first}}.example.com, or list the name in claims.allowedReservedNames',
    },
  },
  cel: forClaims(
    ({ idNames, membershipName }) => ({
      matchConditions: [UNDER.join(' || ')],
      validations: [
        {
          expression:
            `object.metadata.name in ${listLiteral([...idNames, membershipName])} || ` +
            `variables.allowed.exists(a, a == object.metadata.name || (a.startsWith('*.') && ` +
            'object.metadata.name.endsWith(a.substring(1)) && size(object.metadata.name) >= size(a)))',
          field: 'metadata.name',
          messageId: 'reserved',
          dataExpressions: { name: 'object.metadata.name', first: "object.metadata.name.split('.')[0]" },
        },
      ],
    }),
    '`claims.allowedReservedNames`, if the policy is printed without a configuration',
  ),
  check(context) {
    const { name } = context;
    if (!isReserved(name) || isMembership(context) || isId(context) || isAllowed(context)) return [];
    return [{ path: NAME, messageId: 'reserved', data: { name, first: name.split('.')[0] } }];
  },
});

function isReserved(name: string): boolean {
  return RESERVED.some((suffix) => name.endsWith(suffix) && name.length > suffix.length);
}

function isAllowed({ name, settings }: Context): boolean {
  return settings.claims.allowedReservedNames.some((allowed) =>
    allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) && name.length >= allowed.length : name === allowed,
  );
}
