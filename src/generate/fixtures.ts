/** The example cases of each rule: `test/fixtures/<rule id>/{allow,deny}/*.yaml`. The first of each stands in the docs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './artifact.ts';

export interface Example {
  readonly allowed: string;
  readonly denied: string;
}
export type Examples = ReadonlyMap<string, Example>;

const BANNER = '/** Generated from test/fixtures by `npm run generate`. Do not edit. */';

/**
 * The first allowed and the first denied case of every rule, as they are written.
 * @throws Error that names every rule without one.
 */
export function firstFixtures(root: string, rules: readonly { readonly id: string }[]): Examples {
  const missing: string[] = [];
  const first = (folder: string): string => {
    const file = filesIn(root, folder).find((path) => path.endsWith('.yaml'));
    if (file === undefined) missing.push(folder);
    return file === undefined ? '' : readFileSync(join(root, file), 'utf8');
  };
  const examples = new Map(
    rules.map(({ id }) => {
      const folder = `test/fixtures/${id}`;
      return [id, { allowed: first(`${folder}/allow`), denied: first(`${folder}/deny`) }];
    }),
  );
  if (missing.length === 0) return examples;
  throw new Error(
    `Every rule has an allowed and a denied example. Add one case, a .yaml file, to: ${missing.join(', ')}`,
  );
}

/** The module that `muster explain` reads its examples from. */
export function examplesModule(examples: Examples): string {
  const entries = [...examples].map(([id, { allowed, denied }]) => {
    return `  ${JSON.stringify(id)}: {\n    allowed: ${JSON.stringify(allowed)},\n    denied: ${JSON.stringify(denied)},\n  },\n`;
  });
  const type = 'Readonly<Record<string, { readonly allowed: string; readonly denied: string }>>';
  return `${BANNER}\nexport const examples: ${type} = {\n${entries.join('')}};\n`;
}
