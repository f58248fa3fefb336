/** Checks the two webhook configurations: each webhook has to be as the server's configuration needs it. */

import { type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import { INJECT_CA, isOurWebhook } from '../../manifests/names.ts';
import type { ExpectedResult } from './expected.ts';
import { webhooksIn } from './installed.ts';
import { type Released, WEBHOOK_VALUES } from './release.ts';
import { type DoctorContext, type Item, inOrder, recreateSteps, removeStep, restoreStep } from './remedies.ts';
import { type PossibleResults, resultsOf, type UnlinkedCheck, VERSION_CHECK } from './report.ts';
import { difference, type ObjectDifference } from './stored-objects.ts';

/** Returns one check for each configuration, and one for each webhook that should exist. */
export function checkRegistration(
  context: DoctorContext,
  comparisons: readonly ExpectedResult[],
): readonly UnlinkedCheck[] {
  const configurations = comparisons.filter(({ part }) => part === 'webhooks');
  return configurations.flatMap((configuration) => checkWebhooks(context, configuration));
}

/** A stored configuration beside the expected one. */
interface ComparedConfiguration {
  readonly context: DoctorContext;
  readonly isValidating: boolean;
  readonly found: readonly JsonObject[];
  readonly differences: readonly ObjectDifference[];
  /** What is stored and not expected. */
  readonly extra: readonly ExtraItem[];
  /** Repairs all of it. */
  readonly remedy: string;
}

function checkWebhooks(context: DoctorContext, { object, result }: ExpectedResult): readonly UnlinkedCheck[] {
  const { kind } = object;
  const isValidating = kind.startsWith('Validating');
  const side = isValidating ? 'validating' : 'mutating';
  const results = resultsOf(`registration/${side}`, `${kind} ${context.names.base}`);
  if (result.kind === 'unknown') return [results.unknown(result.reason, result.remedy)];
  if (result.kind === 'missing') {
    const lost = isValidating ? 'no write is evaluated' : 'no label of a cluster manager is added';
    return [results.fail(`is missing: ${lost}`, inOrder(recreateSteps(context)))];
  }
  const { stored, differences } = result;
  const expected = webhooksIn(object as unknown as JsonObject);
  const found = webhooksIn(stored);
  const extra = extraItems(expected, found);
  const isWhole = expected.every((webhook) => isThere(webhook, found));
  const values = valuesBehind(context, differences);
  const restored = isWhole ? [restoreStep(context, 'webhooks', values)] : recreateSteps(context, values);
  const remedy = inOrder([
    ...(extra.length > 0 ? [removeStep(context, kind, extra)] : []),
    ...(differences.length > 0 ? restored : []),
  ]);
  const compared = { context, isValidating, found, differences, extra, remedy };
  return [checkWhole(results, compared), ...expected.map((webhook) => checkWebhook(webhook, compared))];
}

/** Returns the values of a Helm release that may have set the fields which differ. */
function valuesBehind(
  { released }: DoctorContext,
  differences: readonly ObjectDifference[],
): Released['webhookValues'] {
  if (released?.kind !== 'released') return [];
  const fields = Object.entries(WEBHOOK_VALUES).filter(([field]) =>
    differences.some(({ path }) => path.endsWith(`.${field}`)),
  );
  const values: readonly string[] = fields.flatMap(([, keys]) => keys);
  return released.webhookValues.filter((value) => values.includes(value));
}

/** Checks the annotations of a configuration, and that it has no further webhooks. */
function checkWhole(results: PossibleResults, compared: ComparedConfiguration): UnlinkedCheck {
  const { context, isValidating, found, differences, extra, remedy } = compared;
  const lost = differences.filter(({ path }) => path.startsWith('metadata.annotations'));
  if (context.way.kind === 'helm' && lost.some(({ path }) => !path.endsWith(INJECT_CA))) {
    const message = 'does not belong to the Helm release any more: an uninstall would leave it';
    return results.fail(message, remedy, { details: lost });
  }
  if (lost.length > 0) {
    const message = `lacks ${INJECT_CA}: cert-manager does not fill in its CA`;
    return results.fail(message, remedy, { details: lost });
  }
  const names = extra.flatMap(({ webhook, name }) => (webhook === undefined ? name : []));
  const foreign = names.filter((name) => !isOurWebhook(name));
  if (foreign.length > 0) return results.warn(`has webhooks that are not muster's: ${foreign.join(', ')}`, remedy);
  if (names.length > 0) {
    const message = `has webhooks that the configuration does not need: ${names.join(', ')}`;
    return results.warn(message, remedy, { after: [VERSION_CHECK] });
  }
  const exists = `exists, with ${counted(found.length, 'webhook')}`;
  if (!isValidating || context.options.enforcement !== undefined) return results.ok(exists);
  return results.ok(`${exists}; the server's configuration, on which deletions depend, is unknown (--config FILE)`);
}

function checkWebhook(webhook: JsonObject, compared: ComparedConfiguration): UnlinkedCheck {
  const { found, differences, extra, remedy } = compared;
  const name = nameOf(webhook);
  const results = resultsOf(`registration/${name}`, `webhook ${name}`);
  if (!isThere(webhook, found)) {
    return results.fail('is missing: its writes are not evaluated', remedy, { after: [VERSION_CHECK] });
  }
  const prefix = `webhooks[${name}].`;
  const differing = differences
    .filter(({ path }) => path.startsWith(prefix))
    .map((each) => difference(each.path.slice(prefix.length), each.expected as Json, each.found as Json));
  // An apply keeps match conditions that others added. They may exclude writes that have to be evaluated.
  const added = extra.flatMap((item) =>
    item.webhook === name ? [difference(`matchConditions[${item.name}]`, undefined, item.value)] : [],
  );
  const details = [...differing, ...added];
  if (details.length === 0) return results.ok('as expected');
  const makeCheck = details.every(isDeliberate) ? results.warn : results.fail;
  // No version of muster has these conditions: a user added them.
  const after = added.length === 0 ? [VERSION_CHECK] : [];
  return makeCheck(`differs in ${details.map(({ path }) => path).join(', ')}`, remedy, { details, after });
}

function isThere(webhook: JsonObject, found: readonly JsonObject[]): boolean {
  return found.some((each) => nameOf(each) === nameOf(webhook));
}

interface ExtraItem extends Item {
  readonly value: Json;
  /** The name of the webhook, for a match condition. */
  readonly webhook?: string;
}

/** Finds webhooks and match conditions that are not expected, in their order. */
function extraItems(expected: readonly JsonObject[], found: readonly JsonObject[]): readonly ExtraItem[] {
  return found.flatMap((value, index): ExtraItem[] => {
    const webhook = { path: `/webhooks/${index}`, name: nameOf(value), value };
    const wanted = expected.find((each) => nameOf(each) === webhook.name);
    if (wanted === undefined) return [webhook];
    const names = listAt(wanted, ['matchConditions']).map(nameOf);
    const conditions = listAt(value, ['matchConditions']).map((condition, number) => {
      const path = `${webhook.path}/matchConditions/${number}`;
      return { path, name: nameOf(condition), value: condition, webhook: webhook.name };
    });
    return conditions.filter(({ name }) => !names.includes(name));
  });
}

/**
 * Returns whether a difference is a setting that an operator may choose: it excludes no write while the server runs.
 */
function isDeliberate({ path, found }: ObjectDifference): boolean {
  if (path.startsWith('matchConditions[')) return found === undefined;
  return ['failurePolicy', 'timeoutSeconds', 'sideEffects', 'reinvocationPolicy'].includes(path);
}

function nameOf(named: Json): string {
  return textAt(named, ['name']) ?? '';
}
