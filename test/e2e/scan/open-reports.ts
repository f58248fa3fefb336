/** CRDs of openreports.io/v1alpha1, with the fields that muster writes. */
const text = { type: 'string' };
const whole = { type: 'integer' };
const of = (properties: object, required?: readonly string[]) => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
});
const list = (items: object) => ({ type: 'array', items });
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const outcome = oneOf('pass', 'fail', 'warn', 'error', 'skip');
const reference = of({ apiVersion: text, kind: text, name: text, namespace: text, uid: text });

const result = of(
  {
    source: text,
    policy: text,
    rule: text,
    category: text,
    severity: oneOf('critical', 'high', 'medium', 'low', 'info'),
    result: outcome,
    scored: { type: 'boolean' },
    message: text,
    resources: list(reference),
    properties: { type: 'object', additionalProperties: text },
    timestamp: of({ seconds: { ...whole, format: 'int64' }, nanos: { ...whole, format: 'int32' } }, [
      'seconds',
      'nanos',
    ]),
  },
  ['policy'],
);

const report = of({
  apiVersion: text,
  kind: text,
  metadata: { type: 'object' },
  source: text,
  scope: reference,
  configuration: of({ limits: of({ maxResults: whole, statusFilter: list(outcome) }) }, ['limits']),
  summary: of({ pass: whole, fail: whole, warn: whole, error: whole, skip: whole }),
  results: list(result),
});

export const OPEN_REPORTS = [
  definition('ClusterReport', 'clusterreports', 'Cluster'),
  definition('Report', 'reports', 'Namespaced'),
];

function definition(kind: string, plural: string, scope: 'Cluster' | 'Namespaced') {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.openreports.io` },
    spec: {
      group: 'openreports.io',
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: 'v1alpha1', served: true, storage: true, schema: { openAPIV3Schema: report } }],
    },
  };
}
