/** CEL of the rules on PlacementDecisions: on the references and the label with the index. */
import { DECISION_INDEX_LABEL } from '../../api/labels.ts';
import type { CelRule, CelValidation, CelVariable } from '../rule.ts';
import { listVariablesAt, member, variablePair, variablesAt } from './expressions.ts';

/** The limit of upstream's CRD. */
export const MOST_DECISIONS = 100;

/** `references` and `oldReferences`: the namespace and name of each profile; `decisionIndex`: the label. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['metadata', 'namespace']),
  ...variablesAt(['metadata', 'labels', DECISION_INDEX_LABEL], 'decisionIndex'),
  ...listVariablesAt(['decisions'], MOST_DECISIONS),
  ...variablePair('references', 'decisionsList', referencesIn),
];

export function forPlacement(validation: CelValidation, omits?: string): CelRule {
  return { byDialect: { 'placement-decision': { variables, validations: [validation] } }, omits };
}

/** The valid references. An empty namespace means that of the object. */
function referencesIn(list: string): string {
  const name = member('r', 'name');
  const namespace = member('r', 'namespace');
  const isSound = `type(${name}) == string && ${name} != '' && (${namespace} == null || type(${namespace}) == string)`;
  const own = `(${namespace} == null || ${namespace} == '' ? variables.metadataNamespace : ${namespace})`;
  return `${list}.map(e, ${member('e', 'clusterProfileRef')}).filter(r, ${isSound}).map(r, [${own}, ${name}])`;
}
