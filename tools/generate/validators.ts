/**
 * Compiles the schemas of rules and files to code, which needs no `eval`: it runs in a browser under a strict content
 * security policy.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _, Ajv, type Code, type CodeKeywordDefinition, type Name } from 'ajv';
// ajv documents this path and no other for standalone code. Nothing of it is shipped.
import standalone from 'ajv/dist/standalone/index.js';
import { LONGEST_SEARCHED } from '../../src/base/syntax.ts';
import { providerFileSchema } from '../../src/cli/scan/fleet/provider-file.ts';
import { suiteSchema } from '../../src/cli/suites/suite-schema.ts';
import { configurationSchema } from '../../src/config/schema.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { formats } from '../../src/schema/formats.ts';
import { mapSchema, type SchemaNode } from '../../src/schema/schema.ts';
import type { Artifact } from './artifact.ts';

/** The module of `validatorsModule`. */
export const SHAPES = 'src/schema/shapes.generated.ts';

const BANNER = `// @ts-nocheck
/** Generated from a schema by \`npm run generate\`. Do not edit. */
import { boundedPattern, longerThan } from '../base/syntax.ts';
import { formats } from './formats.ts';
import type { CompiledSchema } from './validate.ts';
`;

/** Returns the compiled schemas of the files that users write. */
export function fileValidators(): readonly Artifact[] {
  const schemas = { configuration: configurationSchema, suite: suiteSchema, 'provider-file': providerFileSchema };
  return Object.entries(schemas).map(([name, schema]) => {
    const code = compile({ compiled: schema });
    const text = `${BANNER}\n${code}\nexport const validate: CompiledSchema = compiled;\n`;
    return { path: `src/schema/${name}.generated.ts`, text };
  });
}

/**
 * Returns the module with one validator for each shape of each rule, by `ruleId#index`; equal shapes share one.
 * @throws Error if a schema is invalid, or needs code of ajv at run time.
 */
export function validatorsModule(rules: readonly Rule[]): string {
  const names = new Map<string, string>();
  const table = rules.flatMap((rule) =>
    (rule.shapes ?? []).map(({ schema }, index) => {
      const text = JSON.stringify(schema);
      const name = names.get(text) ?? `shape${names.size}`;
      names.set(text, name);
      return `  ${JSON.stringify(`${rule.id}#${index}`)}: ${name},\n`;
    }),
  );
  const code = compile(Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)])));
  const type = 'Readonly<Record<string, CompiledSchema>>';
  const comment = '/** By rule id and index of the shape: `claim/value#0`. */';
  return `${BANNER}\n${code}\n${comment}\nexport const validators: ${type} = {\n${table.join('')}};\n`;
}

function compile(schemas: Readonly<Record<string, object>>): string {
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    messages: false,
    formats: { ...formats, int64: true },
    code: {
      source: true,
      esm: true,
      lines: true,
      formats: _`formats`,
      regExp: Object.assign(newRegExp, { code: 'boundedPattern' }),
    },
  });
  // ajv's keywords count the code points of whole texts, by code that is loaded at run time. Ours check the length
  // first.
  ajv.removeKeyword('maxLength').addKeyword(length('maxLength', (text, limit) => _`longerThan(${text}, ${limit})`));
  ajv
    .removeKeyword('minLength')
    .addKeyword(length('minLength', (text, limit) => _`!longerThan(${text}, ${limit - 1})`));
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema(mapSchema(schema, compilable), name);
  }
  const code = standalone.default(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
  const loaded = /require\([^)]*\)/.exec(code);
  if (loaded) throw new Error(`The schemas would load code at run time (${loaded[0]}): replace the keyword.`);
  return code.replace(/[ \t]+$/gm, '');
}

/** For ajv itself. The compiled code calls `boundedPattern` instead. */
function newRegExp(pattern: string, flags: string): RegExp {
  return new RegExp(pattern, flags);
}

function length(keyword: string, fails: (text: Name, limit: number) => Code): CodeKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    error: { message: keyword, params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
    code: (cxt) => cxt.fail(fails(cxt.data, cxt.schema)),
  };
}

/** Keywords that ajv does not know, or that would only make the code longer. */
const SILENT = new Set(['description', 'default', 'expected', 'whenEmpty', 'hint']);

/** Returns the schema as ajv compiles it. */
function compilable(schema: SchemaNode): SchemaNode {
  if (schema['opaque'] === true) return { type: 'object' };
  const { pattern, maxLength, properties, required, format, nullable } = schema;
  if (typeof pattern === 'string' && format === undefined && !(Number(maxLength) <= LONGEST_SEARCHED / 2))
    throw new Error(`The pattern ${pattern} needs a maxLength of at most ${LONGEST_SEARCHED / 2} beside it.`);
  for (const name of [...Object.keys(properties ?? {}), ...((required as readonly string[] | undefined) ?? [])])
    if (name in Object.prototype) throw new Error(`The member ${name} has a name that every object inherits.`);
  const isCompiled = (keyword: string) =>
    !SILENT.has(keyword) && !keyword.startsWith('x-kubernetes-') && !(keyword === 'pattern' && format !== undefined);
  const keywords = Object.entries(schema).filter(([keyword]) => isCompiled(keyword));
  // ajv ignores `nullable` beside an `enum`.
  const values = nullable === true && Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {};
  return { ...Object.fromEntries(keywords), ...values };
}

// `npm run generate` runs this file first: all other generators load the compiled schemas, also those of a new rule.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { rules } = await import('../../src/rules/index.ts');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  writeFileSync(join(root, SHAPES), validatorsModule(rules));
}
