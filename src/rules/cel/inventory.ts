/** CEL of the rules on inventory objects: on the manager, conditions and properties. */
import { clusterProperty } from '../../api/dialects.ts';
import { MANAGER_LABEL, MEMBER_ID_LABEL } from '../../api/labels.ts';
import { blankPattern } from '../../base/syntax.ts';
import type { CelExpressions, CelRule, CelValidation, CelVariable } from '../rule.ts';
import {
  isDateTime,
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isOldFault,
  type Lists,
  listVariablesAt,
  member,
  noMoreDuplicates,
  same,
  stringLiteral,
  variablePair,
  variablesAt,
} from './expressions.ts';

/**
 * The variables of the rules. `manager` is the name of the manager, or null if it is not a valid label value;
 * `oldManager` is that of the stored object.
 */
const variables: readonly CelVariable[] = [
  ...variablesAt(['spec', 'clusterManager', 'name']),
  ...variablePair('manager', 'specClusterManagerName', (name) => `${isLabelValue(name)} ? ${name} : null`),
  ...variablesAt(['metadata', 'labels', MANAGER_LABEL], 'label'),
  ...variablesAt(['metadata', 'labels', MEMBER_ID_LABEL], 'memberId'),
  ...variablesAt(['status', 'version', 'kubernetes'], 'version'),
  ...listVariablesAt(['status', 'conditions']),
  ...listVariablesAt(['status', 'properties']),
  ...variablePair('names', 'statusPropertiesList', namesIn),
];

/** The update adds the missing name of the manager to an object older than the webhook, and changes nothing else. */
export const GAINS_NAME =
  '(type(variables.specClusterManager) == map && type(variables.oldSpecClusterManager) == map && ' +
  "(variables.oldSpecClusterManagerName == null || variables.oldSpecClusterManagerName == '') && " +
  "(size(variables.oldSpecClusterManager) > 256 || variables.oldSpecClusterManager.all(k, k == 'name' || (k in " +
  'variables.specClusterManager ? variables.specClusterManager[k] : null) == ' +
  'variables.oldSpecClusterManager[k])))';

type Validations = CelExpressions['validations'];

/** Returns the CEL of a rule for both inventory dialects. @param profiles for ClusterProfile, if they differ */
export function forInventory(ours: Validations, omits?: string, profiles = ours): CelRule {
  const byDialect = {
    'inventory-cluster': { variables, validations: ours },
    'cluster-profile': { variables, validations: profiles },
  };
  return { byDialect, omits };
}

/** Returns the CEL of a rule for ClusterProfile alone. */
export function forProfiles(validations: Validations): CelRule {
  return { byDialect: { 'cluster-profile': { variables, validations } } };
}

const STATUS = member('e', 'status');
const TIME = member('e', 'lastTransitionTime');
/** A time that CEL can read: in the years 0000, 0001 and 9999 a zone offset could leave the range that CEL supports. */
const readable = (time: string): string => `(${isDateTime(time)} && !${time}.matches('^(000[01]|9999)'))`;
/** The stored conditions of the same type. Nothing is reported unless there is exactly one. */
const STORED = "variables.oldStatusConditionsList.filter(o, type(o) == map && 'type' in o && o.type == e.type)";
const OLD_STATUS = member('o', 'status');
const OLD_TIME = member('o', 'lastTransitionTime');
const SAME_STATUS = same(STATUS, OLD_STATUS, 8);
const SAME_TIME = `timestamp(${TIME}) == timestamp(${OLD_TIME})`;

const times = (messageId: 'kept' | 'moved'): CelValidation => {
  const wrong = messageId === 'kept' ? `!${SAME_STATUS} && ${SAME_TIME}` : `${SAME_STATUS} && !(${SAME_TIME})`;
  return {
    expression:
      `variables.statusConditionsList.all(e, type(e) != map || type(${member('e', 'type')}) != string || ` +
      `[${STORED}].all(b, size(b) != 1 || b.all(o, !${readable(TIME)} || !${readable(OLD_TIME)} || !(${wrong}))))`,
    field: 'status.conditions[].lastTransitionTime',
    messageId,
    data: { type: '…', status: '…' },
  };
};

export const CONDITION_TIMES: Validations = [times('kept'), times('moved')];

const [ID, OLDER_ID] = clusterProperty.claim.idNames;
const MEMBERSHIP = clusterProperty.claim.membershipName;

const LIST = 'variables.statusPropertiesList';
const BEFORE = 'variables.oldStatusPropertiesList';
const LISTS: Lists = { now: LIST, before: BEFORE, keys: ['name'] };

function isNamed(e: string): string {
  return `(type(${member(e, 'name')}) == string && ${member(e, 'name')} != '')`;
}

function namesIn(list: string): string {
  return `${list}.filter(e, ${isNamed('e')}).map(e, e.name)`;
}

const wasUnnamed = isOldFault(
  LISTS,
  (of) => member(of, 'name'),
  () => 'true',
);

/** That `status.properties` is a list whose entries have different names. */
export const properties: Validations = [
  {
    expression:
      'variables.statusProperties == null || type(variables.statusProperties) == list || ' +
      'variables.statusPropertiesStays',
    field: 'status.properties',
    messageId: 'list',
  },
  {
    expression: `${LIST}.all(i, e, ${isNamed('e')} || ${wasUnnamed})`,
    field: 'status.properties[].name',
    messageId: 'empty',
  },
  {
    expression: noMoreDuplicates('names'),
    field: 'status.properties[].name',
    messageId: 'twice',
    data: { name: '…' },
  },
];

/** That the id and the ClusterSet among the properties are valid, by the rules for the claims. */
export function knownProperties(olderSyntax: 'label' | 'subdomain'): Validations {
  const older = olderSyntax === 'label' ? isDnsLabel : isDnsSubdomain;
  const isId = (name: string, value: string): string =>
    `(${name} == ${stringLiteral(OLDER_ID)} ? ${older(value)} : ` +
    `(${name} == ${stringLiteral(ID)} ? ${isDnsSubdomain(value)} : true))`;
  const isSet = (name: string, value: string): string =>
    `(${name} == ${stringLiteral(MEMBERSHIP)} ? ` +
    `type(${value}) == string && !${value}.matches(r'${blankPattern}') : true)`;
  const good = (isFine: typeof isId, of: string): string => isFine(member(of, 'name'), member(of, 'value'));
  // The fault is old even if the name changes too, as long as the value is wrong for both names.
  const wasWrong = (of: string): string => `!(${good(isId, of)} && ${good(isSet, of)})`;
  const isOld = isOldFault(LISTS, (of) => member(of, 'value'), wasWrong);
  const values = (isFine: typeof isId, messageId: string): CelValidation => ({
    expression: `${LIST}.all(i, e, ${good(isFine, 'e')} || ${isOld})`,
    field: 'status.properties[].value',
    messageId,
  });
  return [values(isId, olderSyntax), values(isSet, 'empty')];
}
