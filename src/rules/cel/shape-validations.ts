/**
 * Translates the shapes of rules to CEL. Like the engine, the expressions let a problem pass that the stored object has
 * at the same path.
 */
import { LIST_KEYS } from '../../api/schema.ts';
import type { CelExpressions, CelValidation, Shape } from '../rule.ts';
import {
  isDateTime,
  isOldFault,
  LONGEST,
  listLiteral,
  listVariablesAt,
  member,
  nameOf,
  noMoreDuplicates,
  OF_STATUS,
  oldName,
  staysName,
  stringLiteral,
  variablePair,
  variablesAt,
} from './expressions.ts';

type SchemaNode = Readonly<Record<string, unknown>>;

/** The most characters of a key that is compared. No real key is so long. */
const LONGEST_KEY = 256;

export const OMITTED_FROM_LISTS =
  `lists of more than ${LONGEST} entries, and duplicates ` + `whose keys are longer than ${LONGEST_KEY} characters`;

/** Returns the shapes of a rule as CEL, for writes of objects and of their status. */
export function celOfShapes(shapes: readonly Shape[]): CelExpressions {
  const parts = shapes.map((shape) => (shape.each ? ofList(shape, shape.each.keys) : ofObject(shape)));
  return {
    variables: [OF_STATUS, ...parts.flatMap(({ variables = [] }) => variables)],
    validations: parts.flatMap(({ validations }, index) => {
      const elsewhere = shapes[index]?.subresource === 'status' ? '!variables.ofStatus' : 'variables.ofStatus';
      return validations.map((one) => ({ ...one, expression: `${elsewhere} || ${one.expression}` }));
    }),
  };
}

function ofObject({ at, schema }: Shape): CelExpressions {
  const path = at.map(String);
  const whole = nameOf(path);
  const members = Object.entries(propertiesOf(schema));
  return {
    variables: [...variablesAt(path), ...members.flatMap(([name]) => variablesAt([...path, name]))],
    validations: [
      unlessStored(whole, path, `type(variables.${whole}) == map`, {
        messageId: 'type',
        data: { expected: 'an object' },
      }),
      ...members.map(([name, inner]) => {
        const part = nameOf([...path, name]);
        return unlessStored(part, [...path, name], sound(inner, `variables.${part}`), messageOf(inner));
      }),
    ],
  };
}

type Message = Pick<CelValidation, 'messageId' | 'data'>;

/** Returns a validation that a value is absent, or valid, or unchanged. */
export function unlessStored(name: string, path: readonly string[], isSound: string, message: Message): CelValidation {
  const value = `variables.${name}`;
  const expression = `(${value} == null || ${isSound} || variables.${staysName(name)})`;
  return { expression, field: path.join('.'), ...message };
}

function ofList({ at, schema }: Shape, keys: readonly string[]): CelExpressions {
  const path = at.map(String);
  const list = listAt(path);
  const aList = { messageId: 'type', data: { expected: 'a list' } };
  const parts =
    schema['type'] === 'object'
      ? ofEntries(list, schema, keys)
      : { validations: [{ expression: list.all(sound(schema, 'e')), field: list.field, ...messageOf(schema) }] };
  return {
    variables: [...listVariablesAt(path), ...(parts.variables ?? [])],
    validations: [unlessStored(list.name, path, `type(variables.${list.name}) == list`, aList), ...parts.validations],
  };
}

/** CEL on a list that a rule validates. */
export interface List {
  readonly name: string;
  readonly field: string;
  readonly now: string;
  readonly before: string;
  /**
   * That each entry `e` at index `i` is valid, or that its fault is an old one (`isOldFault`).
   * @param key the member with the fault; absent: the whole entry
   */
  all(isFine: string, key?: string): string;
}

export function listAt(path: readonly string[]): List {
  const name = nameOf(path);
  const now = `variables.${name}List`;
  const before = `variables.${oldName(name)}List`;
  const keys = LIST_KEYS[path.at(-1) ?? ''] ?? [];
  const all = (isFine: string, key?: string): string => {
    const value = (of: string): string => (key === undefined ? of : member(of, key));
    // For an entry that is not an object, nothing else is reported.
    const wasWrong = (of: string): string => (key === undefined ? 'true' : `type(${of}) == map`);
    const isOld = isOldFault({ now, before, keys }, value, wasWrong);
    return `(variables.${staysName(name)} || ${now}.all(i, e, ${isFine} || ${isOld}))`;
  };
  return { name, field: `${path.join('.')}[]`, now, before, all };
}

