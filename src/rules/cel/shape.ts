/** The shapes that rules carry, as CEL. What a stored object has too is passed over, place by place, as the engine does. */
import type { Shape } from '../rule.ts';
import type { CelExpressions, CelValidation, CelVariable } from './cel.ts';
import {
  holds,
  isDateTime,
  LONGEST,
  member,
  nameOf,
  OF_STATUS,
  old,
  read,
  readList,
  stays,
  text,
  texts,
} from './text.ts';

type Schema = Readonly<Record<string, unknown>>;

export const LACKS_OF_LISTS = `lists of more than ${LONGEST} entries`;

/** Everything the shapes of a rule say, for objects and their status. */
export function ofShapes(shapes: readonly Shape[]): CelExpressions {
  const parts = shapes.map((shape) => (shape.each ? ofList(shape, shape.each.keys) : ofObject(shape)));
  return {
    variables: distinct([OF_STATUS, ...parts.flatMap(({ variables = [] }) => variables)]),
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
    variables: [...read(path), ...members.flatMap(([name]) => read([...path, name]))],
    validations: [
      place(whole, path, `type(variables.${whole}) == map`, { messageId: 'type', data: { expected: 'an object' } }),
      ...members.map(([name, inner]) => {
        const part = nameOf([...path, name]);
        return place(part, [...path, name], sound(inner, `variables.${part}`), messageOf(inner));
      }),
    ],
  };
}

type Message = Pick<CelValidation, 'messageId' | 'data'>;

/** A value that is absent, sound, or as it is stored. */
function place(name: string, path: readonly string[], isSound: string, message: Message): CelValidation {
  const value = `variables.${name}`;
  const expression = `(${value} == null || ${isSound} || variables.${stays(name)})`;
  return { expression, field: path.join('.'), ...message };
}

function ofList({ at, schema }: Shape, keys: readonly string[]): CelExpressions {
  const path = at.map(String);
  const name = nameOf(path);
  const list = `variables.${name}List`;
  const before = `variables.${old(name)}List`;
  const field = `${path.join('.')}[]`;
  const entries = (isFine: string): string => `${list}.all(i, e, ${isFine} || ${holds(before, 'e')})`;
  const aList = place(name, path, `type(variables.${name}) == list`, {
    messageId: 'type',
    data: { expected: 'a list' },
  });
  if (schema['type'] !== 'object') {
    const each: CelValidation = { expression: entries(sound(schema, 'e')), field, ...messageOf(schema) };
    return { variables: readList(path), validations: [aList, each] };
  }
  const required = (schema['required'] ?? []) as readonly string[];
  const members = Object.entries(propertiesOf(schema));
  const good = (e: string, [key, inner]: [string, Schema]): string => {
    const value = member(e, key);
    return required.includes(key) ? `(${sound(inner, value)})` : `(${value} == null || ${sound(inner, value)})`;
  };
  const keeps = (key: string): string =>
    `(i < size(${before}) && type(${before}[i]) == map && ${member('e', key)} == ${member(`${before}[i]`, key)})`;
  const whole = (e: string): string => [`type(${e}) == map`, ...members.map((one) => good(e, one))].join(' && ');
  return {
    variables: [
      ...readList(path),
      { name: `${name}Sound`, expression: `${list}.filter(e, ${whole('e')})` },
      { name: `${old(name)}Sound`, expression: `${before}.filter(e, ${whole('e')})` },
    ],
    validations: [
      aList,
      { expression: entries('type(e) == map'), field, messageId: 'type', data: { expected: 'an object' } },
      ...members.map(([key, inner]) => ({
        expression: entries(`type(e) != map || ${good('e', [key, inner])} || ${keeps(key)}`),
        field: `${field}.${key}`,
        ...messageOf(inner),
      })),
      ...(keys.length > 0 ? [duplicates(name, field, keys)] : []),
    ],
  };
}

/** No more entries with the same keys than there were, or one. */
function duplicates(name: string, field: string, keys: readonly string[]): CelValidation {
  const twins = (list: string): string =>
    `size(variables.${list}.filter(t, ${keys.map((key) => `t[${text(key)}] == e[${text(key)}]`).join(' && ')}))`;
  const most = `${twins(`${name}Sound`)} <= 1 || ${twins(`${name}Sound`)} <= ${twins(`${old(name)}Sound`)}`;
  return {
    expression: `variables.${name}Sound.all(e, ${most})`,
    field: `${field}.${keys[0]}`,
    messageId: 'duplicate',
    data: { value: '…' },
  };
}

/** Whether a value obeys a schema of one level. The API server's decoder keeps whole numbers beyond 64 bits as doubles. */
function sound(schema: Schema, value: string): string {
  if (Array.isArray(schema['enum'])) return `${value} in ${texts(schema['enum'] as string[])}`;
  if (schema['format'] === 'date-time') return isDateTime(value);
  if (schema['type'] === 'integer') {
    const whole = `type(${value}) == double && (${value} >= 9.0e15 || ${value} <= -9.0e15 || double(int(${value})) == ${value})`;
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

/** The message that says most of what the schema asks for. */
function messageOf(schema: Schema): Message {
  if (Array.isArray(schema['enum'])) return { messageId: 'enum', data: { allowed: schema['enum'].join(', ') } };
  if (schema['format'] === 'date-time') return { messageId: 'format' };
  if (schema['pattern'] !== undefined) return { messageId: 'pattern' };
  if (schema['type'] === 'integer') return { messageId: 'minimum', data: { limit: String(schema['minimum']) } };
  if (schema['maxLength'] !== undefined)
    return { messageId: 'maxLength', data: { limit: String(schema['maxLength']) } };
  return { messageId: 'type', data: { expected: 'a string' } };
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}

function distinct(variables: readonly CelVariable[]): readonly CelVariable[] {
  return [...new Map(variables.map((variable) => [variable.name, variable])).values()];
}
