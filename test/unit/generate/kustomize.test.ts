/** The kustomizations, which are written by hand, against the files beside them, of which most are generated. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { PARTS, PARTS_BY_URL } from '../../../src/manifests/names.ts';

const files = readdirSync('manifests', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml'));
const folders = [...new Set(files.map((file) => dirname(file)))];
const kustomization = (folder: string) => readFileSync(`manifests/${folder}/kustomization.yaml`, 'utf8');
const resourcesOf = (folder: string): string[] => parse(kustomization(folder)).resources;

describe.each(folders)('manifests/%s', (folder) => {
  test('names every file beside it, and no other', () => {
    const beside = files.filter((file) => dirname(file) === folder && !file.endsWith('/kustomization.yaml'));
    for (const file of beside) expect(kustomization(folder)).toContain(file.slice(folder.length + 1));
    for (const resource of resourcesOf(folder).filter((one) => one.endsWith('.yaml')))
      expect(beside).toContain(`${folder}/${resource}`);
  });

  test('has one patch in a file: kubectl before 1.31 refuses several', () => {
    const patches: { path?: string }[] = parse(kustomization(folder)).patches ?? [];
    for (const { path } of patches.filter((patch) => patch.path !== undefined))
      expect(parseAllDocuments(readFileSync(`manifests/${folder}/${path}`, 'utf8'))).toHaveLength(1);
  });
});

test('the base has every part, the overlay for a server outside those it needs', () => {
  const place = (part: string) => `${part}.yaml`;
  expect(resourcesOf('base')).toEqual(PARTS.map(place));
  expect(resourcesOf('overlays/url')).toEqual([...PARTS_BY_URL.map(place), 'address.yaml']);
});