function ofEntries(list: List, schema: SchemaNode, keys: readonly string[]): CelExpressions {
  const { name, field } = list;
  const members = Object.entries(propertiesOf(schema));
  const required = (schema['required'] ?? []) as readonly string[];
  const good = ([key, inner]: [string, SchemaNode]): string => {
    const value = member('e', key);
    return required.includes(key) ? `(${sound(inner, value)})` : `(${value} == null || ${sound(inner, value)})`;
  };
  // Only entries with short keys: the cost of comparing each pair depends on the length.
  const isBrief = (key: string) =>
    `type(${member('e', key)}) == string && size(e[${stringLiteral(key)}]) <= ${LONGEST_KEY}`;
  const brief = ['type(e) == map', ...keys.map(isBrief)].join(' && ');
  const keysOf = (of: string): string =>
    `${of}.filter(e, ${brief}).map(e, [${keys.map((key) => `e[${stringLiteral(key)}]`).join(', ')}])`;
  const own = `${name}Keys`;
  const anObject = { messageId: 'type', data: { expected: 'an object' } };
  const entry = { expression: list.all('type(e) == map'), field, ...anObject };
  const reported = members.map(([key, inner]): CelValidation => {
    const expression = list.all(`type(e) != map || ${good([key, inner])}`, key);
    return { expression, field: `${field}.${key}`, ...messageOf(inner) };
  });
  const twice = {
    expression: `(variables.${staysName(name)} || ${noMoreDuplicates(own)})`,
    field: `${field}.${keys[0]}`,
    messageId: 'duplicate',
    data: { value: '…' },
  };
  return {
    // Only for entries whose keys are texts: the others are reported above.
    variables: variablePair(own, `${name}List`, keysOf),
    validations: [entry, ...reported, ...(keys.length > 0 ? [twice] : [])],
  };
}

/**
 * Whether a value is valid by a schema without inner schemas. Whole numbers beyond 64 bits are doubles: the API
 * server's decoder reads them so.
 */
function sound(schema: SchemaNode, value: string): string {
  if (Array.isArray(schema['enum'])) return `${value} in ${listLiteral(schema['enum'] as string[])}`;
  if (schema['format'] === 'date-time') return isDateTime(value);
  if (schema['type'] === 'integer') {
    const whole =
      `type(${value}) == double && (${value} >= 9.0e15 || ${value} <= -9.0e15 || ` +
      `double(int(${value})) == ${value})`;
    const least = schema['minimum'] === undefined ? '' : ` && ${value} >= ${String(schema['minimum'])}`;
    return `((type(${value}) == int || ${whole})${least})`;
  }
  const { minLength, maxLength, pattern } = schema;
  const bounds = [
    ...(typeof minLength === 'number' ? [`size(${value}) >= ${minLength}`] : []),
    ...(typeof maxLength === 'number' ? [`size(${value}) <= ${maxLength}`] : []),
    ...(typeof pattern === 'string' ? [`${value}.matches(r'${pattern}')`] : []),
  ];
  return `(${[`type(${value}) == string`, ...bounds].join(' && ')})`;
}

/** The message of the most specific constraint in the schema. */
function messageOf(schema: SchemaNode): Message {
  if (Array.isArray(schema['enum'])) return { messageId: 'enum', data: { allowed: schema['enum'].join(', ') } };
  if (schema['format'] === 'date-time') return { messageId: 'format' };
  if (schema['pattern'] !== undefined) return { messageId: 'pattern' };
  if (schema['type'] === 'integer') return { messageId: 'minimum', data: { limit: String(schema['minimum']) } };
  if (schema['maxLength'] !== undefined)
    return { messageId: 'maxLength', data: { limit: String(schema['maxLength']) } };
  return { messageId: 'type', data: { expected: 'a string' } };
}

function propertiesOf(schema: SchemaNode): Readonly<Record<string, SchemaNode>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, SchemaNode>>;
}
