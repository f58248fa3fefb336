/** CEL of the rules on ServiceImports: on ports, addresses and their families, and the session affinity. */
import type { CelRule, CelValidation, CelVariable } from '../rule.ts';
import {
  isDnsLabel,
  isOldFault,
  listLiteral,
  listVariablesAt,
  member,
  noMoreDuplicates,
  variablePair,
  variablesAt,
} from './expressions.ts';
import { listAt, unlessStored } from './shape-validations.ts';

const NAME = member('e', 'name');
const NUMBER = member('e', 'port');
const PROTOCOL = member('e', 'protocol');
/** The protocols of a port; the first is the default. */
export const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const isSet = (value: string) => `!(${value} == null || ${value} == '')`;
/** The API server's decoder makes doubles of numbers with a fraction, and of all numbers if a CRD has no schema. */
const IS_NUMBER =
  `((type(${NUMBER}) == int || (type(${NUMBER}) == double && ${NUMBER} >= 1.0 && ${NUMBER} <= 65535.0 && ` +
  `double(int(${NUMBER})) == ${NUMBER})) && ${NUMBER} >= 1 && ${NUMBER} <= 65535)`;
/** The protocol can be compared: it is a text, and not longer than any protocol. */
const COMPARED = `type(${PROTOCOL}) == string && size(${PROTOCOL}) <= 8`;

const IS_ADDRESS = '(type(e) == string && size(e) <= 64 && isIP(e))';
/** Upstream's CRD allows two. The expressions compare each with each. */
const MOST_ADDRESSES = 8;
const WAS_HEADLESS_WITH_THEM = '(variables.specIpsStays && variables.oldIsHeadless)';

/** Variables for the type, the session affinity, and the lists of ports, addresses and families. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['spec', 'type']),
  ...variablePair('isHeadless', 'specType', (type) => `${type} == 'Headless'`),
  ...variablesAt(['spec', 'sessionAffinity']),
  ...listVariablesAt(['spec', 'ports']),
  ...listVariablesAt(['spec', 'ips'], MOST_ADDRESSES),
  // As canonical texts: FD00::1 and fd00:0:0:0:0:0:0:1 are the same address.
  ...variablePair('specIpsNotation', 'specIpsList', (list) => `${list}.map(e, ${IS_ADDRESS} ? dyn(string(ip(e))) : e)`),
  ...listVariablesAt(['spec', 'ipFamilies'], MOST_ADDRESSES),
  ...variablePair(
    'specPortsNames',
    'specPortsList',
    (list) => `${list}.filter(e, ${isDnsLabel(NAME)}).map(e, ${NAME})`,
  ),
  ...variablePair('specPortsNumbers', 'specPortsList', (list) =>
    [
      `${list}.filter(e, ${IS_NUMBER} && (${PROTOCOL} == null || ${COMPARED}))`,
      `.map(e, [${isSet(PROTOCOL)} ? ${PROTOCOL} : 'TCP', ${NUMBER}])`,
    ].join(''),
  ),
];

export function forImports(validations: readonly CelValidation[], omits?: string): CelRule {
  return { byDialect: { 'service-import': { variables, validations } }, omits };
}

const ports = listAt(['spec', 'ports']);
const wasUnnamed = isOldFault(
  { ...ports, keys: [] },
  (of) => member(of, 'name'),
  (of) => `type(${of}) == map`,
);
const unique = (list: string) => `(variables.specPortsStays || ${noMoreDuplicates(list)})`;

export const importPorts: readonly CelValidation[] = [
  unlessStored(ports.name, ['spec', 'ports'], `type(variables.specPorts) == list`, { messageId: 'list' }),
  { expression: ports.all('type(e) == map'), field: ports.field, messageId: 'entry' },
  {
    expression: ports.all(`type(e) != map || !${isSet(NAME)} || ${isDnsLabel(NAME)}`, 'name'),
    field: `${ports.field}.name`,
    messageId: 'label',
  },
  {
    expression:
      `(variables.specPortsStays || size(${ports.now}) < 2 || ${ports.now}.all(i, e, type(e) != map || ` +
      `${isSet(NAME)} || ` +
      `(size(${ports.before}) > 1 && ${wasUnnamed})))`,
    field: `${ports.field}.name`,
    messageId: 'unnamed',
  },
  { expression: unique('specPortsNames'), field: `${ports.field}.name`, messageId: 'name', data: { value: '…' } },
  {
    expression: ports.all(`type(e) != map || ${IS_NUMBER}`, 'port'),
    field: `${ports.field}.port`,
    messageId: 'number',
  },
  {
    expression: ports.all(
      `type(e) != map || !${isSet(PROTOCOL)} || ${PROTOCOL} in ${listLiteral(PROTOCOLS)}`,
      'protocol',
    ),
    field: `${ports.field}.protocol`,
    messageId: 'protocol',
  },
  {
    expression: unique('specPortsNumbers'),
    field: `${ports.field}.port`,
    messageId: 'twice',
    data: { value: '…', protocol: '…' },
  },
];

const ADDRESSES = 'variables.specIpsList';
const OLD_ADDRESSES = 'variables.oldSpecIpsList';
const FAMILIES = 'variables.specIpFamiliesList';
const OLD_FAMILIES = 'variables.oldSpecIpFamiliesList';

/** That an address `e` has the family at its index `i`. With `beyond`: that there is a family at that index at all. */
function isOfFamily(families: string, beyond: boolean): string {
  const own = "(ip(e).family() == 4 ? 'IPv4' : 'IPv6')";
  const isWithin = `(i < size(${families}) && ${families}[i] != null)`;
  const isRight = beyond ? isWithin : `(!${isWithin} || ${families}[i] == ${own})`;
  return `(!${IS_ADDRESS} || size(${families}) == 0 || ${isRight})`;
}

