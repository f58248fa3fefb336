/** `muster manifests --policies`: the policies as text, for a configuration, and flags that do not go with it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import type { ManifestsFlags } from '../../../src/cli/manifests/run.ts';
import { manifestsText } from '../../../src/cli/manifests/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-policies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flags: ManifestsFlags = { namespace: 'muster-system', replicas: 2, output: 'yaml', policies: true };

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly validationActions?: readonly string[];
    readonly matchConditions?: readonly { readonly name: string }[];
  };
}

async function printed(more: Partial<ManifestsFlags> = {}): Promise<Printed[]> {
  const text = await manifestsText({ ...flags, ...more });
  return parseAllDocuments(text).map((document) => document.toJSON() as Printed);
}

const bindings = (objects: readonly Printed[]) =>
  new Map(
    objects.flatMap(({ kind, metadata, spec }) =>
      kind.endsWith('Binding') ? [[metadata.name, spec.validationActions] as const] : [],
    ),
  );

test('prints policies and bindings, and nothing else', async () => {
  const objects = await printed();
  expect(objects.map(({ kind }) => kind)).not.toContain('Deployment');
  expect(bindings(objects).get('muster-claim-value-cluster-claim')).toEqual(['Deny']);
});

test('a configuration is put in: mode, actions, exemptions', async () => {
  const config = join(folder, 'muster.yaml');
  writeFileSync(
    config,
    'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\nmode: warn\nrules: { claim/value: ignore, claim/id-syntax: audit }\nexemptions: { groups: [break-glass] }\n',
  );
  const objects = await printed({ config });
  const found = bindings(objects);
  expect([...new Set([...found.values()].flat())].sort()).toEqual(['Audit', 'Warn']);
  expect([...found.keys()].filter((name) => name.startsWith('muster-claim-value'))).toEqual([]);
  const conditions = objects.flatMap(({ kind, spec }) => (kind.endsWith('Policy') ? [spec.matchConditions ?? []] : []));
  expect(conditions.every((all) => all.some(({ name }) => name === 'not-exempt-1'))).toBe(true);
});
