/** The JSON Schema (draft 7) of the Helm chart's values. Helm validates values by it; a misspelled key is an error. */
import { concepts } from '../api/dialects.ts';
import type { JsonObject } from '../base/json.ts';
import { LOG_LEVELS } from '../cli/serve/options.ts';
import { configurationSchema } from '../config/schema.ts';
import { publishedSchema, type Schema } from '../config/schema-reader.ts';
import { DELETION_CONCEPTS } from '../engine/plan.ts';
import type { WebhookConfiguration } from '../manifests/registration.ts';
import { ruleIds } from '../rules/index.ts';

type Node = Readonly<Record<string, unknown>>;

/** Returns the schema for these webhooks. That of `configuration` is the configuration's own, so that Helm refuses what a server would. */
export function chartSchema(registration: readonly WebhookConfiguration[]): Node {
  const webhooks = registration.flatMap((one) => one.webhooks.map(({ name }) => shortName(name)));
  const { $schema, ...configuration } = withRules(publishedSchema('configuration', configurationSchema as Schema));
  const values = section({
    image: section({
      repository: { type: 'string', pattern: String.raw`^[a-zA-Z0-9][\w.\-/:]*$` },
      tag: { type: 'string', pattern: String.raw`^(\w[\w.\-]{0,127})?$` },
      digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
      pullPolicy: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
    }),
    imagePullSecrets: list(closed({ name: { type: 'string' } }, ['name'])),
    replicas: { type: 'integer', minimum: 1, maximum: 100 },
    configuration: { ...configuration, required: [] },
    webhooks: section({
      failurePolicy: { enum: ['', ...FAILURE_POLICIES] },
      failurePolicies: mapOf(webhooks, { enum: FAILURE_POLICIES }),
      enforcement: section({
        deletions: mapOf(DELETION_CONCEPTS, flag),
        owners: mapOf(concepts, { enum: ['warn', 'deny'] }),
        profileLabel: flag,
      }),
    }),
    certificates: section({
      provider: { enum: ['muster', 'cert-manager', 'existing'] },
      caBundle: { type: 'string', pattern: '^(\\s*-----BEGIN CERTIFICATE-----[\\s\\S]*)?$' },
      issuerRef: closed({ name: { type: 'string' }, kind: { type: 'string' }, group: { type: 'string' } }),
    }),
    crds: mapOf(['clusterClaims', 'inventoryClusters', 'features'], flag),
    scan: section({ enabled: flag }),
    monitoring: section({ serviceMonitor: flag, rules: flag, dashboard: flag, labels: texts }),
    events: section({ enabled: flag }),
    tracing: section({
      endpoint: { type: 'string', pattern: String.raw`^(https?://[^\s?#@]+)?$` },
      ratio: { type: 'number', minimum: 0, maximum: 1 },
    }),
    networkPolicy: section({ enabled: flag }),
    logLevel: { enum: LOG_LEVELS },
    drainSeconds: { type: 'integer', minimum: 0, maximum: 3600 },
    nodeOptions: { type: 'string' },
    resources: { type: 'object' },
    priorityClassName: { type: 'string' },
    nodeSelector: texts,
    tolerations: list({ type: 'object' }),
    affinity: { type: 'object' },
    topologySpreadConstraints: list({ type: 'object' }),
    podLabels: texts,
    podAnnotations: texts,
    commonLabels: texts,
    commonAnnotations: texts,
  });
  // Where the chart is a dependency of another one, Helm adds `global`, and the other chart's `condition` is usually `enabled`.
  const properties = { ...values.properties, global: { type: 'object' }, enabled: flag };
  return { $schema, title: 'Values of kube-muster', ...values, properties };
}

const FAILURE_POLICIES = ['Fail', 'Ignore'];
const flag: Node = { type: 'boolean' };
const texts: Node = { type: 'object', additionalProperties: { type: 'string' } };

/** Knows the rules by a pattern: for `propertyNames`, Helm's message has the path of another value. */
function withRules(schema: JsonObject): JsonObject {
  const { rules, ...others } = schema['properties'] as { readonly rules: JsonObject };
  const { additionalProperties: action = {}, ...rest } = rules;
  const patternProperties = { [`^(${[...ruleIds].join('|')})$`]: action };
  return { ...schema, properties: { ...others, rules: { ...rest, patternProperties, additionalProperties: false } } };
}

/** The values name a webhook of `/validate` by its first part; that of `/mutate` by its first two: `inventory.mutate`. */
function shortName(name: string): string {
  return name.replace(/\.muster$/, '').replace(/\.validate$/, '');
}

function closed(properties: Node, required: readonly string[] = []): Node & { readonly properties: Node } {
  return { type: 'object', additionalProperties: false, required, properties };
}

/** Values whose defaults are in values.yaml: one is missing only where it was set to null. */
function section(properties: Node) {
  return closed(properties, Object.keys(properties));
}

function mapOf(keys: readonly string[], values: Node): Node {
  return closed(Object.fromEntries(keys.map((key) => [key, values])));
}

function list(items: Node): Node {
  return { type: 'array', items };
}
