/** The data from which the chart's templates derive the webhooks: every webhook, and the rules on which it depends. */
import { policyFrom } from '../../src/config/policy.ts';
import { configurationSchema } from '../../src/config/schema.ts';
import type { Policy } from '../../src/engine/policy.ts';
import { partOf } from '../../src/manifests/installation.ts';
import { NAMESPACE } from '../../src/manifests/names.ts';
import type { Webhook, WebhookConfiguration } from '../../src/manifests/registration.ts';
import { type Enforcement, requiredEnforcement, requiredReads } from '../../src/manifests/requirements.ts';
import { VALIDATING_WEBHOOKS } from '../../src/manifests/webhooks.ts';
import { rules as catalogue } from '../../src/rules/index.ts';
import type { Action } from '../../src/rules/rule.ts';

type Strength = 'deny' | 'warn' | undefined;

/** A rule with an effect on the webhooks or the rights of the server. */
interface Cause {
  readonly rule: string;
  /** Its action where the configuration does not name it. */
  readonly default: 'deny' | 'warn' | 'ignore';
  /** The key of the configuration that enables the rule. */
  readonly setting?: string;
}

/**
 * Returns the content of files/webhooks.yaml: the effects with their causes, and the webhooks that some effect needs.
 */
export function chartWebhooks() {
  const strict = registration(everything('deny'));
  const lenient = registration(everything('warn'));
  const labelled = registration({ ...everything('deny'), profileLabel: true });
  const closing = registration({ ...everything('deny'), closedNamespaces: ['closed'] });
  const always = new Set(registration(NO_RULES).flatMap(({ webhooks }) => webhooks.map(({ name }) => name)));
  const webhooks = strict.map(({ kind, webhooks: all }, document) => {
    const entries = all.map((webhook, index) => {
      const warns = difference(webhook, lenient[document]?.webhooks[index]);
      const guardsLabel = difference(webhook, labelled[document]?.webhooks[index]);
      return {
        ...(warns && { effect: webhook.name.split('.')[0] }),
        ...(!always.has(webhook.name) && { isOptional: true }),
        webhook,
        ...(warns && { warns }),
        ...(guardsLabel && { guardsLabel }),
        ...(difference(webhook, closing[document]?.webhooks[index]) && { isForClosedNamespaces: true }),
      };
    });
    return [kind, entries];
  });
  return { effects: causesOfEffects(), webhooks: Object.fromEntries(webhooks) };
}

/** Returns the names of all webhooks that any configuration needs. */
export function webhookNames(): readonly string[] {
  return registration(everything('deny')).flatMap(({ webhooks }) => webhooks.map(({ name }) => name));
}

const CONFIGURED = VALIDATING_WEBHOOKS.flatMap(({ name, serves }) => (serves ? name : []));

function everything(action: 'deny' | 'warn'): Enforcement {
  return { ...NO_RULES, webhooks: Object.fromEntries(CONFIGURED.map((name) => [name, action])) };
}

/** What is enforced if all rules are ignored. */
const NO_RULES: Enforcement = { webhooks: {}, profileLabel: false, closedNamespaces: [] };

function registration(enforcement: Enforcement): readonly WebhookConfiguration[] {
  const options = { image: '', namespace: NAMESPACE, enforcement };
  return partOf('webhooks', options) as readonly WebhookConfiguration[];
}

/** Returns the members of `other` that differ from those of `webhook`; undefined where there are none. */
function difference(webhook: Webhook, other: Webhook | undefined): object | undefined {
  const entries = Object.entries(other ?? {}).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(webhook[key as keyof Webhook]),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Returns the effects of a policy: the actions of webhooks, by the first part of their names, and others. */
function effectsOf(policy: Policy): Readonly<Record<string, Strength>> {
  const { webhooks, profileLabel } = requiredEnforcement(policy);
  return {
    ...Object.fromEntries(CONFIGURED.map((name) => [name, webhooks[name]])),
    profileLabel: profileLabel ? 'deny' : undefined,
    profileLists: requiredReads(policy).profileLists ? 'warn' : undefined,
  };
}

/** Finds the causes of each effect by trial: one rule at a time, with and without each setting. */
function causesOfEffects(): Readonly<Record<string, readonly Cause[]>> {
  const causes: Record<string, Cause[]> = {};
  for (const { id } of catalogue) {
    const found = new Set<string>();
    for (const setting of [undefined, ...settings()]) {
      const denied = effectsWith(id, setting, 'deny');
      const usual = effectsWith(id, setting);
      for (const [effect, strength] of Object.entries(denied)) {
        causes[effect] ??= [];
        if (strength === undefined || found.has(effect)) continue;
        found.add(effect);
        const cause: Cause = { rule: id, default: usual[effect] ?? 'ignore' };
        causes[effect].push(setting === undefined ? cause : { ...cause, setting });
      }
    }
  }
  return causes;
}

/** Returns the effects of one rule, while all others are ignored. */
function effectsWith(id: string, setting: string | undefined, action?: 'deny') {
  const actions = new Map<string, Action>(catalogue.map((rule) => [rule.id, 'ignore']));
  if (action === undefined) actions.delete(id);
  else actions.set(id, action);
  const [section = '', key = ''] = setting?.split('.') ?? [];
  // A rule is enabled by the presence of its setting.
  const sections = setting === undefined ? {} : { [section]: { [key]: [{}] } };
  return effectsOf(policyFrom({ ...sections, rules: Object.fromEntries(actions) }));
}

/** Returns the keys of the configuration that may enable rules: `inventory.managers`. */
function settings(): readonly string[] {
  const { claims, inventory, features, placements, services } = configurationSchema.properties;
  const keys = Object.entries({ claims, inventory, features, placements, services });
  return keys.flatMap(([section, { properties }]) => Object.keys(properties).map((key) => `${section}.${key}`));
}
