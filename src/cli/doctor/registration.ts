/** Checks the two webhook configurations, and reads from them how the API server reaches the server. */
import type { ApiClient } from '../../cluster/live/client.ts';
import type { Enforcement } from '../../engine/plan.ts';
import { SERVER } from '../../manifests/names.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from '../../manifests/registration.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import {
  applyByForceCommand,
  certsRemedy,
  type DoctorContext,
  isName,
  replaceCommand,
  type Target,
} from './context.ts';
import { type Applied, type Difference, difference, differences, dryRunApply } from './differences.ts';
import { type ReadResult, read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

type Side = 'validating' | 'mutating';
const SIDES: readonly Side[] = ['validating', 'mutating'];
const KINDS = { validating: 'ValidatingWebhookConfiguration', mutating: 'MutatingWebhookConfiguration' } as const;
const HTTPS = 443;

/** Both configurations, as far as they can be read. */
export type Registration = Readonly<Record<Side, ReadResult>>;

/** Reads both configurations. */
export async function readRegistration(client: ApiClient, name: string): Promise<Registration> {
  const readSide = (side: Side) =>
    read(client, pathOf(side, name), `get ${side}webhookconfigurations.admissionregistration.k8s.io ${name}`);
  const [validating, mutating] = await Promise.all([readSide('validating'), readSide('mutating')]);
  return { validating, mutating };
}

/** Returns every webhook that could be read. */
export function webhooksOf(registration: Registration): readonly JsonObject[] {
  return bodiesOf(registration).flatMap((body) => listAt(body, ['webhooks']) as readonly JsonObject[]);
}

/** Returns what most webhooks call; undefined if none names a server. */
export function targetOf(webhooks: readonly JsonObject[]): Target | undefined {
  const targets = webhooks.flatMap((webhook) => targetOfOne(webhook) ?? []);
  const texts = targets.map((target) => JSON.stringify(target));
  const count = (text: string) => texts.filter((each) => each === text).length;
  const [most] = [...new Set(texts)].sort((a, b) => count(b) - count(a));
  return targets[texts.indexOf(most ?? '')];
}

/** Returns `NS/NAME` of the Certificate whose CA cert-manager writes into the configurations. */
export function certManagerOf(registration: Registration): string | undefined {
  const annotation = ['metadata', 'annotations', 'cert-manager.io/inject-ca-from'];
  const [name] = bodiesOf(registration).flatMap((body) => textAt(body, annotation) ?? []);
  // It becomes a part of a command.
  return /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(name ?? '') ? name : undefined;
}

/** Returns one check for each configuration, and one for each webhook that should exist. */
export async function checkRegistration(context: DoctorContext, registration: Registration): Promise<readonly Check[]> {
  const checks = await Promise.all(SIDES.map((side) => checkSide(context, side, registration[side])));
  return checks.flat();
}

function bodiesOf(registration: Registration): readonly JsonObject[] {
  return SIDES.map((side) => registration[side]).flatMap((result) => (result.kind === 'found' ? [result.body] : []));
}

function pathOf(side: Side, name: string): string {
  return `/apis/admissionregistration.k8s.io/v1/${side}webhookconfigurations/${encodeURIComponent(name)}`;
}

function targetOfOne(webhook: Json): Target | undefined {
  const url = textAt(webhook, ['clientConfig', 'url']);
  if (url !== undefined) return URL.canParse(url) ? { url: url.replace(/\/(validate|mutate)\/?$/, '') } : undefined;
  const name = textAt(webhook, ['clientConfig', 'service', 'name']);
  const namespace = textAt(webhook, ['clientConfig', 'service', 'namespace']);
  const port = at(webhook, ['clientConfig', 'service', 'port']);
  if (!isName(name) || !isName(namespace)) return undefined;
  return { service: { namespace, name, port: typeof port === 'number' ? port : HTTPS } };
}

async function checkSide(context: DoctorContext, side: Side, stored: ReadResult): Promise<readonly Check[]> {
  const results = resultsOf(`registration/${side}`, `${KINDS[side]} ${context.webhook}`);
  if (stored.kind === 'unknown') return [results.unknown(stored.reason, stored.remedy)];
  if (stored.kind === 'missing') {
    const lost = side === 'validating' ? 'no write is evaluated' : 'no label of a cluster manager is added';
    return [results.fail(`is missing: ${lost}`, applyByForceCommand(context, 'webhooks'))];
  }
  const found = listAt(stored.body, ['webhooks']) as readonly JsonObject[];
  const configuration = expectedOf(context, side, context.enforcement ?? enforcementFound(found));
  const expected = listAt(configuration, ['webhooks']) as readonly JsonObject[];
  const applied = await dryRunApply(context.client, pathOf(side, context.webhook), configuration);
  return [
    checkExtra(context, side, expected, found),
    ...expected.map((webhook) => checkWebhook(context, webhook, found, applied)),
  ];
}

/** Finds webhooks that should not be there: those of others, and those that only another configuration needs. */
function checkExtra(
  context: DoctorContext,
  side: Side,
  expected: readonly JsonObject[],
  found: readonly JsonObject[],
): Check {
  const results = resultsOf(`registration/${side}`, `${KINDS[side]} ${context.webhook}`);
  const names = expected.map(nameOf);
  const extra = found.map(nameOf).filter((name) => !names.includes(name));
  const possible = listAt(expectedOf(context, side, EVERYTHING_ENFORCED), ['webhooks']).map(nameOf);
  const foreign = extra.filter((name) => !possible.includes(name));
  if (foreign.length > 0) {
    const remedy = `remove them: kubectl edit ${KINDS[side].toLowerCase()} ${context.webhook}`;
    return results.warn(`has webhooks that are not muster's: ${foreign.join(', ')}`, remedy);
  }
  if (extra.length > 0) {
    const message = `has webhooks that the configuration does not need: ${extra.join(', ')}`;
    return results.warn(message, replaceRemedy(context, 'the webhooks'));
  }
  const count = `there, with ${found.length} ${found.length === 1 ? 'webhook' : 'webhooks'}`;
  if (side === 'mutating' || context.enforcement !== undefined) return results.ok(count);
  return results.ok(`${count}; the server's configuration, on which deletions depend, is unknown (--config FILE)`);
}

const EVERYTHING_ENFORCED: Enforcement = {
  deletions: { inventory: true, feature: true },
  owners: { claim: 'deny', inventory: 'deny', feature: 'deny' },
  profileLabel: true,
};

/** Returns the enforcement that the registration fits, for a configuration that is unknown: each choice counts as intended. */
function enforcementFound(webhooks: readonly JsonObject[]): Enforcement {
  const find = (prefix: string) => webhooks.find((webhook) => nameOf(webhook) === `${prefix}.validate.muster`);
  const failsClosed = (webhook: JsonObject | undefined) => textAt(webhook, ['failurePolicy']) === 'Fail';
  const concepts = ['claim', 'inventory', 'feature'] as const;
  const owners = concepts.flatMap((concept) => {
    const webhook = find(`${concept}-owners`);
    return webhook === undefined ? [] : [[concept, failsClosed(webhook) ? 'deny' : 'warn'] as const];
  });
  const deletions = concepts.map((concept) => [concept, failsClosed(find(`${concept}-deletions`))] as const);
  const conditions = listAt(find('inventory'), ['matchConditions']).map(nameOf);
  const profileLabel = !conditions.includes('does-more-than-lose-the-label');
  return { deletions: Object.fromEntries(deletions), owners: Object.fromEntries(owners), profileLabel };
}

function checkWebhook(
  context: DoctorContext,
  expected: JsonObject,
  found: readonly JsonObject[],
  applied: Applied,
): Check {
  const name = nameOf(expected);
  const results = resultsOf(`registration/${name}`, `webhook ${name}`);
  const stored = found.find((webhook) => nameOf(webhook) === name);
  if (stored === undefined) {
    return results.fail('is missing: its writes are not evaluated', applyByForceCommand(context, 'webhooks'));
  }
  const wanted = listAt(applied.object, ['webhooks']).find((webhook) => nameOf(webhook) === name);
  const extra = extraConditions(expected, stored);
  const all = [...differences('', wanted, stored, applied.isComplete), ...extra];
  if (all.length === 0) return results.ok('as it should be');
  const paths = all.map(({ path }) => path).join(', ');
  const report = all.every(isDeliberate) ? results.warn : results.fail;
  const remedy =
    extra.length === 0 ? applyByForceCommand(context, 'webhooks') : replaceRemedy(context, 'the match conditions');
  return report(`differs in ${paths}`, remedy, all);
}

/** An apply leaves the match conditions of others, which may exclude writes that have to be evaluated. */
function extraConditions(expected: JsonObject, stored: JsonObject): readonly Difference[] {
  const names = listAt(expected, ['matchConditions']).map(nameOf);
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
  const { target, certManager, webhook } = context;
  if (certManager !== undefined) {
    return `correct ${what}: kubectl edit validatingwebhookconfiguration,mutatingwebhookconfiguration ${webhook}`;
  }
  const command = replaceCommand(context, 'webhooks');
  return target !== undefined && 'url' in target ? command : `${command} && ${certsRemedy(context)}`;
}

function expectedOf({ target, webhook, namespace }: DoctorContext, side: Side, enforcement: Enforcement): JsonObject {
  const service = { namespace, name: SERVER };
  const options = { target: target ?? { service }, name: webhook, namespace, enforcement };
  const whole = side === 'validating' ? validatingWebhookConfiguration(options) : mutatingWebhookConfiguration(options);
  // Any port will do, as long as all agree and the Service has it.
  const port = target !== undefined && 'service' in target ? { port: target.service.port } : {};
  const webhooks = whole.webhooks.map(({ clientConfig, ...rest }) => {
    const called = clientConfig['service'] as object | undefined;
    return { ...rest, clientConfig: called === undefined ? clientConfig : { service: { ...called, ...port } } };
  });
  return { ...whole, webhooks } as unknown as JsonObject;
}

function nameOf(named: Json): string {
  return textAt(named, ['name']) ?? '';
}
