/** The JSON Schema (draft 7) of the Helm chart's values. Helm validates values by it; a misspelled key is an error. */
import { LOG_LEVELS } from '../../src/cli/serve/options.ts';
import { configurationSchema } from '../../src/config/schema.ts';
import { ruleIds } from '../../src/rules/index.ts';
import { mapSchema, publishedSchema, type SchemaNode } from '../../src/schema/schema.ts';
import { withNames } from './schemas.ts';

/**
 * Returns the schema of the values. The part `configuration` has the schema of a MusterConfiguration, so that Helm
 * refuses what the server would refuse. Most types of Kubernetes are only objects or lists: the API server checks them.
 */
export function chartSchema(webhookNames: readonly string[]): SchemaNode {
  const webhooks = webhookNames.map(shortName);
  const { $schema, ...configuration } = publishedSchema(
    'configuration',
    mapSchema(withNames(configurationSchema, [...ruleIds]), withKeyPatterns),
  );
  const values = section({
    image: section({
      repository: { type: 'string', pattern: String.raw`^[a-zA-Z0-9][\w.\-]*(:\d{1,5})?(/[\w.\-]+)*$` },
      tag: { type: 'string', pattern: String.raw`^(\w[\w.\-]{0,127})?$` },
      digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
      pullPolicy: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
    }),
    imagePullSecrets: list(closed({ name: { type: 'string' } }, ['name'])),
    fullnameOverride: { type: 'string', pattern: '^([a-z]([a-z0-9-]{0,38}[a-z0-9])?)?$' },
    replicas: count,
    autoscaling: section({ enabled: flag, minReplicas: count, maxReplicas: count, targetCPU: quantity }),
    configuration: { ...configuration, required: [] },
    webhooks: section({
      failurePolicy: { enum: ['', ...FAILURE_POLICIES] },
      failurePolicies: mapOf(webhooks, { enum: FAILURE_POLICIES }),
      timeoutSeconds: { type: 'integer', minimum: 0, maximum: 30 },
      timeouts: mapOf(webhooks, { type: 'integer', minimum: 1, maximum: 30 }),
      namespaceSelector: selector,
      objectSelector: selector,
      annotations: texts,
    }),
    certificates: section({
      provider: { enum: ['muster', 'cert-manager', 'existing'] },
      secretName: name,
      caBundle: { type: 'string', pattern: '^(\\s*-----BEGIN CERTIFICATE-----[\\s\\S]*)?$' },
      issuerRef: closed({ name: { type: 'string' }, kind: { type: 'string' }, group: { type: 'string' } }),
      serviceAccount,
      extraEnv: objects,
      resources,
    }),
    crds: mapOf(['clusterClaims', 'inventoryClusters', 'features'], flag),
    scan: section({
      enabled: flag,
      schedule,
      services: flag,
      serviceAccount,
      extraArgs: flags,
      extraEnv: objects,
      extraVolumes: objects,
      extraVolumeMounts: objects,
      resources,
    }),
    monitoring: section({ serviceMonitor: flag, rules: flag, dashboard: flag, labels: texts }),
    events: section({ enabled: flag }),
    registrar: section({ secretName: name, hubPorts: list(port) }),
    tracing: section({
      endpoint: { type: 'string', pattern: String.raw`^(https?://[^\s?#@]+)?$` },
      ratio: { type: 'number', minimum: 0, maximum: 1 },
    }),
    networkPolicy: section({
      enabled: flag,
      apiServerPorts: { ...list(port), minItems: 1 },
      webhookFrom: objects,
      // An empty list would admit everybody.
      metricsFrom: { ...objects, minItems: 1 },
      extraIngress: objects,
      extraEgress: objects,
    }),
    service: section({ port, annotations: texts }),
    ports: section({ https: port, ops: port }),
    hostNetwork: flag,
    // Not `None`, which takes a `dnsConfig`: the API server would refuse the pods.
    dnsPolicy: { enum: ['', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default'] },
    serviceAccount,
    podSecurityContext: object,
    securityContext: object,
    logLevel: { enum: LOG_LEVELS },
    drainSeconds: { type: 'integer', minimum: 0, maximum: 3600 },
    nodeOptions: { type: 'string' },
    extraArgs: flags,
    extraEnv: objects,
    extraVolumes: objects,
    extraVolumeMounts: objects,
    resources,
    updateStrategy: object,
    podDisruptionBudget: section({
      enabled: flag,
      maxUnavailable: {
        anyOf: [
          { type: 'integer', minimum: 0 },
          { type: 'string', pattern: '^[0-9]+%$' },
        ],
      },
    }),
    priorityClassName: { type: 'string' },
    nodeSelector: texts,
    tolerations: objects,
    affinity: object,
    topologySpreadConstraints: objects,
    deploymentAnnotations: texts,
    podLabels: texts,
    podAnnotations: texts,
    commonLabels: texts,
    commonAnnotations: texts,
  });
  // Where the chart is a dependency of another one, Helm adds `global`, and the `condition` there is usually `enabled`.
  const properties = { ...values.properties, global: { type: 'object' }, enabled: flag };
  // A whole context may be set to null, for a platform that assigns it.
  const required = values.required.filter((key) => !/securityContext$/i.test(key));
  return { $schema, title: 'Values of kube-muster', ...values, properties, required };
}

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const flag: SchemaNode = { type: 'boolean' };
const texts: SchemaNode = { type: 'object', additionalProperties: { type: 'string' } };
const object: SchemaNode = { type: 'object' };
const objects: SchemaNode = { type: 'array', items: object };
const flags: SchemaNode = { type: 'array', items: { type: 'string', pattern: '^--?[a-z]' } };
const count: SchemaNode = { type: 'integer', minimum: 1, maximum: 100 };
const port: SchemaNode = { type: 'integer', minimum: 1, maximum: 65_535 };
const quantity: SchemaNode = { type: 'string', pattern: '^[0-9]+m?$' };
/** A quantity of Kubernetes, such as 250m or 1.5Gi. */
const amount: SchemaNode = {
  type: ['string', 'number'],
  pattern: String.raw`^\+?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$`,
};
const amounts: SchemaNode = { type: 'object', additionalProperties: amount };
const resources: SchemaNode = closed({ limits: amounts, requests: amounts, claims: objects });
/** What the controller of CronJobs can read, as far as a pattern that Helm prints can say it and stay short. */
const cronValue = String.raw`([*?]|[0-5]?\d|[A-Za-z]{3})`;
const cronField = `${cronValue}([,-]${cronValue}|/\\d+)*`;
const cronWord = String.raw`@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)`;
const schedule: SchemaNode = { type: 'string', pattern: `^(${cronWord}|${cronField}( +${cronField}){4})$` };
const name: SchemaNode = { type: 'string', pattern: '^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)?$' };
const selector: SchemaNode = closed({ matchLabels: texts, matchExpressions: objects });
const serviceAccount: SchemaNode = section({ create: flag, name, annotations: texts });

/** Replaces `propertyNames` by patterns of keys, since Helm's message on `propertyNames` names the wrong path. */
function withKeyPatterns({ propertyNames, ...node }: SchemaNode): SchemaNode {
  if (propertyNames === undefined) return node;
  const { enum: names = [], pattern = `^(${names.join('|')})$` } = propertyNames as KeyNames;
  return { ...node, patternProperties: { [pattern]: node['additionalProperties'] ?? {} }, additionalProperties: false };
}

interface KeyNames {
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

/**
 * The values name a webhook of `/validate` by its first part; that of `/mutate` by its first two: `inventory.mutate`.
 */
function shortName(name: string): string {
  return name.replace(/\.muster$/, '').replace(/\.validate$/, '');
}

function closed(properties: SchemaNode, required: readonly string[] = []) {
  return { type: 'object', additionalProperties: false, required, properties };
}

/**
 * Returns the schema of values that are all required: they have defaults, so one is missing only if it is set to null.
 */
function section(properties: SchemaNode) {
  return closed(properties, Object.keys(properties));
}

function mapOf(keys: readonly string[], values: SchemaNode): SchemaNode {
  return closed(Object.fromEntries(keys.map((key) => [key, values])));
}

function list(items: SchemaNode): SchemaNode {
  return { type: 'array', items };
}
