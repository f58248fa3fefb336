/** Checks the two webhook configurations: each webhook has to be as the server's configuration needs it. */
import { isObject, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { VERSION } from './causes.ts';
import { type Difference, difference } from './differences.ts';
import { webhooksIn } from './installed.ts';
import type { Comparison } from './objects.ts';
import { type DoctorContext, type ItemPlace, removal, restore } from './remedies.ts';
import { type Finding, resultsOf } from './report.ts';

/** Returns one check for each configuration, and one for each webhook that should exist. */
export function checkRegistration(context: DoctorContext, comparisons: readonly Comparison[]): readonly Finding[] {
  const configurations = comparisons.filter(({ part }) => part === 'webhooks');
  return configurations.flatMap((configuration) => checkConfiguration(context, configuration));
}

function checkConfiguration(context: DoctorContext, { object, result }: Comparison): readonly Finding[] {
  const { kind } = object;
  const isValidating = kind.startsWith('Validating');
  const title = `${kind} ${context.names.base}`;
  const side = isValidating ? 'validating' : 'mutating';
  const results = resultsOf(`registration/${side}`, title);
  if (result.kind === 'unknown') return [results.unknown(result.reason, result.remedy)];
  if (result.kind === 'missing') {
    const lost = isValidating ? 'no write is evaluated' : 'no label of a cluster manager is added';
    return [results.fail(`is missing: ${lost}`, restore(context, 'webhooks'))];
  }
  const { stored, differences } = result;
  const [expected, found] = [webhooksIn(object as unknown as JsonObject), webhooksIn(stored)];
  const extra = extraItems(expected, found);
  const remedy = [
    ...(extra.length > 0 ? [removal(kind, context.names.base, extra)] : []),
    ...(differences.length > 0 ? [restore(context, 'webhooks')] : []),
  ].join(' && ');
  const checkWhole = (): Finding => {
    const lost = differences.filter(({ path }) => path.startsWith('metadata.annotations'));
    if (context.way.kind === 'helm' && lost.length > 0) {
      const message = 'does not belong to the Helm release any more: an uninstall would leave it';
      return results.fail(message, remedy, { details: lost });
    }
    const names = extra.flatMap(({ webhook: [, name], condition }) => (condition ? [] : name));
    const foreign = names.filter((name) => !/\.(validate|mutate)\.muster$/.test(name));
    if (foreign.length > 0) return results.warn(`has webhooks that are not muster's: ${foreign.join(', ')}`, remedy);
    if (names.length > 0) {
      const message = `has webhooks that the configuration does not need: ${names.join(', ')}`;
      return results.warn(message, remedy, { after: [VERSION] });
    }
    const there = `there, with ${found.length} ${found.length === 1 ? 'webhook' : 'webhooks'}`;
    if (!isValidating || context.enforcement !== undefined) return results.ok(there);
    return results.ok(`${there}; the server's configuration, on which deletions depend, is unknown (--config FILE)`);
  };
  return [checkWhole(), ...expected.map((webhook) => checkWebhook(webhook, { found, extra, differences, remedy }))];
}

interface Registered {
  readonly found: readonly JsonObject[];
  /** What should not be there. */
  readonly extra: readonly ItemPlace[];
  readonly differences: readonly Difference[];
  /** What puts all of the configuration into order. */
  readonly remedy: string;
}

function checkWebhook(expected: JsonObject, { found, extra, differences, remedy }: Registered): Finding {
  const name = nameOf(expected);
  const results = resultsOf(`registration/${name}`, `webhook ${name}`);
  if (!found.some((webhook) => nameOf(webhook) === name)) {
    return results.fail('is missing: its writes are not evaluated', remedy, { after: [VERSION] });
  }
  const prefix = `webhooks[${name}].`;
  const differing = differences
    .filter(({ path }) => path.startsWith(prefix))
    .map((each) => difference(each.path.slice(prefix.length), each.expected as Json, each.found as Json));
  // An apply leaves the match conditions of others, which may exclude writes that have to be evaluated.
  const added = extra.flatMap(({ webhook: [index, owner], condition }) => {
    if (owner !== name || condition === undefined) return [];
    const value = listAt(found[index], ['matchConditions'])[condition[0]];
    return [difference(`matchConditions[${condition[1]}]`, undefined, value)];
  });
  const details = [...differing, ...added];
  if (details.length === 0) return results.ok('as it should be');
  const report = details.every(isDeliberate) ? results.warn : results.fail;
  // No version leaves conditions of its own: somebody added them.
  const after = added.length === 0 ? [VERSION] : [];
  return report(`differs in ${details.map(({ path }) => path).join(', ')}`, remedy, { details, after });
}

/** Finds webhooks and match conditions that are not expected. */
function extraItems(expected: readonly JsonObject[], found: readonly JsonObject[]): readonly ItemPlace[] {
  return found.flatMap((webhook, index): ItemPlace[] => {
    const place = [index, nameOf(webhook)] as const;
    const wanted = expected.find((each) => nameOf(each) === nameOf(webhook));
    if (wanted === undefined) return [{ webhook: place }];
    const names = listAt(wanted, ['matchConditions']).map(nameOf);
    return listAt(webhook, ['matchConditions']).flatMap((condition, number) => {
      const name = nameOf(condition);
      return names.includes(name) ? [] : [{ webhook: place, condition: [number, name] as const }];
    });
  });
}

/** Settings that an operator may choose, or that cost calls: they exclude no write while the server runs. */
function isDeliberate({ path, found }: Difference): boolean {
  if (path.startsWith('matchConditions[')) return found === undefined;
  return ['failurePolicy', 'timeoutSeconds', 'sideEffects', 'reinvocationPolicy'].includes(path);
}

function nameOf(named: unknown): string {
  return isObject(named) ? (textAt(named, ['name']) ?? '') : '';
}
