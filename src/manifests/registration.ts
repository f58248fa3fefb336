/** Builds the two webhook configurations. Which writes they match follows from the rules and the dialects. */
import { type Concept, type Dialect, dialects, serviceExport, serviceImport } from '../api/dialects.ts';
import { appliesTo } from '../engine/plan.ts';
import { rules } from '../rules/index.ts';
import { OPERATIONS, type Operation, type Subresource } from '../rules/rule.ts';
import { type Manifest, manifest } from './manifest.ts';
import * as conditions from './match-conditions.ts';
import { NAMESPACE, NAMESPACE_LABEL, WEBHOOKS } from './names.ts';
import { DEFAULT_ENFORCEMENT, type Deleted, type Enforcement, type ServiceWrite } from './requirements.ts';

export type FailurePolicy = 'Fail' | 'Ignore';

export interface RegistrationOptions {
  /** A Service in the cluster (its port 443 by default), or the base URL of a server outside: `https://HOST:PORT`. */
  readonly target:
    | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
    | { readonly url: string };
  /** The CA (PEM, in base64) of the server's certificate. Without it, who makes the certificate fills the CA in. */
  readonly caBundle?: string | undefined;
  /** What the server's configuration enforces; default: what it enforces without a configuration. */
  readonly enforcement?: Enforcement;
  /** The failure policy of every webhook, instead of its own. */
  readonly failurePolicy?: FailurePolicy | undefined;
  /** The name of both configurations; default `muster`. */
  readonly name?: string;
  /** muster's own namespace, for whose objects the webhooks are not called; default `muster-system`. */
  readonly namespace?: string;
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
  readonly rules: Matched;
  readonly matchPolicy: 'Equivalent';
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  readonly matchConditions?: Conditions;
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
  const elsewhere = elsewhereThan(namespace);
  const notOurs = whereNamespace('NotIn', [namespace]);
  // The control plane's own features must not wait for a webhook when it starts.
  const system = whereNamespace('In', ['kube-system']);
  const one = (of: string, failsClosed: boolean, where: Selector, rules: Matched, matchConditions: Conditions) =>
    webhook(`${of}.validate.muster`, { ...options, failsClosed, where, rules, matchConditions });
  const deletions = (of: Deleted, where: Selector) => {
    const failsClosed = enforcement.deletions[of] ?? false;
    const rules = webhookRules(of === 'membership' ? 'claim' : of, '', ['DELETE']);
    return one(`${of}-deletions`, failsClosed, where, rules, conditions.deletionConditions(of));
  };
  const guarded = (concept: Concept, where: Selector, rules: Matched, matchConditions: Conditions) => {
    const action = enforcement.owners[concept];
    if (action === undefined) return [];
    return [one(`${concept}-owners`, action === 'deny', where, rules, matchConditions)];
  };
  const owners = (concept: Concept, where: Selector) =>
    guarded(concept, where, webhookRules(concept, '', ['UPDATE']), conditions.ownerConditions(concept, enforcement));
  // Also in kube-system, the first namespace from which administrators forbid exports.
  const services = (write: ServiceWrite, where: Selector, rules: Matched, matchConditions: Conditions) => {
    const action = enforcement.services[write];
    return action === undefined ? [] : [one(`service-${write}`, action === 'deny', where, rules, matchConditions)];
  };
  const inventory = webhookRules('inventory', '', WRITES);
  const features = [...webhookRules('feature', '', WRITES), ...webhookRules('feature', 'status')];
  const placement = webhookRules('placement', '', WRITES);
  const featureConditions = conditions.writeConditions('feature', enforcement);
  return configuration('ValidatingWebhookConfiguration', options, [
    one('claims', true, {}, webhookRules('claim', ''), conditions.claimConditions()),
    // By default no rule denies a leave: muster gets it to release a lock, which also ends by itself.
    deletions('membership', {}),
    ...owners('claim', {}),
    one('inventory', true, elsewhere, inventory, conditions.writeConditions('inventory', enforcement)),
    // Rules can deny a status, but health reports and features of kube-system must work while muster is away.
    one('inventory-status', false, elsewhere, webhookRules('inventory', 'status'), conditions.statusConditions()),
    deletions('inventory', elsewhere),
    ...owners('inventory', elsewhere),
    one('features', true, elsewhere, features, featureConditions),
    one('system-features', false, system, features, featureConditions),
    deletions('feature', notOurs),
    ...owners('feature', notOurs),
    one('placement', true, elsewhere, placement, conditions.writeConditions('placement', enforcement)),
    // Without a configuration, no rule denies an index, so it can be changed while muster is away.
    one(
      'placement-index',
      enforcement.placementIndex,
      elsewhere,
      webhookRules('placement', '', ['UPDATE']),
      conditions.indexConditions(enforcement),
    ),
    // Writes that only schedulers may make, if schedulers are configured.
    ...guarded(
      'placement',
      elsewhere,
      webhookRules('placement', '', ['UPDATE', 'DELETE']),
      conditions.schedulerConditions(),
    ),
    ...services('exports', closedWithout(namespace, enforcement), webhookRulesOf(serviceExport, '', ['CREATE']), []),
    ...services(
      'imports',
      notOurs,
      webhookRulesOf(serviceImport, '', WRITES),
      conditions.writeConditions('service', enforcement),
    ),
    ...services('status', notOurs, webhookRulesOf(serviceImport, 'status', WRITES), conditions.statusConditions()),
    // Writes that only import managers may make, if they are configured.
    ...guarded(
      'service',
      notOurs,
      webhookRulesOf(serviceImport, '', ['UPDATE', 'DELETE']),
      conditions.importManagerConditions(enforcement),
    ),
  ]);
}

