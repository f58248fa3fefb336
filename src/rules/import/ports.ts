import { at, isObject, isUnquoted, type Json, type Path } from '../../base/json.ts';
import { isDnsLabel } from '../../base/syntax.ts';
import { forImports, importPorts, PROTOCOLS } from '../cel/service.ts';
import { OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type Problem } from '../rule.ts';
import { unlessEmpty } from './import-fields.ts';

const PORTS: Path = ['spec', 'ports'];

export const rule = defineRule({
  id: 'import/ports',
  on: ['CREATE', 'UPDATE'],
  dialects: ['service-import'],
  meta: {
    summary: 'The ports of a ServiceImport have unique names and numbers, as those of a Service do.',
    fix:
      'Name each port by a DNS label of its own; a single port may have no name. List each number once for TCP, UDP ' +
      'or SCTP.',
    level: 'MUST',
    // Imports are written by a controller: if they were refused, users would have no service at all.
    pointLevels: { webhook: 'SHOULD' },
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #importing-services',
    quote:
      'The name of this port within the service. This must be a DNS_LABEL. // All ports within a ServiceSpec must ' +
      'have unique names.',
    why: 'The CRD belongs to another project and checks none of it.',
    code: 422,
    messages: {
      list: 'must be a list of ports, got "{{value}}"',
      entry: 'must be a port with its number, got "{{value}}"',
      label: 'must be a DNS label (a-z, 0-9, "-", at most 63, with a letter or digit at both ends), got "{{value}}"',
      quotes: 'must be a DNS label as a string, got {{value}}; put it in quotes',
      unnamed: 'is missing; only a single port may have no name: name each port',
      name: 'is "{{value}}" like the name of an earlier port; give each port a name of its own',
      number: 'must be a whole number from 1 to 65535, got "{{value}}"',
      protocol: 'must be TCP, UDP or SCTP, got "{{value}}"; leave it out for TCP',
      twice: 'is {{value}} for {{protocol}} like an earlier port; list each port once',
    },
  },
  cel: forImports(importPorts, OMITTED_FROM_LISTS),
  check({ object }) {
    const ports = at(object, PORTS);
    if (ports === undefined) return [];
    if (!Array.isArray(ports)) return [{ path: PORTS, messageId: 'list', data: { value: ports } }];
    const isOnly = ports.length === 1;
    return [...ports.flatMap((port, index) => problemsOf(port, [...PORTS, index], isOnly)), ...repeatedIn(ports)];
  },
});

/** Reports the problems of one port by itself. */
function problemsOf(port: Json, path: Path, isOnly: boolean): readonly Problem[] {
  if (!isObject(port)) return [{ path, messageId: 'entry', data: { value: port } }];
  const { name, protocol, number } = partsOf(port);
  const of = (key: string, messageId: string, value?: Json): Problem => {
    return { path: [...path, key], messageId, data: { value } };
  };
  const isLabel = typeof name === 'string' && isDnsLabel(name);
  const isNumber = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 65_535;
  return [
    ...(name === undefined && !isOnly ? [of('name', 'unnamed')] : []),
    ...(name !== undefined && !isLabel ? [of('name', isUnquoted(name) ? 'quotes' : 'label', name)] : []),
    ...(PROTOCOLS.some((one) => one === protocol) ? [] : [of('protocol', 'protocol', protocol)]),
    ...(isNumber ? [] : [of('port', 'number', number)]),
  ];
}

/**
 * Reports each name, and each number of a protocol, beyond the first. `problemsOf` is called before it, so that an
 * invalid name or number is reported as that.
 */
function repeatedIn(ports: readonly Json[]): readonly Problem[] {
  const seen = new Set<string>();
  const isRepeated = (...key: readonly (Json | undefined)[]) => seen.size === seen.add(JSON.stringify(key)).size;
  return ports.flatMap((port, index): readonly Problem[] => {
    const { name, protocol, number } = partsOf(port);
    const problems: Problem[] = [];
    if (name !== undefined && isRepeated(name))
      problems.push({ path: [...PORTS, index, 'name'], messageId: 'name', data: { value: name } });
    if (number !== undefined && isRepeated(protocol, number))
      problems.push({ path: [...PORTS, index, 'port'], messageId: 'twice', data: { value: number, protocol } });
    return problems;
  });
}

/** Returns the parts of a port that are compared. Empty texts are absent, and the default protocol is TCP. */
function partsOf(port: Json) {
  const [name, protocol = 'TCP'] = ['name', 'protocol'].map((key) => unlessEmpty(at(port, [key])));
  return { name, protocol, number: at(port, ['port']) };
}
