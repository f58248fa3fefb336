/** One webhook as it stands, held against what it should be. Pure: objects in, differences out. */
import { at, isObject, listAt, same, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import { compareRules } from './compare-rules.ts';
import type { CheckStatus, Detail } from './report.ts';

/** `fail`: a write may go unjudged, or be refused for nothing. `warn`: it costs something, or it may be meant. */
export interface Difference extends Detail {
  readonly status: Exclude<CheckStatus, 'ok' | 'unknown'>;
  readonly path: string;
}

/** What differs; nothing when all is as it should be. `caBundle` is for another check. */
export function compareWebhook(expected: JsonObject, found: JsonObject): readonly Difference[] {
  const [wanted, live] = [withDefaults(expected), withDefaults(found)];
  return [
    ...clientConfig(wanted, live),
    ...compareRules(listAt(wanted, ['rules']), listAt(live, ['rules'])),
    ...failurePolicy(wanted, live),
    ...plainMembers(wanted, live),
    ...selectors(wanted, live),
    ...matchConditions(wanted, live),
    ...reviewVersions(wanted, live),
  ];
}

/** As the API server fills in what an object leaves out. */
function withDefaults(webhook: JsonObject): JsonObject {
  const service = at(webhook, ['clientConfig', 'service']);
  return {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    timeoutSeconds: 10,
    reinvocationPolicy: 'Never',
    ...webhook,
    ...(isObject(service) ? { clientConfig: { service: { port: 443, ...service } } } : {}),
  };
}

function clientConfig(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  const paths = [['url'], ['service', 'namespace'], ['service', 'name'], ['service', 'path'], ['service', 'port']];
  return paths.flatMap((path) =>
    differs(wanted, live, ['clientConfig', ...path], 'fail', 'the API server calls another address than it should'),
  );
}

function failurePolicy(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  const meaning =
    textAt(live, ['failurePolicy']) === 'Ignore'
      ? 'writes pass unjudged whenever muster does not answer'
      : 'these writes are refused whenever muster does not answer; they are meant to pass then';
  return differs(wanted, live, ['failurePolicy'], 'warn', meaning);
}

function plainMembers(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  return [
    ...differs(wanted, live, ['matchPolicy'], 'fail', 'a write in another version of the API passes unjudged'),
    ...differs(wanted, live, ['timeoutSeconds'], 'warn', 'muster is given another time to answer'),
    ...differs(wanted, live, ['sideEffects'], 'warn', 'dry runs may be refused for it'),
    ...differs(wanted, live, ['reinvocationPolicy'], 'warn', 'what other webhooks change later is not seen'),
  ];
}

function selectors(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((name) => {
    const [expected, found] = [canonicalSelector(at(wanted, [name])), canonicalSelector(at(live, [name]))];
    if (same(expected, found)) return [];
    const meaning = 'other writes are judged than should be';
    return [difference('fail', name, expected, found, meaning)];
  });
}

/** Nothing matches everything; the order of expressions and values means nothing. */
function canonicalSelector(selector: Json | undefined): JsonObject {
  const labels = Object.entries(asObject(at(selector, ['matchLabels'])));
  const fromLabels = labels.map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  const expressions = listAt(selector, ['matchExpressions']).map((expression) => ({
    key: at(expression, ['key']) ?? null,
    operator: at(expression, ['operator']) ?? null,
    values: [...listAt(expression, ['values'])].map(String).sort(),
  }));
  const sorted = [...fromLabels, ...expressions].map((each) => JSON.stringify(each)).sort();
  return sorted.length === 0 ? {} : { matchExpressions: sorted.map((text) => JSON.parse(text) as Json) };
}

function matchConditions(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  const [expected, found] = [conditionsOf(wanted), conditionsOf(live)];
  const names = [...new Set([...expected.keys(), ...found.keys()])];
  return names.flatMap((name) => {
    const [want, have] = [expected.get(name), found.get(name)];
    if (want === have) return [];
    const path = `matchConditions[${name}]`;
    if (have === undefined)
      return [difference('warn', path, want, have, 'muster is asked about more writes than need be')];
    return [difference('fail', path, want, have, 'it may spare writes that have to be judged')];
  });
}

function conditionsOf(webhook: JsonObject): ReadonlyMap<string, string> {
  const conditions = listAt(webhook, ['matchConditions']);
  return new Map(conditions.map((each) => [textAt(each, ['name']) ?? '', (textAt(each, ['expression']) ?? '').trim()]));
}

function reviewVersions(wanted: JsonObject, live: JsonObject): readonly Difference[] {
  const [expected, found] = [at(wanted, ['admissionReviewVersions']), at(live, ['admissionReviewVersions'])];
  if (same(expected, found)) return [];
  const status = Array.isArray(found) && found.includes('v1') ? 'warn' : 'fail';
  return [difference(status, 'admissionReviewVersions', expected, found, 'muster reads v1 alone')];
}

function differs(
  wanted: JsonObject,
  live: JsonObject,
  path: readonly string[],
  status: Difference['status'],
  meaning: string,
): readonly Difference[] {
  const [expected, found] = [at(wanted, path), at(live, path)];
  return same(expected, found) ? [] : [difference(status, path.join('.'), expected, found, meaning)];
}

function difference(
  status: Difference['status'],
  path: string,
  expected: unknown,
  found: unknown,
  meaning: string,
): Difference {
  const message = `${path}: expected ${shown(expected)}, found ${shown(found)}: ${meaning}`;
  return {
    status,
    path,
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(found === undefined ? {} : { found }),
  };
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
