/**
 * How an API server comes to call muster: the two webhook configurations. What is matched comes from the catalogue of
 * rules and from the dialects; how firmly, from the table "Registration" of the public surface.
 */
import { rules } from '../rules/index.ts';
import type { Operation, Rule, Subresource } from '../rules/rule.ts';
import { type Concept, type Dialect, dialects } from '../schemas/dialects.ts';
import type { Manifest } from './manifest.ts';
import * as conditions from './match-conditions.ts';
import { LABELS, NAMESPACE, WEBHOOKS } from './names.ts';

export type FailurePolicy = 'Fail' | 'Ignore';

export interface RegistrationOptions {
  /** A Service in the cluster (its port 443), or the base URL of a server outside: `https://HOST:PORT`. */
  readonly target:
    | { readonly service: { readonly namespace: string; readonly name: string } }
    | { readonly url: string };
  /** The CA the server's certificate is checked against: PEM, in base64. Without it, `muster certs` fills it in. */
  readonly caBundle?: string;
  /** For every webhook, in place of its own. */
  readonly failurePolicy?: FailurePolicy;
  /** Of the configurations; default `muster`. */
  readonly name?: string;
  /** Where muster itself lives, which is never guarded; default `muster-system`. */
  readonly namespace?: string;
}

export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly Operation[];
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
}

export interface Webhook {
  readonly name: string;
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: Readonly<Record<string, unknown>>;
  readonly rules: readonly WebhookRule[];
  readonly matchPolicy: 'Equivalent';
  readonly namespaceSelector: Readonly<Record<string, unknown>>;
  readonly matchConditions: readonly conditions.MatchCondition[];
  readonly failurePolicy: FailurePolicy;
  readonly sideEffects: 'NoneOnDryRun';
  readonly timeoutSeconds: number;
  readonly reinvocationPolicy?: 'IfNeeded';
}

export interface WebhookConfiguration extends Manifest {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: 'ValidatingWebhookConfiguration' | 'MutatingWebhookConfiguration';
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly webhooks: readonly Webhook[];
}

/** All that `/validate` decides. */
export function validatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const { namespace = NAMESPACE } = options;
  const elsewhere = whereNamespace('NotIn', [...new Set(['kube-system', namespace])]);
  const inSystem = whereNamespace('In', ['kube-system']);
  const firm = { failurePolicy: 'Fail', timeoutSeconds: 5 } as const;
  const lenient = { failurePolicy: 'Ignore', timeoutSeconds: 2 } as const;
  const features = {
    rules: [...matched('feature', ''), ...matched('feature', 'status')],
    matchConditions: conditions.featureConditions(),
  };
  const webhooks: readonly Particular[] = [
    { of: 'claims', ...firm, rules: matched('claim', ''), where: {}, matchConditions: conditions.claimConditions() },
    {
      of: 'inventory',
      ...firm,
      rules: matched('inventory', ''),
      where: elsewhere,
      matchConditions: conditions.inventoryConditions(),
    },
    {
      of: 'inventory-status',
      ...lenient,
      rules: matched('inventory', 'status'),
      where: elsewhere,
      matchConditions: conditions.inventoryStatusConditions(),
    },
    { of: 'features', ...firm, ...features, where: elsewhere },
    // The cluster's own features must not wait for a webhook when its control plane starts.
    { of: 'system-features', ...lenient, ...features, where: inSystem },
  ];
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: options.name ?? WEBHOOKS, labels: LABELS },
    webhooks: webhooks.map((particular) => webhook('validate', particular, options)),
  };
}

/** All that `/mutate` adds: the manager's label of a new inventory object. */
export function mutatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const { namespace = NAMESPACE } = options;
  const inventory: Particular = {
    of: 'inventory',
    failurePolicy: 'Ignore',
    timeoutSeconds: 2,
    rules: matched('inventory', '').map((rule) => ({ ...rule, operations: ['CREATE'] })),
    where: whereNamespace('NotIn', [...new Set(['kube-system', namespace])]),
    matchConditions: conditions.labelConditions(),
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: options.name ?? WEBHOOKS, labels: LABELS },
    webhooks: [{ ...webhook('mutate', inventory, options), reinvocationPolicy: 'IfNeeded' }],
  };
}

/** What tells one webhook from the others. */
interface Particular extends Pick<Webhook, 'rules' | 'matchConditions' | 'failurePolicy' | 'timeoutSeconds'> {
  readonly of: string;
  readonly where: Webhook['namespaceSelector'];
}

function webhook(path: 'validate' | 'mutate', particular: Particular, options: RegistrationOptions): Webhook {
  return {
    // The API server wants three parts at least.
    name: `${particular.of}.${path}.muster`,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(path, options),
    rules: particular.rules,
    matchPolicy: 'Equivalent',
    namespaceSelector: particular.where,
    matchConditions: particular.matchConditions,
    failurePolicy: options.failurePolicy ?? particular.failurePolicy,
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: particular.timeoutSeconds,
  };
}

function clientConfig(path: string, { target, caBundle }: RegistrationOptions): Webhook['clientConfig'] {
  const trust = caBundle === undefined ? {} : { caBundle };
  if ('url' in target) return { url: `${target.url.replace(/\/+$/, '')}/${path}`, ...trust };
  return { service: { ...target.service, path: `/${path}`, port: 443 }, ...trust };
}

/** What rules speak of, one entry for each dialect of the concept. */
function matched(concept: Concept, subresource: Subresource): readonly WebhookRule[] {
  const among = dialects.filter((dialect) => dialect.concept === concept);
  return among.map((dialect) => ({
    apiGroups: [dialect.group],
    apiVersions: dialect.versions,
    operations: operationsOf(dialect, subresource),
    resources: [subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`],
    scope: dialect.scope,
  }));
}

/** A status is only ever updated. */
function operationsOf(dialect: Dialect, subresource: Subresource): readonly Operation[] {
  const speaking = rules.filter((rule) => speaksOf(rule, dialect, subresource));
  const operations: readonly Operation[] = subresource === '' ? ['CREATE', 'UPDATE', 'DELETE'] : ['UPDATE'];
  return operations.filter((operation) => speaking.some(({ on }) => (on as readonly Operation[]).includes(operation)));
}

function speaksOf(rule: Rule, dialect: Dialect, subresource: Subresource): boolean {
  if (rule.concept !== dialect.concept || !(rule.dialects?.includes(dialect.name) ?? true)) return false;
  return (rule.subresources ?? ['']).includes(subresource);
}

function whereNamespace(operator: 'In' | 'NotIn', values: readonly string[]): Webhook['namespaceSelector'] {
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }] };
}
