/** What the rules on `status.properties` say in CEL, entry by entry. What a stored entry has too is passed over. */
import { clusterProperty } from '../../api/dialects.ts';
import { blankPattern } from '../syntax.ts';
import type { CelExpressions, CelValidation } from './cel.ts';
import { isDnsLabel, isDnsSubdomain, isOldFault, type Lists, member, noMoreTwins, readList, text } from './text.ts';

const [ID, OLDER_ID] = clusterProperty.claim.idNames;
const MEMBERSHIP = clusterProperty.claim.membershipName;

const LIST = 'variables.statusPropertiesList';
const BEFORE = 'variables.oldStatusPropertiesList';
const LISTS: Lists = { now: LIST, before: BEFORE, keys: ['name'] };
const PROPERTIES = readList(['status', 'properties']);

function isNamed(e: string): string {
  return `(type(${member(e, 'name')}) == string && ${member(e, 'name')} != '')`;
}

/** A list whose entries have names, no two the same. */
export const properties: CelExpressions = {
  variables: [
    ...PROPERTIES,
    { name: 'names', expression: `${LIST}.filter(e, ${isNamed('e')}).map(e, e.name)` },
    { name: 'oldNames', expression: `${BEFORE}.filter(e, ${isNamed('e')}).map(e, e.name)` },
  ],
  validations: [
    {
      expression:
        'variables.statusProperties == null || type(variables.statusProperties) == list || variables.statusPropertiesStays',
      field: 'status.properties',
      messageId: 'list',
    },
    {
      expression: `${LIST}.all(i, e, ${isNamed('e')} || ${isOldFault(
        LISTS,
        (of) => member(of, 'name'),
        () => 'true',
      )})`,
      field: 'status.properties[].name',
      messageId: 'empty',
    },
    {
      expression: noMoreTwins('variables.names', 'variables.oldNames'),
      field: 'status.properties[].name',
      messageId: 'twice',
      data: { name: '…' },
    },
  ],
};

/** The id and the ClusterSet, under their well-known names, read as their claims do. */
export function knownProperties(olderSyntax: 'label' | 'subdomain'): CelExpressions {
  const older = olderSyntax === 'label' ? isDnsLabel : isDnsSubdomain;
  const isId = (name: string, value: string): string =>
    `(${name} == ${text(OLDER_ID)} ? ${older(value)} : (${name} == ${text(ID)} ? ${isDnsSubdomain(value)} : true))`;
  const isSet = (name: string, value: string): string =>
    `(${name} == ${text(MEMBERSHIP)} ? type(${value}) == string && !${value}.matches(r'${blankPattern}') : true)`;
  const good = (isFine: typeof isId, of: string): string => isFine(member(of, 'name'), member(of, 'value'));
  // A name may change beside a value that is as bad for either.
  const wasWrong = (of: string): string => `!(${good(isId, of)} && ${good(isSet, of)})`;
  const isOld = isOldFault(LISTS, (of) => member(of, 'value'), wasWrong);
  const values = (isFine: typeof isId, messageId: string): CelValidation => ({
    expression: `${LIST}.all(i, e, ${good(isFine, 'e')} || ${isOld})`,
    field: 'status.properties[].value',
    messageId,
  });
  return { variables: PROPERTIES, validations: [values(isId, olderSyntax), values(isSet, 'empty')] };
}