/**
 * Returns the configuration for `/mutate`, which adds the manager's label to new inventory objects and to those that
 * lost it.
 */
export function mutatingWebhookConfiguration(options: RegistrationOptions): WebhookConfiguration {
  const where = elsewhereThan(options.namespace);
  const rules = webhookRules('inventory', '', WRITES);
  const matchConditions = conditions.labelConditions();
  const inventory = webhook('inventory.mutate.muster', {
    ...options,
    failsClosed: false,
    where,
    rules,
    matchConditions,
  });
  return configuration('MutatingWebhookConfiguration', options, [{ ...inventory, reinvocationPolicy: 'IfNeeded' }]);
}

const WRITES: readonly Operation[] = ['CREATE', 'UPDATE'];

type Selector = Readonly<Record<string, unknown>>;
type Matched = readonly WebhookRule[];
type Conditions = readonly conditions.MatchCondition[];

function configuration(
  kind: WebhookConfiguration['kind'],
  { name = WEBHOOKS }: RegistrationOptions,
  webhooks: readonly Webhook[],
): WebhookConfiguration {
  return { ...manifest(['admissionregistration.k8s.io/v1', kind], { name }), kind, webhooks };
}

/** The options in which webhooks differ. */
interface WebhookOptions extends RegistrationOptions {
  /** Whether writes are refused while muster is away: failure policy `Fail`, else `Ignore`. */
  readonly failsClosed: boolean;
  readonly rules: Matched;
  readonly where: Selector;
  readonly matchConditions: Conditions;
}

/** Builds one webhook. @param name with at least three parts, as the API server requires */
function webhook(name: string, { failsClosed, rules, where, matchConditions, ...options }: WebhookOptions): Webhook {
  const failurePolicy: FailurePolicy = failsClosed ? 'Fail' : 'Ignore';
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: clientConfig(name.split('.')[1] ?? '', options),
    rules,
    matchPolicy: 'Equivalent',
    namespaceSelector: where,
    // All objects. It is explicit, so that an apply replaces a selector that excludes some.
    objectSelector: {},
    ...(matchConditions.length > 0 && { matchConditions }),
    failurePolicy: options.failurePolicy ?? failurePolicy,
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: failsClosed ? 5 : 2,
  };
}

function clientConfig(path: string, { target, caBundle }: RegistrationOptions): Readonly<Record<string, unknown>> {
  const trust = caBundle === undefined ? {} : { caBundle };
  if ('url' in target) return { url: `${target.url.replace(/\/+$/, '')}/${path}`, ...trust };
  const port = target.service.port ?? 443;
  return { service: { ...target.service, path: `/${path}`, port }, ...trust };
}

/** Returns a rule for each dialect of the concept, with the operations (of `among`) that muster evaluates. */
function webhookRules(
  concept: Concept,
  subresource: Subresource,
  among: readonly Operation[] = OPERATIONS,
): readonly WebhookRule[] {
  return dialects
    .filter((dialect) => dialect.concept === concept)
    .flatMap((dialect) => webhookRulesOf(dialect, subresource, among));
}

function webhookRulesOf(
  dialect: Dialect,
  subresource: Subresource,
  among: readonly Operation[],
): readonly WebhookRule[] {
  const evaluated = (operation: Operation) => rules.some((rule) => appliesTo(rule, dialect, operation, subresource));
  return [
    {
      apiGroups: [dialect.group],
      apiVersions: dialect.versions,
      operations: among.filter(evaluated),
      resources: [subresource === '' ? dialect.plural : `${dialect.plural}/${subresource}`],
      scope: dialect.scope,
    },
  ];
}

function elsewhereThan(namespace = NAMESPACE): Selector {
  return whereNamespace('NotIn', [...new Set(['kube-system', namespace])]);
}

/** Returns the namespaces from which nothing is exported: in others, exports do not wait for muster. */
function closedWithout(own: string, { closedNamespaces: closed }: Enforcement): Selector {
  const without = namespaceExpression('NotIn', [own]);
  return { matchExpressions: closed.length > 0 ? [without, namespaceExpression('In', closed)] : [without] };
}

function whereNamespace(operator: 'In' | 'NotIn', values: readonly string[]): Selector {
  return { matchExpressions: [namespaceExpression(operator, values)] };
}

function namespaceExpression(operator: 'In' | 'NotIn', values: readonly string[]) {
  return { key: NAMESPACE_LABEL, operator, values };
}
