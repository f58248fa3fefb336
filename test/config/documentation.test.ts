import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { policyOf } from '../../src/config/policy.ts';
import { configurationSchema, principalSchema } from '../../src/config/schema.ts';
import { readDocuments } from '../../src/documents/index.ts';
import { ruleIds } from '../../src/rules/index.ts';
import { isObject } from '../../src/rules/json.ts';
import type { Json } from '../../src/rules/rule.ts';

const text = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
const documented = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, key]) => String(key));
const examples = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => parsed(String(yaml)));

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: boolean | Node;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** Every key of a schema as the page writes it; the keys of a principal are documented once for all. */
function keysOf(node: Node, path = ''): string[] {
  if (node.properties === principalSchema.properties) return [];
  const own = Object.entries(node.properties ?? {}).flatMap(([key, member]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return [here, ...keysOf(member, here)];
  });
  const any = typeof node.additionalProperties === 'object' ? keysOf(node.additionalProperties, `${path}.*`) : [];
  const items = node.items ? keysOf(node.items, `${path}[]`) : [];
  return [...own, ...any, ...items, ...(node.anyOf ?? []).flatMap((each) => keysOf(each, path))];
}

function parsed(yaml: string): Record<string, Json> {
  const { documents, errors } = readDocuments(yaml, 'docs/configuration.md');
  expect([documents.length, errors]).toEqual([1, []]);
  return documents[0]?.value as Record<string, Json>;
}

/** Every key that stands in a value, written as the page writes it. */
function keysIn(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysIn(entry, `${path}[]`));
  if (!isObject(value)) return [];
  const isMap = path === 'rules' || path === 'inventory.managers';
  return Object.entries(value).flatMap(([key, member]) => {
    const here = path === '' ? key : `${path}.${isMap ? '*' : key}`;
    return [here, ...keysIn(member, here)];
  });
}

describe('docs/configuration.md', () => {
  const principalKeys = Object.keys(principalSchema.properties).map((key) => `principal.${key}`);
  const keys = [...keysOf(configurationSchema as Node), ...principalKeys].sort();

  test('documents each key of the schema once, and no other', () => {
    expect(keys.length).toBeGreaterThan(30);
    expect([...documented].sort()).toEqual(keys);
  });

  test('has an example of each key', () => {
    const shown = new Set(examples.flatMap((example) => keysIn(example)));
    const principals = ['user', 'group', 'serviceAccount'].filter((key) =>
      shown.has(`claims.membershipManagers[].${key}`),
    );
    const all = [...shown, ...principals.map((key) => `principal.${key}`)];
    expect(keys.filter((key) => !all.includes(key))).toEqual([]);
  });

  test('has examples that load without a warning', () => {
    const before = Date.UTC(2027, 0, 1);
    for (const example of examples) {
      const whole = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration', ...example };
      const { problems, warnings } = policyOf(whole, ruleIds, before);
      expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    }
  });

  test('describes each key in the schema too, for editors', () => {
    const bare = (node: Node, path: string): string[] =>
      Object.entries(node.properties ?? {}).flatMap(([key, member]) => [
        ...('description' in member ? [] : [`${path}.${key}`]),
        ...bare(member, `${path}.${key}`),
      ]);
    expect(bare(configurationSchema as Node, '')).toEqual([]);
  });
});
