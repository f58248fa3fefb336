/** What the rules on ServiceImports say in CEL: ports, addresses with their families, the session affinity. */
import type { CelRule, CelValidation, CelVariable } from '../rule.ts';
import {
  isDnsLabel,
  isOldFault,
  listLiteral,
  listVariablesAt,
  member,
  noMoreDuplicates,
  oldName,
  variablesAt,
} from './expressions.ts';
import { listAt, unlessStored } from './shape-validations.ts';

const [NAME, NUMBER, PROTOCOL] = ['name', 'port', 'protocol'].map((key) => member('e', key)) as [
  string,
  string,
  string,
];
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const isSet = (value: string) => `!(${value} == null || ${value} == '')`;
/** The API server's decoder keeps numbers with a fraction as doubles, and those of CRDs without a schema. */
const IS_NUMBER =
  `((type(${NUMBER}) == int || (type(${NUMBER}) == double && ${NUMBER} >= 1.0 && ${NUMBER} <= 65535.0 && ` +
  `double(int(${NUMBER})) == ${NUMBER})) && ${NUMBER} >= 1 && ${NUMBER} <= 65535)`;
/** A protocol as ports are compared by it; a longer text is none. */
const COMPARED = `type(${PROTOCOL}) == string && size(${PROTOCOL}) <= 8`;

const IS_ADDRESS = '(type(e) == string && size(e) <= 64 && isIP(e))';
/** Upstream's CRD lets two in. Each is compared with each. */
const MOST_ADDRESSES = 8;
const WAS_HEADLESS_WITH_THEM = '(variables.specIpsStays && variables.oldIsHeadless)';

/** Of `spec.type`, `spec.sessionAffinity`, and the lists of ports, addresses and families, now and as stored. */
const variables: readonly CelVariable[] = [
  ...variablesAt(['spec', 'type']),
  { name: 'isHeadless', expression: "variables.specType == 'Headless'" },
  { name: 'oldIsHeadless', expression: "variables.oldSpecType == 'Headless'" },
  ...variablesAt(['spec', 'sessionAffinity']),
  ...listVariablesAt(['spec', 'ports']),
  ...listVariablesAt(['spec', 'ips'], MOST_ADDRESSES),
  ...['specIps', oldName('specIps')].map((name) => {
    // FD00::1 and fd00:0:0:0:0:0:0:1 are one address.
    const expression = `variables.${name}List.map(e, ${IS_ADDRESS} ? dyn(string(ip(e))) : e)`;
    return { name: `${name}Notation`, expression };
  }),
  ...listVariablesAt(['spec', 'ipFamilies'], MOST_ADDRESSES),
  ...['specPorts', oldName('specPorts')].flatMap((name) => [
    {
      name: `${name}Names`,
      expression: `variables.${name}List.filter(e, ${isDnsLabel(NAME)}).map(e, ${NAME})`,
    },
    {
      name: `${name}Numbers`,
      expression:
        `variables.${name}List.filter(e, ${IS_NUMBER} && (${PROTOCOL} == null || ${COMPARED}))` +
        `.map(e, [${isSet(PROTOCOL)} ? ${PROTOCOL} : 'TCP', ${NUMBER}])`,
    },
  ]),
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
const unique = (of: string) =>
  `(variables.specPortsStays || ${noMoreDuplicates(`variables.specPorts${of}`, `variables.oldSpecPorts${of}`)})`;

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
  { expression: unique('Names'), field: `${ports.field}.name`, messageId: 'name', data: { value: '…' } },
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
    expression: unique('Numbers'),
    field: `${ports.field}.port`,
    messageId: 'twice',
    data: { value: '…', protocol: '…' },
  },
];

const [ADDRESSES, OLD_ADDRESSES] = ['variables.specIpsList', 'variables.oldSpecIpsList'];
const [FAMILIES, OLD_FAMILIES] = ['variables.specIpFamiliesList', 'variables.oldSpecIpFamiliesList'];

/** That an address `e` at `i` is of the family at its place; with `beyond`, whether there has to be one. */
function isOfFamily(families: string, beyond: boolean): string {
  const own = "(ip(e).family() == 4 ? 'IPv4' : 'IPv6')";
  const isWithin = `(i < size(${families}) && ${families}[i] != null)`;
  const isRight = beyond ? isWithin : `(!${isWithin} || ${families}[i] == ${own})`;
  return `(!${IS_ADDRESS} || size(${families}) == 0 || ${isRight})`;
}

/** That each address is right, or was as wrong in the stored object. */
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
    expression: `(variables.specIpFamiliesStays || ${noMoreDuplicates(FAMILIES, OLD_FAMILIES)})`,
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

const [KEPT, BEFORE] = ['variables.specIpsNotation', 'variables.oldSpecIpsNotation'];
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
