/** What a test expects, and whether anything could ever come out so: what is impossible is refused, not failed. */
import { noRule } from '../../config/actions.ts';
import {
  list,
  type Members,
  members,
  missing,
  type Place,
  refuse,
  refuseFound,
  text,
  word,
} from '../../config/place.ts';
import type { Subject } from '../../engine/index.ts';
import { appliesTo } from '../../engine/plan.ts';
import { ruleIds, rules } from '../../rules/index.ts';
import { CODES, expectSchema, someRulesSchema } from './schema.ts';
import { type Expectation, type ExpectedRules, VERDICTS } from './suite.ts';

type Keys = Members<typeof expectSchema>;
type Write = Pick<Subject, 'dialect' | 'operation' | 'subresource'> & { readonly live: boolean };

const LEFT_TO_SCAN =
  'compares many objects, which the webhook of a cluster leaves to scan: set point: scan, or view: files';

/** Longer patterns are none that somebody wrote. */
export const LONGEST_PATTERN = 1000;

/** `write`: what is judged; undefined where that was refused already. Undefined: refused. */
export function readExpectation(place: Place, write: Write | undefined): Expectation | undefined {
  const before = place.report.problems.length;
  const expect = typeof place.value === 'object' ? readMap(place, write) : readWord(place);
  return place.report.problems.length > before ? undefined : expect;
}

function readWord(place: Place): Expectation | undefined {
  if (place.value === undefined) return missing(place, 'a verdict (allowed, denied or indeterminate), or a map');
  const verdict = word(place, VERDICTS);
  return verdict && { ...NOTHING, verdict };
}

const NOTHING = { rules: undefined, warnings: undefined, audits: undefined, code: undefined, message: undefined };

function readMap(place: Place, write: Write | undefined): Expectation | undefined {
  const keys = members(place, expectSchema, 'a verdict, or a map with verdict');
  if (!keys) return undefined;
  if (keys.verdict.value === undefined) missing(keys.verdict, 'allowed, denied or indeterminate');
  const verdict = word(keys.verdict, VERDICTS);
  const expect = {
    rules: readRules(keys.rules, write),
    warnings: readRules(keys.warnings, write),
    audits: readRules(keys.audits, write),
    code: readCode(keys.code),
    message: readPattern(keys.message),
  };
  if (verdict === undefined) return undefined;
  refuseImpossible(keys, { ...expect, verdict });
  return { ...expect, verdict };
}

function readRules(place: Place, write: Write | undefined): ExpectedRules | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return { exactly: ids(place, write) ?? [] };
  const keys = members(place, someRulesSchema, 'a list of rule ids, or a map with include and exclude');
  if (!keys) return undefined;
  // That a rule is silent may be said of one that never speaks here.
  const [include, exclude] = [ids(keys.include, write) ?? [], ids(keys.exclude, undefined) ?? []];
  const both = exclude.findIndex((id) => include.includes(id));
  if (both >= 0) refuse(keys.exclude, `${exclude[both]} is in include too`);
  if (keys.include.value === undefined && keys.exclude.value === undefined)
    refuse(place, 'says nothing; name a rule in include or exclude');
  return { include, exclude };
}

function ids(place: Place, write: Write | undefined): readonly string[] | undefined {
  return list(place, 'a list of rule ids', (entry) => {
    const id = text(entry, 'a rule id');
    if (id === undefined) return undefined;
    if (!ruleIds.has(id)) return void refuse(entry, noRule(id, ruleIds));
    if (write && !speaks(id, write)) return void refuse(entry, `${id} never judges ${nameOf(write)}`);
    if (write?.live && isLeftToScan(id)) return void refuse(entry, `${id} ${LEFT_TO_SCAN}`);
    return id;
  });
}

function speaks(id: string, { dialect, operation, subresource }: Write): boolean {
  return rules.some((rule) => rule.id === id && appliesTo(rule, dialect, operation, subresource));
}

function isLeftToScan(id: string): boolean {
  return rules.some((rule) => rule.id === id && rule.unique !== undefined);
}

function nameOf({ dialect, operation, subresource }: Write): string {
  return `the ${operation} of ${subresource === '' ? '' : 'the status of '}${dialect.kind} objects (${dialect.group})`;
}

function readCode(place: Place): number | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  const code = CODES.find((each) => each === value);
  if (code === undefined) refuseFound(place, `one of ${CODES.join(', ')}`);
  return code;
}

function readPattern(place: Place): string | undefined {
  const pattern = text(place, `a regular expression of at most ${LONGEST_PATTERN} characters`, (given) => {
    return given.length <= LONGEST_PATTERN;
  });
  if (pattern === undefined) return undefined;
  try {
    new RegExp(pattern, 'mu');
    return pattern;
  } catch (error) {
    return void refuse(place, error instanceof Error ? error.message : String(error));
  }
}

/** Whatever the configuration is. */
function refuseImpossible(keys: Keys, { verdict, rules: named, warnings, code, message }: Expectation): void {
  const someRule = named && ('exactly' in named ? named.exactly : named.include).length > 0;
  if (verdict === 'allowed' && someRule) {
    refuse(keys.rules, 'nothing refuses what is allowed; rules that warn go into warnings, silent ones into audits');
  }
  if (verdict !== 'allowed' && Array.isArray(keys.rules.value) && keys.rules.value.length === 0) {
    refuse(keys.rules, `nothing is ${verdict} without a rule; name it, or leave the key out`);
  }
  if (code !== undefined && verdict === 'allowed') refuse(keys.code, 'what is allowed has no status code');
  if (code !== undefined && (verdict === 'indeterminate') !== (code === 503) && verdict !== 'allowed') {
    refuse(keys.code, verdict === 'denied' ? '503 is the code of indeterminate' : 'indeterminate has the code 503');
  }
  const silent = warnings && 'exactly' in warnings && warnings.exactly.length === 0;
  if (message !== undefined && verdict === 'allowed' && silent) {
    refuse(keys.message, 'nothing is said where all is allowed and nothing warns');
  }
}
