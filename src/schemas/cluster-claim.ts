/** ClusterClaim, ours (KEP-2149). CEL at the root sees metadata.name, so the well-known claims get rules of their own. */
import { claimShape } from './claim-shape.ts';
import { clusterClaim } from './dialects.ts';
import type { KindSchema } from './kind.ts';
import type { Validation } from './schema.ts';

const { idNames, membershipName, valueLimit } = clusterClaim.claim;
const isId = `self.metadata.name in ${JSON.stringify(idNames)}`;
const DNS_LABEL = '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$';

const validations: readonly Validation[] = [
  {
    // An id that is older than this rule and stays as it is passes: only a change is judged.
    rule: `!(${isId}) || self.spec.value.matches('${DNS_LABEL}') || (oldSelf.hasValue() && has(oldSelf.value().spec) && has(oldSelf.value().spec.value) && oldSelf.value().spec.value == self.spec.value)`,
    message:
      'the id must be an RFC 1123 DNS label: at most 63 of a-z, 0-9 and "-", beginning and ending with a letter or digit',
    fieldPath: '.spec.value',
    optionalOldSelf: true,
  },
  {
    rule: `self.metadata.name != '${membershipName}' || !has(oldSelf.spec) || !has(oldSelf.spec.value) || self.spec.value == oldSelf.spec.value`,
    message: `the value of ${membershipName} never changes: delete the claim to leave the ClusterSet, then create it anew to join another`,
    reason: 'FieldValueForbidden',
    fieldPath: '.spec.value',
  },
];

export const clusterClaimV1alpha1: KindSchema = {
  dialect: clusterClaim,
  version: 'v1alpha1',
  typeName: 'ClusterClaim',
  schema: { ...claimShape('ClusterClaim', valueLimit), 'x-kubernetes-validations': validations },
};
