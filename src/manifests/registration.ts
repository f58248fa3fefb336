/** Builds the two webhook configurations. Which writes they match follows from the rules and the dialects. */
import type { Dialect } from '../api/dialects.ts';
import { appliesTo } from '../engine/plan.ts';
import { rules } from '../rules/index.ts';
import type { Operation } from '../rules/rule.ts';
import { type Manifest, manifest } from './manifest.ts';
import { labelConditions, type MatchCondition } from './match-conditions.ts';
import { NAMESPACE, WEBHOOKS } from './names.ts';
import { DEFAULT_ENFORCEMENT, type Enforcement } from './requirements.ts';
import { elsewhere, MUTATED, type Selector, VALIDATING_WEBHOOKS, type Writes } from './webhooks.ts';

export type FailurePolicy = 'Fail' | 'Ignore';

export interface RegistrationOptions {
  /** The base URL of a server outside of the cluster: `https://HOST:PORT`. */
  readonly url?: string | undefined;
  /** The Service of a server in the cluster, and its port, by default 443. Default: that of the manifests. */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number } | undefined;
  /** The CA (PEM, in base64) of the server's certificate. Default: who makes the certificate fills the CA in. */
  readonly caBundle?: string | undefined;
  /** What the server's configuration enforces; default: what it enforces without a configuration. */
  readonly enforcement?: Enforcement | undefined;
  /** The failure policy of every webhook, instead of its own. */
  readonly failurePolicy?: FailurePolicy | undefined;
  /** The name of both configurations; default `muster`. */
  readonly name?: string | undefined;
  /** muster's own namespace, for whose objects the webhooks are not called; default `muster-system`. */
  readonly namespace?: string | undefined;
}

export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly Operation[];
  readonly resources: readonly string[];
  readonly scope: Dialect['scope'];
}

export interface Webhook {
  readonly name: string;
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: Readonly<Record<string, unknown>>;
  readonly rules: readonly WebhookRule[];
  readonly matchPolicy: 'Equivalent';
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  readonly matchConditions?: readonly MatchCondition[];
  readonly failurePolicy: FailurePolicy;
  readonly sideEffects: 'NoneOnDryRun';
  readonly timeoutSeconds: number;
  readonly reinvocationPolicy?: 'IfNeeded';
}

export interface WebhookConfiguration extends Manifest {
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly webhooks: readonly Webhook[];
}

/** Returns the configuration for `/validate`. */
export function validatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const { namespace = NAMESPACE, enforcement = DEFAULT_ENFORCEMENT } = options;
  const { webhooks: actions, profileLabel, closedNamespaces } = enforcement;
  const webhooks = VALIDATING_WEBHOOKS.flatMap(({ name, where, writes, conditions, action }) => {
    const away = actions[name] ?? action;
    if (away === undefined) return [];
    const namespaceSelector = where(namespace, closedNamespaces);
    const matched = { writes, namespaceSelector, matchConditions: conditions(profileLabel) };
    return [webhook(`${name}.validate.muster`, away === 'deny', matched, options)];
  });
  return configuration('ValidatingWebhookConfiguration', options, webhooks);
}

/**
 * Returns the configuration for `/mutate`, which adds the manager's label to new inventory objects and to those that
 * lost it.
 */
export function mutatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const namespaceSelector = elsewhere(options.namespace ?? NAMESPACE);
  const matched = { writes: MUTATED, namespaceSelector, matchConditions: labelConditions() };
  const inventory = webhook('inventory.mutate.muster', false, matched, options);
  return configuration('MutatingWebhookConfiguration', options, [{ ...inventory, reinvocationPolicy: 'IfNeeded' }]);
}

function configuration(
  kind: WebhookConfiguration['kind'],
  { name = WEBHOOKS }: RegistrationOptions,
  webhooks: readonly Webhook[],
): WebhookConfiguration {
  return { ...manifest(['admissionregistration.k8s.io/v1', kind], { name }), kind, webhooks };
}

/** The writes that a webhook gets. */
interface Matched {
  readonly writes: readonly Writes[];
  readonly namespaceSelector: Selector;
  readonly matchConditions: readonly MatchCondition[];
}

/**
 * Builds one webhook.
 * @param name with at least three parts, as the API server requires
 * @param failsClosed whether writes are refused while muster is away
 */
function webhook(
  name: string,
  failsClosed: boolean,
  { writes, namespaceSelector, matchConditions }: Matched,
  options: RegistrationOptions,
): Webhook {
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(name.split('.')[1] ?? '', options),
    rules: writes.map(webhookRule),
    matchPolicy: 'Equivalent',
    namespaceSelector,
    // All objects. It is explicit, so that an apply replaces a selector that excludes some.
    objectSelector: {},
    ...(matchConditions.length > 0 && { matchConditions }),
    failurePolicy: options.failurePolicy ?? (failsClosed ? 'Fail' : 'Ignore'),
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: failsClosed ? 5 : 2,
  };
}

function clientConfig(path: string, options: RegistrationOptions): Readonly<Record<string, unknown>> {
  const { url, namespace = NAMESPACE, name = WEBHOOKS, service = { namespace, name }, caBundle } = options;
  const trust = caBundle === undefined ? {} : { caBundle };
  if (url !== undefined) return { url: `${url.replace(/\/+$/, '')}/${path}`, ...trust };
  return { service: { ...service, path: `/${path}`, port: service.port ?? 443 }, ...trust };
}

/** Returns the rule for such writes, with those of the operations that muster evaluates. */
function webhookRule({ dialect, operations, subresource }: Writes): WebhookRule {
  return {
    apiGroups: [dialect.group],
    apiVersions: dialect.versions,
    operations: operations.filter((each) => rules.some((rule) => appliesTo(rule, dialect, each, subresource))),
    resources: [subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`],
    scope: dialect.scope,
  };
}
