import { at, type Json, type JsonObject, listAt, type Path } from '../../base/json.ts';
import { ipFamilyOf } from '../../base/syntax.ts';
import { forImports, importAddresses } from '../cel/service.ts';
import { defineRule, type Problem } from '../rule.ts';
import { ADDRESSES, isHeadless } from './import-fields.ts';

const FAMILIES: Path = ['spec', 'ipFamilies'];

export const rule = defineRule({
  id: 'import/addresses',
  on: ['CREATE', 'UPDATE'],
  dialects: ['service-import'],
  meta: {
    summary: 'The addresses of a ServiceImport are of its families, in their order; a Headless one has none.',
    fix:
      'List each family once in spec.ipFamilies, and in spec.ips one address for each, in the same order. Remove the ' +
      'addresses of a Headless import.',
    level: 'MUST',
    // Imports are written by a controller: if they were refused, users would have no service at all.
    pointLevels: { webhook: 'SHOULD' },
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #clustersetip',
    quote: 'The `IPs` field must correspond to the protocols defined in the `ipFamilies` field, if specified.',
    why: 'The CRD belongs to another project and checks none of it.',
    code: 422,
    messages: {
      list: 'must be a list, got "{{value}}"',
      family: 'names the family "{{value}}" a second time; list each family once',
      headless:
        'must be empty: a Headless import has no address of its own; remove the addresses, or correct spec.type',
      address: 'must be an IPv4 or IPv6 address, and no IPv4 address written as IPv6, got "{{value}}"',
      other: 'must be an address of the family "{{family}}", the one at its place in spec.ipFamilies, got "{{value}}"',
      more: 'has no family at its place in spec.ipFamilies, got "{{value}}"; list its family, or remove the address',
    },
  },
  cel: forImports(importAddresses),
  check({ object }) {
    const lists = [FAMILIES, ADDRESSES].map((path) => [path, at(object, path)] as const);
    const strange = lists.filter(([, value]) => value !== undefined && !Array.isArray(value));
    return [
      ...strange.map(([path, value]) => ({ path, messageId: 'list', data: { value } })),
      ...repeatedFamilies(listAt(object, FAMILIES)),
      ...addressProblems(object),
    ];
  },
});

function repeatedFamilies(families: readonly Json[]): readonly Problem[] {
  const seen = new Set<Json>();
  return families.flatMap((value, index) => {
    const isNew = seen.size < seen.add(value).size;
    return isNew ? [] : [{ path: [...FAMILIES, index], messageId: 'family', data: { value } }];
  });
}

function addressProblems(object: JsonObject): readonly Problem[] {
  const addresses = listAt(object, ADDRESSES);
  if (addresses.length > 0 && isHeadless(object)) return [{ path: ADDRESSES, messageId: 'headless' }];
  const families = listAt(object, FAMILIES);
  return addresses.flatMap((address, index) => {
    const problem = addressProblem(address, families[index] ?? undefined, families.length > 0);
    return problem === undefined ? [] : [{ path: [...ADDRESSES, index], ...problem }];
  });
}

/** @param isSpecified whether the import has any families */
function addressProblem(
  value: Json,
  family: Json | undefined,
  isSpecified: boolean,
): Omit<Problem, 'path'> | undefined {
  const own = typeof value === 'string' ? ipFamilyOf(value) : undefined;
  if (own === undefined) return { messageId: 'address', data: { value } };
  if (!isSpecified || own === family) return undefined;
  return family === undefined
    ? { messageId: 'more', data: { value } }
    : { messageId: 'other', data: { value, family } };
}
