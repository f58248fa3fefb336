/** The examples of every rule as inputs: where fuzzing begins. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Concept } from '../../../src/api/dialects.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import type { JsonObject } from '../../../src/rules/rule.ts';
import type { Example } from '../../rules/example.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** What test/fixtures holds of one concept, or of all. */
export function examplesOf(concept: Concept | ''): Example[] {
  const files = readdirSync(`${FIXTURES}${concept}`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.yaml'),
  );
  return files.sort().flatMap((file) => {
    const { documents } = readDocuments(readFileSync(`${FIXTURES}${concept}/${file}`, 'utf8'), file);
    return documents.map(({ value }) => value as unknown as Example);
  });
}

/** The AdmissionReview that an example stands for. */
export function reviewOf({ operation, subresource = '', user, dryRun = false, old, object }: Example): JsonObject {
  const written = operation === 'DELETE' ? old : object;
  const [group = '', version = ''] = String(written?.['apiVersion']).split('/');
  const { name = '', namespace = '' } = (written?.['metadata'] ?? {}) as { name?: string; namespace?: string };
  const { username = 'jane', groups = [] } = user ?? {};
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '6d9f1c3e-1d7c-4c8e-9f57-1f3c2c1f0a11',
      kind: { group, version, kind: String(written?.['kind']) },
      subResource: subresource,
      name,
      namespace,
      operation,
      userInfo: { username, groups },
      object: operation === 'DELETE' ? null : (object ?? null),
      oldObject: old ?? null,
      dryRun,
    },
  };
}
