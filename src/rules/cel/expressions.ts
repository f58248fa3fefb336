/** Builds CEL expressions as text. They treat `null` as absent, and can't fail to evaluate, whatever the object. */

import { dnsLabelPattern, labelValuePattern } from '../../base/syntax.ts';
import type { CelVariable, NotInCel } from '../rule.ts';

/**
 * The most entries of a list that a policy evaluates. A longer list could exceed the cost limit of a policy; in use, no
 * list of a status is so long.
 */
export const LONGEST = 64;

/** Returns a text as a CEL string literal. */
export function stringLiteral(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** Returns texts as a CEL list literal. */
export function listLiteral(values: readonly string[]): string {
  return `[${values.map(stringLiteral).join(', ')}]`;
}

/** Reads a member of a value; null if it is missing or the value is not a map. */
export function member(of: string, key: string): string {
  return `(type(${of}) == map && ${stringLiteral(key)} in ${of} ? ${of}[${stringLiteral(key)}] : null)`;
}

/**
 * Returns variables for the value at a path, such as `spec.value`: `specValue` of the object, `oldSpecValue` of the
 * stored object, and `specValueStays`, which is true if an update does not change it. The same variables for each step
 * of the path come before them.
 * @param as the name of the variable in place of one made of the path
 */
export function variablesAt(path: readonly string[], as?: string): readonly CelVariable[] {
  return path.flatMap((key, index) => {
    const whole = index === path.length - 1;
    const name = whole && as !== undefined ? as : nameOf(path.slice(0, index + 1));
    const parent = nameOf(path.slice(0, index));
    return [
      { name, expression: member(index === 0 ? 'dyn(object)' : `variables.${parent}`, key) },
      { name: oldName(name), expression: member(index === 0 ? 'dyn(oldObject)' : `variables.${oldName(parent)}`, key) },
      {
        name: staysName(name),
        expression: `request.operation == 'UPDATE' && ${same(`variables.${name}`, `variables.${oldName(name)}`)}`,
      },
    ];
  });
}

/**
 * Returns a variable with this name, made of the variable `of`, and the same for the stored object: `oldNAME`.
 * @param expression returns the expression, given the value of `of`
 */
export function variablePair(name: string, of: string, expression: (value: string) => string): readonly CelVariable[] {
  return [
    { name, expression: expression(`variables.${of}`) },
    { name: oldName(name), expression: expression(`variables.${oldName(of)}`) },
  ];
}

/** Returns the name of the variable for the value at a path. */
export function nameOf(path: readonly string[]): string {
  return path.map((key, index) => (index === 0 ? key : capital(key))).join('');
}

/** Returns the name of the variable for the same value of the stored object. */
export function oldName(name: string): string {
  return `old${capital(name)}`;
}

/** Returns the name of the variable that is true if the update does not change `name`. */
export function staysName(name: string): string {
  return `${name}Stays`;
}

/** Whether a value is a text that matches a pattern. Checks the length first, since the cost depends on it. */
export function matches(value: string, pattern: string, longest: number): string {
  return `(type(${value}) == string && size(${value}) <= ${longest} && ${value}.matches(r'${pattern}'))`;
}

export function isDnsLabel(value: string): string {
  return matches(value, dnsLabelPattern, 63);
}

/** Labels of at most 63 characters, joined by dots. */
export function isDnsSubdomain(value: string): string {
  const label = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
  return matches(value, `^${label}(\\.${label})*$`, 253);
}

export function isLabelValue(value: string): string {
  return matches(value, labelValuePattern, 63);
}

const LEAP = '([0-9][0-9]([02468][48]|[2468]0|[13579][26])|([02468][048]|[13579][26])00)';
const DAY = '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])';
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?';
const ZONE = '(Z|[-+]([01][0-9]|2[0-4]):([0-5][0-9]|60))';

/** Whether a value is an RFC 3339 time as metav1.Time reads it: real calendar days only. */
export function isDateTime(value: string): string {
  return matches(value, `^([0-9]{4}-(${DAY})|${LEAP}-02-29)T${CLOCK}${ZONE}$`, 64);
}

/**
 * Whether two values are equal if a member that is null counts as missing. That holds for the members of the value
 * itself and for maps of at most `most` members; otherwise it is CEL's own equality.
 */
export function same(a: string, b: string, most = 256): string {
  const covers = (of: string, by: string): string => `${of}.all(k, (k in ${by} ? ${by}[k] : null) == ${of}[k])`;
  const small = `type(${a}) == map && type(${b}) == map && size(${a}) <= ${most} && size(${b}) <= ${most}`;
  return `(${a} == ${b} || (${small} && ${covers(a, b)} && ${covers(b, a)}))`;
}

/**
 * Like `same`, for comparing each entry of a list with each of another. Putting the values into lists lowers the cost:
 * the API server charges one step for a text within a list, whatever its length. The full charge would exceed the
 * limit, though comparing all that can be stored takes milliseconds.
 */
function sameCheaply(a: string, b: string): string {
  return `([${a}] == [${b}] || (type(${a}) == map && ${same(a, b, 8)}))`;
}

/** The new and the stored list, as CEL, and the keys of their entries. */
export interface Lists {
  readonly now: string;
  readonly before: string;
  readonly keys: readonly string[];
}

/**
 * Whether the fault of the entry `e` at index `i` is an old one, as in engine/new-problems.ts: the stored list has the
 * fault at the same index, or it has as many entries of the same content with it. A further copy of an entry is new.
 * @param value the part of an entry that is wrong: a member, or the whole entry
 * @param wasWrong whether the stored entry at the same index, if its value is equal, had the fault
 */
export function isOldFault(
  { now, before, keys }: Lists,
  value: (entry: string) => string,
  wasWrong: (entry: string) => string,
): string {
  const at = `${before}[i]`;
  const place = `(i < size(${before}) && ${same(value('e'), value(at), 8)} && ${wasWrong(at)})`;
  const content = same('e', 'o', 8);
  const isKeyed = keys.map((key) => `type(${member('e', key)}) == string`).join(' && ');
  const keysOf = (of: string): string => `[${keys.map((key) => member(of, key)).join(', ')}]`;
  const agree = [`${keysOf('o')} == ${keysOf('e')}`, sameCheaply(value('o'), value('e'))];
  const isSame = keys.length === 0 ? content : `(${isKeyed} ? ${agree.join(' && ')} : ${content})`;
  const count = (list: string): string => `size(${list}.filter(o, ${isSame}))`;
  return `(${place} || ${count(now)} <= ${count(before)})`;
}

/**
 * Returns the variables of `variablesAt`, and two for the list at the path: `NAMEList` and `oldNAMEList`. They are
 * empty if the value is not a list, or is too long to evaluate.
 */
export function listVariablesAt(path: readonly string[], longest: number = LONGEST): readonly CelVariable[] {
  const name = nameOf(path);
  const isShort = (list: string): string => `type(variables.${list}) == list && size(variables.${list}) <= ${longest}`;
  const isLong = (list: string): string => `type(variables.${list}) == list && size(variables.${list}) > ${longest}`;
  return [
    ...variablesAt(path),
    {
      name: `${name}List`,
      expression: `${isShort(name)} && !(${isLong(oldName(name))}) ? variables.${name} : dyn([])`,
    },
    { name: `${oldName(name)}List`, expression: `${isShort(oldName(name))} ? variables.${oldName(name)} : dyn([])` },
  ];
}

/**
 * That no value is twice in the list of this name, unless it was there as often before. Only duplicates are counted:
 * that is costly.
 */
export function noMoreDuplicates(name: string): string {
  const [now, before] = [`variables.${name}`, `variables.${oldName(name)}`];
  const count = (list: string): string => `size(${list}.filter(o, o == k))`;
  return `${now}.all(k, ${now}.indexOf(k) == ${now}.lastIndexOf(k) || ${count(now)} <= ${count(before)})`;
}

/** Whether the write is one of `/status`. */
export const OF_STATUS: CelVariable = {
  name: 'ofStatus',
  expression: "has(request.subResource) && request.subResource == 'status'",
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The reasons why rules are not in CEL, where several rules share one. */
export const notInCel = {
  configuration: { reason: 'configuration: the rule is disabled until you configure it' },
  identity: { reason: 'identity: the configuration says who may write' },
  clusters: { reason: 'other clusters: an API server sees only its own objects' },
  others: { reason: 'other objects: a policy sees one object and one parameter, but no list' },
  absence: {
    reason:
      'absence: the rule applies if another object does not exist; a policy without its parameter is skipped, or ' +
      'refuses every write',
  },
  advice: { reason: 'advice: the rule is off unless you configure it' },
} as const satisfies Readonly<Record<string, NotInCel>>;
