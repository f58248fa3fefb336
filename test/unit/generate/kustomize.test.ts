import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { kinds } from '../../../src/api/index.ts';
import { kustomize } from '../../../src/generate/kustomize.ts';
import { PARTS, PARTS_BY_URL } from '../../../src/manifests/installation.ts';

const files = kustomize(kinds, '1.2.3');
const folders = [...new Set(files.map(({ path }) => dirname(path)))];
const named = (path: string) => files.find((file) => file.path === path)?.text ?? '';
const resourcesOf = (folder: string): string[] =>
  parseAllDocuments(named(`${folder}/kustomization.yaml`))[0]?.toJS().resources;

describe.each(folders)('%s', (folder) => {
  test('names every file beside it, and no other', () => {
    const kustomization = named(`${folder}/kustomization.yaml`);
    const beside = files.map(({ path }) => path).filter((path) => dirname(path) === folder);
    for (const path of beside.filter((one) => !one.endsWith('/kustomization.yaml')))
      expect(kustomization).toContain(path.slice(folder.length + 1));
    for (const resource of resourcesOf(folder).filter((one) => one.endsWith('.yaml')))
      expect(beside).toContain(`${folder}/${resource}`);
  });
});

test('the base has every part, the overlay for a server outside those it needs', () => {
  const place = (part: string) => `${part}.yaml`;
  expect(resourcesOf('manifests/base')).toEqual(PARTS.map(place));
  expect(resourcesOf('manifests/overlays/url')).toEqual([...PARTS_BY_URL.map(place), 'address.yaml']);
});
