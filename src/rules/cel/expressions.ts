/** Small pieces of CEL, put together as text. `null` is absent, as everywhere; nothing in them can fail to evaluate. */

import { dnsLabelPattern, labelValuePattern } from '../../base/syntax.ts';
import type { CelVariable, NotInCel } from '../rule.ts';

/**
 * More entries than any list of a status has in use. A longer one is not evaluated: its cost could exceed what a policy
 * may spend.
 */
export const LONGEST = 64;

/** A text as CEL reads it back. */
export function stringLiteral(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** A list of texts. */
export function listLiteral(values: readonly string[]): string {
  return `[${values.map(stringLiteral).join(', ')}]`;
}

/** The member of a value; null where it is missing or the value is no map. */
export function member(of: string, key: string): string {
  return `(type(${of}) == map && ${stringLiteral(key)} in ${of} ? ${of}[${stringLiteral(key)}] : null)`;
}

/**
 * Variables for the value at a path: `specValue` of the object, `oldSpecValue` of the stored one, and `specValueStays`,
 * true where an update leaves it as it is. They are named after the path, or `as`; those of the steps before come with
 * them.
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

/** The name under which `read` keeps the value at a path. */
export function nameOf(path: readonly string[]): string {
  return path.map((key, index) => (index === 0 ? key : capital(key))).join('');
}

/** The name of the stored object's part. */
export function oldName(name: string): string {
  return `old${capital(name)}`;
}

/** Returns the name of the variable that is true if the update does not change `name`. */
export function staysName(name: string): string {
  return `${name}Stays`;
}

/** Whether a value is a text that a pattern matches; the length is looked at first, as patterns cost by it. */
export function matches(value: string, pattern: string, longest: number): string {
  return `(type(${value}) == string && size(${value}) <= ${longest} && ${value}.matches(r'${pattern}'))`;
}

export function isDnsLabel(value: string): string {
  return matches(value, dnsLabelPattern, 63);
}

/** Labels of at most 63, joined by dots. */
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
 * Whether two values are equal where a member that is null counts as missing: one level deep and for maps of ordinary
 * size, beyond that CEL's own equality.
 */
export function same(a: string, b: string, most = 256): string {
  const covers = (of: string, by: string): string => `${of}.all(k, (k in ${by} ? ${by}[k] : null) == ${of}[k])`;
  const small = `type(${a}) == map && type(${b}) == map && size(${a}) <= ${most} && size(${b}) <= ${most}`;
  return `(${a} == ${b} || (${small} && ${covers(a, b)} && ${covers(b, a)}))`;
}

/**
 * As `same`, for each pair of two lists: a text within a list is charged as one step, whatever its length. All that can
 * be stored is compared within milliseconds, and the charge for it would refuse the write.
 */
function sameCheaply(a: string, b: string): string {
  return `([${a}] == [${b}] || (type(${a}) == map && ${same(a, b, 8)}))`;
}

/** Two lists of entries, the new one and the stored one, as CEL; and the keys of their entries. */
export interface Lists {
  readonly now: string;
  readonly before: string;
  readonly keys: readonly string[];
}

/**
 * Whether what is wrong with the entry `e` at `i` is an old fault, as engine/new-problems has it: the stored list has
 * it at the same place, or has as many of the same entry with the same fault. A further copy of an entry is new.
 * @param value what of an entry is wrong: a member, or all of it
 * @param wasWrong whether the stored entry at the place, whose value is the same, had the fault
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
 * Variables for a list: `NAMEList` and `oldNAMEList`, empty where there is something else or one of the two is too long
 * to evaluate. `read` gives the rest.
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

/** That no value is in a list more often than before, or twice. Finding duplicates is quick; only they are counted. */
export function noMoreDuplicates(now: string, before: string): string {
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

/** The reasons that several rules share. */
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
