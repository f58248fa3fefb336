/**
 * The shapes of the rules, compiled ahead to plain code: no eval at run time, fit for a browser under a strict policy.
 */
import { _, Ajv } from 'ajv';
// ajv documents this path and no other for standalone code. Nothing of it is shipped.
import standalone from 'ajv/dist/standalone/index.js';
import { isDateTime, LONGEST_SEARCHED } from '../base/syntax.ts';
import type { Rule } from '../rules/rule.ts';

const BANNER = `// @ts-nocheck
/** Generated from the shapes of the rules by \`npm run generate\`. Do not edit. */
import { boundedPattern, isDateTime, longerThan } from '../base/syntax.ts';

/** What is wrong, as ajv reports it. */
export interface ShapeError {
  readonly keyword: string;
  /** JSON Pointer, from the validated value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface ValidateFunction {
  (value: unknown): boolean;
  /** All that was wrong with the last value; null where nothing was. */
  errors?: readonly ShapeError[] | null;
}

const formats = { 'date-time': isDateTime };
`;
/** A pattern is searched in texts of a bounded length alone: ajv itself looks at the pattern whatever the length. */
const PATTERN = /^(const pattern\d+ = )new RegExp\(/gm;
/**
 * ajv counts code points, whole texts of them, by a function it would load at run time; ours looks at the length first.
 */
const LENGTH = /^const (func\d+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;$/m;
/** What ajv hands from schema to schema; ours refer to none, and start at the value itself. */
const PARAMETERS = /\(data, \{instancePath="", parentData, parentDataProperty, rootData=data\}=\{\}\)/g;

/**
 * The module with one validator for each shape of each rule, by `ruleId#index`; equal shapes share one.
 * @throws Error where a schema is none, or needs what only a running ajv has.
 */
export function validatorsModule(rules: readonly Rule[]): string {
  const shapes = rules.flatMap((rule) =>
    (rule.shapes ?? []).map((shape, index) => ({ key: `${rule.id}#${index}`, shape })),
  );
  const names = new Map<string, string>();
  const table = shapes.map(({ key, shape }) => {
    const text = JSON.stringify(compilable(shape.schema));
    const name = names.get(text) ?? `shape${names.size}`;
    names.set(text, name);
    return `  ${JSON.stringify(key)}: ${name},\n`;
  });
  const code = compile(new Map([...names].map(([text, name]) => [name, JSON.parse(text)])));
  return (
    `${BANNER}\n${code}\n/** By rule id and index of the shape: \`claim/value#0\`. */\nexport const validators: ` +
    `Readonly<Record<string, ValidateFunction>> = {\n${table.join('')}};\n`
  );
}

function compile(schemas: ReadonlyMap<string, object>): string {
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    formats: { 'date-time': isDateTime, int64: true },
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  for (const [name, schema] of schemas) {
    refuse(schema);
    ajv.addSchema(schema, name);
  }
  const source = standalone.default(ajv, Object.fromEntries([...schemas.keys()].map((name) => [name, name])));
  const code = withoutCounting(source)
    .replace('"use strict";', '')
    .replace(/^export const /gm, 'const ')
    .replace(PATTERN, '$1boundedPattern(')
    .replace(PARAMETERS, '(data, instancePath="")');
  const left = /require\([^)]*\)/.exec(code);
  if (left) throw new Error(`The shapes would load code at run time (${left[0]}): import that in validators.ts.`);
  return code.trim().replace(/[ \t]+$/gm, '');
}

/** Asks whether a text is longer than its limit where ajv counts it. */
function withoutCounting(source: string): string {
  const counts = LENGTH.exec(source)?.[1];
  if (counts === undefined) return source;
  return source
    .replace(LENGTH, '')
    .replace(new RegExp(`${counts}\\((\\w+)\\) ([<>]) (\\d+)`, 'g'), (_all, text, than, limit) =>
      than === '>' ? `longerThan(${text}, ${limit})` : `!longerThan(${text}, ${limit - 1})`,
    );
}

/** Refuses a pattern without a bounded length (`boundedPattern` needs one) and a member that all objects inherit. */
function refuse(schema: object): void {
  const { pattern, maxLength, properties, required } = schema as Node;
  if (typeof pattern === 'string' && !(Number(maxLength) <= LONGEST_SEARCHED / 2))
    throw new Error(`The pattern ${pattern} needs a maxLength of at most ${LONGEST_SEARCHED / 2} beside it.`);
  for (const name of [...Object.keys(properties ?? {}), ...((required as readonly string[] | undefined) ?? [])])
    if (name in Object.prototype) throw new Error(`The member ${name} has a name that every object inherits.`);
  for (const inner of Object.values(schema)) if (typeof inner === 'object' && inner !== null) refuse(inner);
}

type Node = Readonly<Record<string, unknown>>;

/** Returns a copy without descriptions and markers, and with null in an `enum` beside `nullable` (ajv ignores that). */
function compilable(schema: Node): Node {
  const keywords = Object.entries(schema).filter(([key]) => key !== 'description' && !key.startsWith('x-kubernetes-'));
  return Object.fromEntries(keywords.map(([key, value]) => [key, keyword(key, value, schema['nullable'] === true)]));
}

function keyword(key: string, value: unknown, nullable: boolean): unknown {
  if (key === 'items') return compilable(value as Node);
  if (key === 'enum' && nullable) return [...(value as unknown[]), null];
  if (key !== 'properties') return value;
  return Object.fromEntries(Object.entries(value as Node).map(([name, member]) => [name, compilable(member as Node)]));
}
