/** Checks the two webhook configurations, and reads from them how the API server reaches the server. */
import { concepts } from '../../api/dialects.ts';
import { at, type Json, type JsonObject, listAt, textAt } from '../../base/json.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { DELETION_CONCEPTS, type Enforcement } from '../../engine/plan.ts';
import { SERVER, WEBHOOKS } from '../../manifests/names.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  type Webhook,
} from '../../manifests/registration.ts';
import { applyCommand, BY_FORCE, certsRemedy, type DoctorContext, REPLACE, type Target } from './context.ts';
import { type Difference, difference, differences } from './differences.ts';
import { dryRunApply, type Found, read, type Unknown } from './read.ts';
import { type Check, resultsOf } from './report.ts';

/** One of the two configurations, as far as it can be read. */
export type Side = Awaited<ReturnType<typeof readSide>>;

/** Reads both configurations. */
export function readRegistration(client: ApiClient): Promise<readonly Side[]> {
  return Promise.all([readSide(client, 'validating'), readSide(client, 'mutating')]);
}

async function readSide(client: ApiClient, name: 'validating' | 'mutating') {
  const kind = name === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
  const plural = `${kind.toLowerCase()}s`;
  const resource = { apiVersion: 'admissionregistration.k8s.io/v1', plural, name: WEBHOOKS };
  return { name, kind, resource, stored: await read(client, resource) };
}

/** Returns every webhook that could be read. */
export function webhooksOf(registration: readonly Side[]): readonly JsonObject[] {
  return registration.flatMap(({ stored }) => (stored.kind === 'found' ? webhooksIn(stored.body) : []));
}

/** Returns what most webhooks call; undefined if none names a server. */
export function targetOf(webhooks: readonly JsonObject[]): Target | undefined {
  const targets = webhooks.flatMap((webhook) => targetOfOne(webhook) ?? []);
  const texts = targets.map((target) => JSON.stringify(target));
  const count = (target: Target) => texts.filter((text) => text === JSON.stringify(target)).length;
  return targets.toSorted((a, b) => count(b) - count(a))[0];
}

/** Returns `NS/NAME` of the Certificate whose CA cert-manager writes into the configurations. */
export function certManagerOf(registration: readonly Side[]): string | undefined {
  const annotation = ['metadata', 'annotations', 'cert-manager.io/inject-ca-from'];
  const names = registration.map(({ stored }) => (stored.kind === 'found' ? textAt(stored.body, annotation) : ''));
  // It becomes a part of a command.
  return names.find((name) => /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(name ?? ''));
}

/** Returns one check for each configuration, and one for each webhook that should exist. */
export async function checkRegistration(context: DoctorContext, sides: readonly Side[]): Promise<readonly Check[]> {
  return (await Promise.all(sides.map((side) => checkSide(context, side)))).flat();
}

const HTTPS = 443;

function targetOfOne(webhook: Json): Target | undefined {
  const url = textAt(webhook, ['clientConfig', 'url']);
  if (url !== undefined) return URL.canParse(url) ? { url: url.replace(/\/(validate|mutate)\/?$/, '') } : undefined;
  const name = textAt(webhook, ['clientConfig', 'service', 'name']);
  const namespace = textAt(webhook, ['clientConfig', 'service', 'namespace']);
  const port = at(webhook, ['clientConfig', 'service', 'port']);
  if (!isName(name) || !isName(namespace)) return undefined;
  return { service: { namespace, name, port: typeof port === 'number' ? port : HTTPS } };
}

/** Returns whether a text can be the name of an object, and so a part of a path and of a command. */
function isName(text: string | undefined): text is string {
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text ?? '');
}

async function checkSide(context: DoctorContext, side: Side): Promise<readonly Check[]> {
  const { name, kind, resource, stored } = side;
  const results = resultsOf(`registration/${name}`, `${kind} ${WEBHOOKS}`);
  if (stored.kind === 'unknown') return [results.unknown(stored.reason, stored.remedy)];
  if (stored.kind === 'missing') {
    const lost = name === 'validating' ? 'no write is evaluated' : 'no label of a cluster manager is added';
    return [results.fail(`is missing: ${lost}`, applyCommand(context, 'webhooks', BY_FORCE))];
  }
  const found = webhooksIn(stored.body);
  const { namespace, target = { service: { namespace, name: SERVER } } } = context;
  const configurationOf = name === 'validating' ? validatingWebhookConfiguration : mutatingWebhookConfiguration;
  const enforcement = context.enforcement ?? enforcementFound(found);
  const expected = configurationOf({ target, namespace, enforcement });
  const applied = await dryRunApply(context.client, resource, expected);
  const names = expected.webhooks.map(nameOf);
  const extra = found.map(nameOf).filter((each) => !names.includes(each));
  return [
    checkExtra(context, side, extra, found.length),
    ...expected.webhooks.map((webhook) => checkWebhook(context, webhook, found, applied)),
  ];
}

