/** What the rules on PlacementDecisions say in CEL: the references and the label of the index. */
import { DECISION_INDEX_LABEL } from '../../api/labels.ts';
import type { CelSaid, CelValidation, CelVariable } from '../rule.ts';
import { member, old, read, readList } from './expressions.ts';

/** The most entries of a list, as upstream's CRD has it. */
export const MOST_DECISIONS = 100;

/** `references` and `oldReferences`: namespace and name of each profile; `decisionIndex`. */
const variables: readonly CelVariable[] = [
  ...read(['metadata', 'namespace']),
  ...read(['metadata', 'labels', DECISION_INDEX_LABEL], 'decisionIndex'),
  ...readList(['decisions'], MOST_DECISIONS),
  ...['decisionsList', old('decisionsList')].map((list) => ({
    name: list === 'decisionsList' ? 'references' : 'oldReferences',
    expression: referencesIn(`variables.${list}`),
  })),
];

export function forPlacement(validation: CelValidation, lacks?: string): CelSaid {
  return { byDialect: { 'placement-decision': { variables, validations: [validation] } }, lacks };
}

/** Those that can be read. An empty namespace is the object's own. */
function referencesIn(list: string): string {
  const name = member('r', 'name');
  const namespace = member('r', 'namespace');
  const isSound = `type(${name}) == string && ${name} != '' && (${namespace} == null || type(${namespace}) == string)`;
  const own = `(${namespace} == null || ${namespace} == '' ? variables.metadataNamespace : ${namespace})`;
  return `${list}.map(e, ${member('e', 'clusterProfileRef')}).filter(r, ${isSound}).map(r, [${own}, ${name}])`;
}
