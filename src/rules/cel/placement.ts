/** What the rules on PlacementDecisions say in CEL: the references and the label of the index. */
import { DECISION_INDEX_LABEL } from '../../api/labels.ts';
import type { CelRule, CelValidation, CelVariable } from '../rule.ts';
import { listVariablesAt, member, oldName, variablesAt } from './expressions.ts';

/** The most entries of a list, as upstream's CRD has it. */
export const MOST_DECISIONS = 100;

/** `references` and `oldReferences`: namespace and name of each profile; `decisionIndex`. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['metadata', 'namespace']),
  ...variablesAt(['metadata', 'labels', DECISION_INDEX_LABEL], 'decisionIndex'),
  ...listVariablesAt(['decisions'], MOST_DECISIONS),
  ...['decisionsList', oldName('decisionsList')].map((list) => ({
    name: list === 'decisionsList' ? 'references' : 'oldReferences',
    expression: referencesIn(`variables.${list}`),
  })),
];

export function forPlacement(validation: CelValidation, omits?: string): CelRule {
  return { byDialect: { 'placement-decision': { variables, validations: [validation] } }, omits };
}

/** Those that can be read. An empty namespace is the object's own. */
function referencesIn(list: string): string {
  const name = member('r', 'name');
  const namespace = member('r', 'namespace');
  const isSound = `type(${name}) == string && ${name} != '' && (${namespace} == null || type(${namespace}) == string)`;
  const own = `(${namespace} == null || ${namespace} == '' ? variables.metadataNamespace : ${namespace})`;
  return `${list}.map(e, ${member('e', 'clusterProfileRef')}).filter(r, ${isSound}).map(r, [${own}, ${name}])`;
}
