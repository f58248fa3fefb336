/**
 * The CustomResourceDefinitions of every kind muster evaluates: ours as published, the others' loose and of our own
 * writing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Dialect, dialects } from '../../../../src/api/dialects.ts';

/**
 * `foreign`: without ours. `published`: ours as `manifests/crds` has them. `loose`: ours without a schema too, so that
 * every shape reaches muster.
 */
export type CrdChoice = 'foreign' | 'published' | 'loose';

const PUBLISHED = new URL('../../../../manifests/crds/', import.meta.url);

export function definitionsOf(choice: CrdChoice): object[] {
  const loose = dialects.filter(({ ours }) => choice === 'loose' || !ours).map((dialect) => looseDefinition(dialect));
  return choice === 'published' ? [...publishedDefinitions(), ...loose] : loose;
}

function publishedDefinitions(): object[] {
  const files = readdirSync(PUBLISHED).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  return files.map((name) => parse(readFileSync(new URL(name, PUBLISHED), 'utf8')) as object);
}

type Kind = Pick<Dialect, 'group' | 'kind' | 'plural' | 'scope' | 'versions'> & { readonly concept?: string };

/** Returns a CRD: every version is served, the newest is stored; whatever is in an object stays in it. */
export function looseDefinition({ group, kind, plural, scope, versions, concept = 'claim' }: Kind): object {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server asks for it where a group ends in k8s.io.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === versions.length - 1,
        schema: { openAPIV3Schema },
        ...(concept === 'claim' ? {} : { subresources: { status: {} } }),
      })),
    },
  };
}
