/** The two webhook configurations as they stand, and what they say of where muster is. */
import type { ApiClient } from '../../cluster/live/client.ts';
import { SERVER } from '../../manifests/names.ts';
import {
  type Enforcement,
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from '../../manifests/registration.ts';
import { at, listAt, textAt } from '../../rules/json.ts';
import type { Json, JsonObject } from '../../rules/rule.ts';
import { compareWebhook, type Difference } from './compare.ts';
import { apply, certs, type Examination, isName, replace, type Target } from './examination.ts';
import { look, type Sight } from './look.ts';
import { about, type Check, worstOf } from './report.ts';

export type Side = 'validating' | 'mutating';

/** Both configurations, as far as they can be seen. */
export interface Registration {
  readonly validating: Sight;
  readonly mutating: Sight;
}

export async function readRegistration(client: ApiClient, name: string): Promise<Registration> {
  const [validating, mutating] = await Promise.all([
    lookAtSide(client, 'validating', name),
    lookAtSide(client, 'mutating', name),
  ]);
  return { validating, mutating };
}

/** Every webhook of what could be seen. */
export function webhooksOf({ validating, mutating }: Registration): readonly JsonObject[] {
  return [validating, mutating].flatMap((sight) =>
    sight.kind === 'found' ? (listAt(sight.body, ['webhooks']) as readonly JsonObject[]) : [],
  );
}

/** Where most of the webhooks point. Undefined where none points anywhere. */
export function targetOf(webhooks: readonly JsonObject[]): Target | undefined {
  const targets = webhooks.flatMap((webhook) => targetOfOne(webhook) ?? []);
  const counts = new Map<string, { target: Target; count: number }>();
  for (const target of targets) {
    const key = JSON.stringify(target);
    counts.set(key, { target, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.target;
}

/** `NS/NAME` of the Certificate whose CA cert-manager writes into them. */
export function certManagerOf({ validating, mutating }: Registration): string | undefined {
  const [found] = [validating, mutating].flatMap((sight) =>
    sight.kind === 'found'
      ? (textAt(sight.body, ['metadata', 'annotations', 'cert-manager.io/inject-ca-from']) ?? [])
      : [],
  );
  // It ends up in a command that somebody pastes.
  return /^[a-z0-9.-]+\/[a-z0-9.-]+$/.test(found ?? '') ? found : undefined;
}

/** One check for each webhook that should be there, and one for each configuration. */
export function checkRegistration(examination: Examination, registration: Registration): readonly Check[] {
  return [
    ...checkSide(examination, 'validating', registration.validating),
    ...checkSide(examination, 'mutating', registration.mutating),
  ];
}

const HTTPS = 443;
const KINDS = { validating: 'ValidatingWebhookConfiguration', mutating: 'MutatingWebhookConfiguration' } as const;

function lookAtSide(client: ApiClient, side: Side, name: string): Promise<Sight> {
  const plural = `${side}webhookconfigurations`;
  const path = `/apis/admissionregistration.k8s.io/v1/${plural}/${encodeURIComponent(name)}`;
  return look(client, { path, right: `get ${plural}.admissionregistration.k8s.io ${name}` });
}

function targetOfOne(webhook: Json): Target | undefined {
  const url = textAt(webhook, ['clientConfig', 'url']);
  // The API server takes nothing else; what could not be dialled can't be compared either.
  if (url !== undefined) return URL.canParse(url) ? { url: url.replace(/\/(validate|mutate)\/?$/, '') } : undefined;
  const name = textAt(webhook, ['clientConfig', 'service', 'name']);
  const namespace = textAt(webhook, ['clientConfig', 'service', 'namespace']);
  const port = at(webhook, ['clientConfig', 'service', 'port']);
  if (!isName(name) || !isName(namespace)) return undefined;
  return { service: { namespace, name, port: typeof port === 'number' ? port : HTTPS } };
}

function checkSide(examination: Examination, side: Side, sight: Sight): readonly Check[] {
  const verdicts = about(`registration/${side}`, `${KINDS[side]} ${examination.webhook}`);
  const remedy = apply(examination, 'webhooks');
  if (sight.kind === 'unknown') return [verdicts.unknown(sight.reason, sight.remedy)];
  if (sight.kind === 'missing') {
    const lost = side === 'validating' ? 'nothing is judged' : 'no label of a cluster manager is added';
    return [verdicts.fail(`is not there: ${lost}`, remedy)];
  }
  const found = listAt(sight.body, ['webhooks']) as readonly JsonObject[];
  const enforcement = examination.enforcement ?? enforcementFound(found);
  const expected = expectedOf(examination, side, enforcement);
  const whole = checkExtra(examination, side, { expected, found });
  return [whole, ...expected.map((webhook) => checkWebhook(examination, webhook, found))];
}

/** Webhooks that should not be there: those of others, and those that only another configuration needs. */
function checkExtra(
  examination: Examination,
  side: Side,
  { expected, found }: { readonly expected: readonly JsonObject[]; readonly found: readonly JsonObject[] },
): Check {
  const verdicts = about(`registration/${side}`, `${KINDS[side]} ${examination.webhook}`);
  const names = new Set(expected.map(nameOf));
  const extra = found.map(nameOf).filter((name) => !names.has(name));
  const ours = new Set(expectedOf(examination, side, EVERYTHING_ENFORCED).map(nameOf));
  const foreign = extra.filter((name) => !ours.has(name));
  if (foreign.length > 0) {
    const remedy = `take them out: kubectl edit ${KINDS[side].toLowerCase()} ${examination.webhook}`;
    return verdicts.warn(`has webhooks that are not muster's: ${foreign.join(', ')}`, remedy);
  }
  if (extra.length > 0) {
    const message = `has webhooks that the configuration does not need: ${extra.join(', ')}`;
    return verdicts.warn(message, replaced(examination, 'the webhooks'));
  }
  const there = `there, with ${found.length} ${found.length === 1 ? 'webhook' : 'webhooks'}`;
  if (side === 'mutating' || examination.enforcement !== undefined) return verdicts.ok(there);
  return verdicts.ok(`${there}; the server's configuration, which decides on deletions, is not known (--config FILE)`);
}

const EVERYTHING_ENFORCED: Enforcement = {
  deletions: { inventory: true, feature: true },
  owners: { claim: 'deny', inventory: 'deny', feature: 'deny' },
  profileLabel: true,
};

/** The configuration that the registration would fit, where the configuration itself is not known: each choice counts as meant. */
function enforcementFound(webhooks: readonly JsonObject[]): Enforcement {
  const found = (of: string) => webhooks.find((webhook) => nameOf(webhook) === `${of}.validate.muster`);
  const isFirm = (webhook: JsonObject | undefined) => textAt(webhook, ['failurePolicy']) === 'Fail';
  const concepts = ['claim', 'inventory', 'feature'] as const;
  const owners = concepts.flatMap((concept) => {
    const webhook = found(`${concept}-owners`);
    return webhook === undefined ? [] : [[concept, isFirm(webhook) ? 'deny' : 'warn'] as const];
  });
  const deletions = concepts.map((concept) => [concept, isFirm(found(`${concept}-deletions`))] as const);
  const conditions = listAt(found('inventory'), ['matchConditions']).map((one) => textAt(one, ['name']));
  const profileLabel = !conditions.includes('does-more-than-lose-the-label');
  return { deletions: Object.fromEntries(deletions), owners: Object.fromEntries(owners), profileLabel };
}

function checkWebhook(examination: Examination, expected: JsonObject, found: readonly JsonObject[]): Check {
  const name = nameOf(expected);
  const verdicts = about(`registration/${name}`, `webhook ${name}`);
  const live = found.find((webhook) => nameOf(webhook) === name);
  if (live === undefined) {
    return verdicts.fail('is not there: what it is for passes unjudged', apply(examination, 'webhooks'));
  }
  const differences = compareWebhook(expected, live);
  if (differences.length === 0) return verdicts.ok('as it should be');
  const say = worstOf(differences.map(({ status }) => status)) === 'fail' ? verdicts.fail : verdicts.warn;
  const places = differences.map(({ path }) => path).join(', ');
  return say(
    `differs in ${places}`,
    mend(examination, differences),
    differences.map(({ status: _, ...detail }) => detail),
  );
}

/** An apply leaves what it does not know of. A replace takes the caBundle that `muster certs` wrote. */
function mend(examination: Examination, differences: readonly Difference[]): string {
  const isLeft = ({ path, expected }: Difference) => expected === undefined || path.endsWith('Selector');
  if (!differences.some(isLeft)) return apply(examination, 'webhooks');
  const places = differences.filter(isLeft).map(({ path }) => path);
  return replaced(examination, places.join(', '));
}

/** The command that puts a whole registration in place of the one that is there. */
function replaced(examination: Examination, places: string): string {
  const { target, certManager, webhook } = examination;
  if (certManager !== undefined)
    return `set right ${places}: kubectl edit validatingwebhookconfiguration,mutatingwebhookconfiguration ${webhook}`;
  const command = replace(examination, 'webhooks');
  return target !== undefined && 'url' in target ? command : `${command} && ${certs(examination)}`;
}

function expectedOf(
  { target, webhook, namespace }: Examination,
  side: Side,
  enforcement: Enforcement,
): readonly JsonObject[] {
  const service = { service: { namespace, name: SERVER } };
  const options = { target: target ?? service, name: webhook, namespace, enforcement };
  const whole = side === 'validating' ? validatingWebhookConfiguration(options) : mutatingWebhookConfiguration(options);
  const webhooks = whole.webhooks as unknown as readonly JsonObject[];
  if (target === undefined || 'url' in target) return webhooks;
  // Which port is the Service's own affair, as long as all agree and the Service has it.
  return webhooks.map((each) => {
    const service = at(each, ['clientConfig', 'service']) as JsonObject;
    return { ...each, clientConfig: { service: { ...service, port: target.service.port } } };
  });
}

function nameOf(webhook: Json): string {
  return textAt(webhook, ['name']) ?? '';
}
