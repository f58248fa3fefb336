/** docs/operations.md and docs/how-to/uninstall.md against what there is: parts and overlays that they name. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { OPTIONAL_PARTS, PARTS } from '../../../src/manifests/names.ts';

const text = readFileSync('docs/operations.md', 'utf8');
const uninstall = readFileSync('docs/how-to/uninstall.md', 'utf8');
const ALL: readonly string[] = [...PARTS, ...OPTIONAL_PARTS];

test('every overlay is named, and every part is explained', () => {
  for (const overlay of readdirSync('manifests/overlays')) expect(text).toContain(`manifests/overlays/${overlay}`);
  const installed = text.split(/^##+ /m).find((part) => part.startsWith('What is installed')) ?? '';
  const rows = [...installed.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, part]) => part);
  expect(rows).toEqual(ALL);
});

test('the values of --only are parts', () => {
  const values = [...(text + uninstall).matchAll(/--only ([a-z,-]+)/g)].flatMap(([, parts]) =>
    (parts ?? '').split(','),
  );
  expect(values).toEqual(expect.arrayContaining(['webhooks', 'crds']));
  for (const part of values) expect(ALL).toContain(part);
});

test('uninstalling in its three steps takes every part but the definitions', () => {
  const section = uninstall.slice(0, uninstall.indexOf('## With Helm'));
  const taken = [...section.matchAll(/--only ([a-z,-]+)/g)].flatMap(([, parts]) => (parts ?? '').split(','));
  expect([...taken, 'crds'].sort()).toEqual([...ALL].sort());
});