/** That each address is valid, or was invalid in the stored object too. */
function addresses(isRight: (families: string) => string): string {
  const all = [IS_ADDRESS, isOfFamily(OLD_FAMILIES, false), isOfFamily(OLD_FAMILIES, true)].join(' && ');
  const hadIt = `${OLD_ADDRESSES}.exists(o, o == e)`;
  const wasWrong = `(!variables.oldIsHeadless && ${hadIt} && !${OLD_ADDRESSES}.all(i, e, ${all}))`;
  return `(variables.isHeadless || ${ADDRESSES}.all(i, e, ${isRight(FAMILIES)} || ${wasWrong}))`;
}

export const importAddresses: readonly CelValidation[] = [
  unlessStored('specIpFamilies', ['spec', 'ipFamilies'], 'type(variables.specIpFamilies) == list', {
    messageId: 'list',
  }),
  unlessStored('specIps', ['spec', 'ips'], 'type(variables.specIps) == list', { messageId: 'list' }),
  {
    expression: `(variables.specIpFamiliesStays || ${noMoreDuplicates('specIpFamiliesList')})`,
    field: 'spec.ipFamilies[]',
    messageId: 'family',
    data: { value: '…' },
  },
  {
    expression: `(!variables.isHeadless || size(${ADDRESSES}) == 0 || ${WAS_HEADLESS_WITH_THEM})`,
    field: 'spec.ips',
    messageId: 'headless',
  },
  { expression: addresses(() => IS_ADDRESS), field: 'spec.ips[]', messageId: 'address' },
  {
    expression: addresses((families) => isOfFamily(families, false)),
    field: 'spec.ips[]',
    messageId: 'other',
    data: { family: '…' },
  },
  { expression: addresses((families) => isOfFamily(families, true)), field: 'spec.ips[]', messageId: 'more' },
];

const KEPT = 'variables.specIpsNotation';
const BEFORE = 'variables.oldSpecIpsNotation';
const HAS_ALL = `${BEFORE}.all(o, type(o) != string || o in ${KEPT})`;
const IN_ORDER =
  `${BEFORE}.all(o, ${BEFORE}.all(p, ${BEFORE}.indexOf(o) >= ${BEFORE}.indexOf(p) || ` +
  `${KEPT}.indexOf(o) < ${KEPT}.indexOf(p)))`;
const GIVEN_UP = `(variables.isHeadless && size(${ADDRESSES}) == 0)`;

export const addressesStay: readonly CelValidation[] = [
  { expression: `${GIVEN_UP} || ${HAS_ALL}`, field: 'spec.ips', messageId: 'gone', data: { value: '…' } },
  {
    expression: `${GIVEN_UP} || !${HAS_ALL} || ${IN_ORDER}`,
    field: 'spec.ips',
    messageId: 'order',
    data: { value: '…' },
  },
];
