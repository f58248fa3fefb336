import { absent } from '../cel/text.ts';
import { metadataOf, textOf } from '../json.ts';
import { defineRule } from '../rule.ts';
import { NAME } from './reading.ts';

/** The API server cuts a prefix to this, so that prefix and its five random characters fit a DNS label. */
const LONGEST_PREFIX = 58;

export const rule = defineRule({
  id: 'inventory/generated-name',
  on: ['CREATE'],
  meta: {
    summary: 'The API server generates the names of inventory objects.',
    fix: 'Remove metadata.name and set metadata.generateName. Create the object with kubectl create: kubectl apply needs a name.',
    level: 'ADVICE',
    source: 'KEP-4322 #example-1',
    quote:
      'The `metadata.name` of the cluster should never be set upon creation. Only `metadata.generateName` can be set.',
    why: 'A CRD knows no advice.',
    code: 422,
    messages: { named: 'should be left to the API server; set metadata.generateName instead, got "{{name}}"' },
  },
  cel: absent.advice,
  check({ object }) {
    const metadata = metadataOf(object);
    const name = textOf(metadata?.['name']);
    const prefix = textOf(metadata?.['generateName'])?.slice(0, LONGEST_PREFIX);
    // By the time it is validated, a generated name is filled in: then it begins with generateName.
    if (name === undefined || name === '' || (prefix && name.startsWith(prefix))) return [];
    return [{ path: NAME, messageId: 'named', data: { name } }];
  },
});
