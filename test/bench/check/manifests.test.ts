/** The manifests that the benchmark reads: a mixture, and the same however they lie. */
import { expect, test } from '@jest/globals';
import { dialectOf } from '../../../src/api/dialects.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { textAt } from '../../../src/rules/json.ts';
import { manifestFiles, oneFile } from './manifests.ts';

const files = manifestFiles(1000);
const reads = files.map(({ name, text }) => readDocuments(text, name));
const objects = reads.flatMap(({ documents }) => documents.map(({ value }) => value));
const broken = reads.flatMap(({ errors }) => errors);

test('as many as asked for, a few of them broken, as files and as one', () => {
  expect(objects.length + broken.length).toBe(1000);
  expect(broken).toHaveLength(2);
  const together = readDocuments(oneFile(files), 'all.yaml');
  expect(together.documents.map(({ value }) => value)).toEqual(objects);
  expect(together.errors).toHaveLength(broken.length);
});

test('our kinds among many of others; YAML and JSON; one and more to a file', () => {
  const kinds = new Set(objects.map((object) => textAt(object, ['kind'])));
  expect([...kinds].sort()).toEqual([
    'ClusterProfile',
    'ClusterProperty',
    'ConfigMap',
    'CustomResourceDefinition',
    'Deployment',
    'Feature',
    'InventoryCluster',
    'Role',
    'Service',
  ]);
  const ours = objects.filter((object) => {
    const [group = ''] = (textAt(object, ['apiVersion']) ?? '').split('/');
    return dialectOf(group, textAt(object, ['kind']) ?? '') !== undefined;
  });
  expect(ours.length / objects.length).toBeGreaterThan(0.2);
  expect(ours.length / objects.length).toBeLessThan(0.4);
  expect(files.filter(({ name }) => name.endsWith('.json')).length).toBeGreaterThan(20);
  expect(Math.max(...reads.map(({ documents }) => documents.length))).toBe(8);
});

test('the same at every run', () => {
  expect(manifestFiles(1000)).toEqual(files);
});
