/** The two webhook configurations. The matched writes follow from the catalogue of rules and from the dialects. */

import { type Concept, type Dialect, dialects } from '../api/dialects.ts';
import { appliesTo, type Enforcement } from '../engine/plan.ts';
import { rules } from '../rules/index.ts';
import type { Operation, Subresource } from '../rules/rule.ts';
import type { Manifest } from './manifest.ts';
import * as conditions from './match-conditions.ts';
import { LABELS, NAMESPACE, WEBHOOKS } from './names.ts';

export type FailurePolicy = 'Fail' | 'Ignore';

/** What applies without a configuration: deletions warn, and no manager is configured. */
export const NOTHING_ENFORCED: Enforcement = { deletions: {}, owners: {}, profileLabel: false };

export interface RegistrationOptions {
  /** A Service in the cluster (its port 443 by default), or the base URL of a server outside: `https://HOST:PORT`. */
  readonly target:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
    | { readonly url: string };
  /** The CA the server's certificate is checked against: PEM, in base64. Without it, `muster certs` fills it in. */
  readonly caBundle?: string;
  /** What the server's configuration enforces; default: what holds without one. */
  readonly enforcement?: Enforcement;
  /** Of every webhook, instead of its own. */
  readonly failurePolicy?: FailurePolicy;
  /** muster's own namespace, whose objects are never sent; default `muster-system`. */
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
  /** Every object: written out, so that an apply removes one that excludes objects. */
  readonly objectSelector: Readonly<Record<string, never>>;
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

/** Returns the configuration for `/validate`. */
export function validatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const { namespace = NAMESPACE, enforcement = NOTHING_ENFORCED } = options;
  const elsewhere = elsewhereThan(namespace);
  const notOurs = whereNamespace('NotIn', [namespace]);
  const features = {
    rules: [...matched('feature', '', WRITES), ...matched('feature', 'status')],
    matchConditions: conditions.writeConditions('feature', enforcement),
  };
  const deletions = (concept: 'inventory' | 'feature', where: Particular['where']): Particular => ({
    of: `${concept}-deletions`,
    ...strictness(enforcement.deletions[concept] ?? false),
    rules: matched(concept, '', ['DELETE']),
    where,
    matchConditions: conditions.deletionConditions(),
  });
  const owners = (concept: Concept, where: Particular['where']): readonly Particular[] => {
    const action = enforcement.owners[concept];
    if (action === undefined) return [];
    const rules = matched(concept, '', ['UPDATE']);
    const matchConditions = conditions.ownerConditions(concept, enforcement);
    return [{ of: `${concept}-owners`, ...strictness(action === 'deny'), rules, where, matchConditions }];
  };
  const webhooks: readonly Particular[] = [
    { of: 'claims', ...FIRM, rules: matched('claim', ''), where: {}, matchConditions: conditions.claimConditions() },
    ...owners('claim', {}),
    {
      of: 'inventory',
      ...FIRM,
      rules: matched('inventory', '', WRITES),
      where: elsewhere,
      matchConditions: conditions.writeConditions('inventory', enforcement),
    },
    {
      of: 'inventory-status',
      ...LENIENT,
      rules: matched('inventory', 'status'),
      where: elsewhere,
      matchConditions: conditions.inventoryStatusConditions(),
    },
    deletions('inventory', elsewhere),
    ...owners('inventory', elsewhere),
    { of: 'features', ...FIRM, ...features, where: elsewhere },
    // The control plane's own features must not wait for a webhook when it starts.
    { of: 'system-features', ...LENIENT, ...features, where: whereNamespace('In', ['kube-system']) },
    deletions('feature', notOurs),
    ...owners('feature', notOurs),
  ];
  const all = webhooks.map((particular) => webhook('validate', particular, options));
  return configuration('ValidatingWebhookConfiguration', all);
}

const WRITES: readonly Operation[] = ['CREATE', 'UPDATE'];
const FIRM = { failurePolicy: 'Fail', timeoutSeconds: 5 } as const;
const LENIENT = { failurePolicy: 'Ignore', timeoutSeconds: 2 } as const;

/** While muster is away, only writes that an active rule can deny are refused. */
const strictness = (mayDeny: boolean) => (mayDeny ? FIRM : LENIENT);

/** Returns the configuration for `/mutate`, which adds the manager's label to new inventory objects and to those that lost it. */
export function mutatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const inventory: Particular = {
    of: 'inventory',
    ...LENIENT,
    rules: matched('inventory', '', WRITES),
    where: elsewhereThan(options.namespace),
    matchConditions: conditions.labelConditions(),
  };
  const all = [{ ...webhook('mutate', inventory, options), reinvocationPolicy: 'IfNeeded' as const }];
  return configuration('MutatingWebhookConfiguration', all);
}

function configuration(kind: WebhookConfiguration['kind'], webhooks: readonly Webhook[]): WebhookConfiguration {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: WEBHOOKS, labels: LABELS },
    webhooks,
  };
}

/** The properties in which webhooks differ. */
interface Particular extends Pick<Webhook, 'rules' | 'matchConditions' | 'failurePolicy' | 'timeoutSeconds'> {
  readonly of: string;
  readonly where: Webhook['namespaceSelector'];
}

function webhook(path: 'validate' | 'mutate', particular: Particular, options: RegistrationOptions): Webhook {
  return {
    // The API server requires three parts at least.
    name: `${particular.of}.${path}.muster`,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(path, options),
    rules: particular.rules,
    matchPolicy: 'Equivalent',
    namespaceSelector: particular.where,
    objectSelector: {},
    matchConditions: particular.matchConditions,
    failurePolicy: options.failurePolicy ?? particular.failurePolicy,
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: particular.timeoutSeconds,
  };
}

function clientConfig(path: string, { target, caBundle }: RegistrationOptions): Webhook['clientConfig'] {
  const trust = caBundle === undefined ? {} : { caBundle };
  if ('url' in target) return { url: `${target.url.replace(/\/+$/, '')}/${path}`, ...trust };
  const port = target.service.port ?? 443;
  return { service: { ...target.service, path: `/${path}`, port }, ...trust };
}

/** Returns a rule for each dialect of the concept, with those of the operations that muster evaluates. */
function matched(
  concept: Concept,
  subresource: Subresource,
  among: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE'],
): readonly WebhookRule[] {
  return dialects
    .filter((dialect) => dialect.concept === concept)
    .map((dialect) => ({
      apiGroups: [dialect.group],
      apiVersions: dialect.versions,
      operations: operationsOf(dialect, subresource).filter((operation) => among.includes(operation)),
      resources: [subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`],
      scope: dialect.scope,
    }));
}

function operationsOf(dialect: Dialect, subresource: Subresource): readonly Operation[] {
  const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE'];
  return operations.filter((operation) => rules.some((rule) => appliesTo(rule, dialect, operation, subresource)));
}

function elsewhereThan(namespace = NAMESPACE): Webhook['namespaceSelector'] {
  return whereNamespace('NotIn', [...new Set(['kube-system', namespace])]);
}

function whereNamespace(operator: 'In' | 'NotIn', values: readonly string[]): Webhook['namespaceSelector'] {
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }] };
}