/** Finds webhooks that should not be there: those of others, and those that only another configuration needs. */
function checkExtra(context: DoctorContext, { name, kind }: Side, extra: readonly string[], count: number): Check {
  const results = resultsOf(`registration/${name}`, `${kind} ${WEBHOOKS}`);
  const foreign = extra.filter((each) => !/\.(validate|mutate)\.muster$/.test(each));
  if (foreign.length > 0) {
    const remedy = `remove them: kubectl edit ${kind.toLowerCase()} ${WEBHOOKS}`;
    return results.warn(`has webhooks that are not muster's: ${foreign.join(', ')}`, remedy);
  }
  if (extra.length > 0) {
    const message = `has webhooks that the configuration does not need: ${extra.join(', ')}`;
    return results.warn(message, replaceRemedy(context, 'the webhooks'));
  }
  const there = `there, with ${count} ${count === 1 ? 'webhook' : 'webhooks'}`;
  if (name === 'mutating' || context.enforcement !== undefined) return results.ok(there);
  return results.ok(`${there}; the server's configuration, on which deletions depend, is unknown (--config FILE)`);
}

/** Returns the enforcement that the registration fits, for a configuration that is unknown: each choice counts as intended. */
function enforcementFound(webhooks: readonly JsonObject[]): Enforcement {
  const find = (prefix: string) => webhooks.find((webhook) => nameOf(webhook) === `${prefix}.validate.muster`);
  const failsClosed = (webhook: JsonObject | undefined) => textAt(webhook, ['failurePolicy']) === 'Fail';
  const owners = concepts.flatMap((concept) => {
    const webhook = find(`${concept}-owners`);
    return webhook === undefined ? [] : [[concept, failsClosed(webhook) ? 'deny' : 'warn'] as const];
  });
  const deletions = DELETION_CONCEPTS.map((concept) => [concept, failsClosed(find(`${concept}-deletions`))] as const);
  const conditions = listAt(find('inventory'), ['matchConditions']).map(nameOf);
  const profileLabel = !conditions.includes('does-more-than-lose-the-label');
  const placementIndex = failsClosed(find('placement-index'));
  return { deletions: Object.fromEntries(deletions), owners: Object.fromEntries(owners), profileLabel, placementIndex };
}

function checkWebhook(
  context: DoctorContext,
  expected: Webhook,
  found: readonly JsonObject[],
  applied: Found | Unknown,
): Check {
  const { name } = expected;
  const results = resultsOf(`registration/${name}`, `webhook ${name}`);
  const stored = found.find((webhook) => nameOf(webhook) === name);
  if (stored === undefined)
    return results.fail('is missing: its writes are not evaluated', applyCommand(context, 'webhooks', BY_FORCE));
  if (applied.kind === 'unknown') return results.unknown(applied.reason, applied.remedy);
  const wanted = webhooksIn(applied.body).find((webhook) => nameOf(webhook) === name);
  const extra = extraConditions(expected, stored);
  const all = [...differences('', wanted, stored), ...extra];
  if (all.length === 0) return results.ok('as it should be');
  const report = all.every(isDeliberate) ? results.warn : results.fail;
  const remedy =
    extra.length === 0 ? applyCommand(context, 'webhooks', BY_FORCE) : replaceRemedy(context, 'the match conditions');
  return report(`differs in ${all.map(({ path }) => path).join(', ')}`, remedy, all);
}

/** An apply leaves the match conditions of others, which may exclude writes that have to be evaluated. */
function extraConditions({ matchConditions }: Webhook, stored: JsonObject): readonly Difference[] {
  const names = matchConditions.map(({ name }) => name);
  const extra = listAt(stored, ['matchConditions']).filter((condition) => !names.includes(nameOf(condition)));
  return extra.map((condition) => difference(`matchConditions[${nameOf(condition)}]`, undefined, condition));
}

/** Settings that an operator may choose, or that cost calls: they exclude no write while the server runs. */
function isDeliberate({ path, found }: Difference): boolean {
  if (path.startsWith('matchConditions[')) return found === undefined;
  return ['failurePolicy', 'timeoutSeconds', 'sideEffects', 'reinvocationPolicy'].includes(path);
}

/** Returns the command that replaces the whole registration. It removes the caBundle, which is then written again. */
function replaceRemedy(context: DoctorContext, what: string): string {
  const { target, certManager } = context;
  if (certManager !== undefined) {
    return `correct ${what}: kubectl edit validatingwebhookconfiguration,mutatingwebhookconfiguration ${WEBHOOKS}`;
  }
  const command = applyCommand(context, 'webhooks', REPLACE);
  return target !== undefined && 'url' in target ? command : `${command} && ${certsRemedy(context)}`;
}

function webhooksIn(configuration: JsonObject): readonly JsonObject[] {
  return listAt(configuration, ['webhooks']) as readonly JsonObject[];
}

function nameOf(named: unknown): string {
  return textAt(named as Json, ['name']) ?? '';
}
