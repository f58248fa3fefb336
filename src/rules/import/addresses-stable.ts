import { type JsonObject, listAt, textOf } from '../../base/json.ts';
import { canonicalIp } from '../../base/syntax.ts';
import { addressesStay, forImports } from '../cel/service.ts';
import { defineRule } from '../rule.ts';
import { ADDRESSES, isHeadless } from './import-fields.ts';

export const rule = defineRule({
  id: 'import/addresses-stable',
  on: ['UPDATE'],
  dialects: ['service-import'],
  ratchets: false,
  meta: {
    summary: 'A ServiceImport keeps its addresses, in their order, for as long as it exists.',
    fix:
      'Restore the former spec.ips; a further address may be added. To give up the addresses, delete the import and ' +
      'create it anew, or change its type to Headless.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #clustersetip',
    quote:
      'These IPs may be used clusterset-wide or assigned on a per-cluster basis, but is expected to be consistent ' +
      'for the life of a `ServiceImport` from the perspective of the importing cluster.',
    needs: ['object', 'oldObject'],
    why: 'The CRD belongs to another project, and a rule of its CEL would refuse what only deserves a warning.',
    messages: {
      gone:
        'no longer has the address "{{value}}", which consumers may still use; restore it for the life of the ' +
        'import',
      order: 'has its addresses in another order, "{{value}}" before; restore the order for the life of the import',
    },
  },
  cel: forImports(addressesStay),
  check({ object, oldObject }) {
    const before = addressesOf(oldObject);
    const after = addressesOf(object);
    if (after.size === 0 && isHeadless(object)) return [];
    const gone = [...before].find(([address]) => !after.has(address));
    if (gone !== undefined) return [{ path: ADDRESSES, messageId: 'gone', data: { value: gone[1] } }];
    const kept = [...after.keys()].filter((address) => before.has(address));
    if ([...before.keys()].every((address, index) => kept[index] === address)) return [];
    return [{ path: ADDRESSES, messageId: 'order', data: { value: [...before.values()].join(', ') } }];
  },
});

/** Returns the addresses that are texts, by their canonical notation, each with the first text that was written. */
function addressesOf(object: JsonObject | undefined): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const text of listAt(object, ADDRESSES).flatMap((address) => textOf(address) ?? [])) {
    const address = canonicalIp(text);
    if (!addresses.has(address)) addresses.set(address, text);
  }
  return addresses;
}
