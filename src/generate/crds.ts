/** The CustomResourceDefinitions, as files of the checkout. */

import type { KindSchema } from '../api/schema.ts';
import { definition } from '../manifests/crds.ts';
import { print } from '../manifests/print.ts';
import type { Artifact } from './artifact.ts';

/** One file for each of our kinds among these: `manifests/crds/<group>_<plural>.yaml`. */
export function crds(kinds: readonly KindSchema[]): readonly Artifact[] {
  return kinds
    .filter(({ dialect }) => dialect.ours)
    .map((kind) => ({
      path: `manifests/crds/${kind.dialect.group}_${kind.dialect.plural}.yaml`,
      text: `# Generated from src/schemas by \`npm run generate\`. Do not edit.\n${print(definition(kind))}`,
    }));
}
