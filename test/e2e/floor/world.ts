/** A cluster guarded by policies alone: no webhook is registered, and no muster runs. */

import { type Dialect, dialects } from '../../../src/api/dialects.ts';
import { defaultAction } from '../../../src/engine/plan.ts';
import type { Manifest } from '../../../src/manifests/manifest.ts';
import { policies } from '../../../src/manifests/policies.ts';
import { rules as catalogue } from '../../../src/rules/index.ts';
import type { Action, Rule } from '../../../src/rules/rule.ts';
import { type ControlPlane, type ControlPlaneOptions, type Json, startControlPlane, until } from '../harness/index.ts';

export const rules: readonly Rule[] = catalogue;
export const claims: readonly Dialect[] = dialects.filter(({ claim }) => claim !== undefined);
const API = 'admissionregistration.k8s.io/v1';
/** Those of the rules' examples. */
const NAMESPACES = ['harbor', 'estuary', 'fleet-a', 'kube-system'];

/** What `muster manifests --policies` prints, as two kinds. */
export function floor(): { policies: readonly Manifest[]; bindings: readonly Manifest[] } {
  const all = policies({ actionOf: ownAction });
  const of = (kind: string) => all.filter((object) => object.kind === kind);
  return { policies: of('ValidatingAdmissionPolicy'), bindings: of('ValidatingAdmissionPolicyBinding') };
}

/** What a rule leads to at the webhook without a configuration. */
export function ownAction(rule: Rule, dialect: Dialect, messageId?: string): Action {
  return defaultAction(rule, dialect, 'webhook', messageId);
}

/** The rule a policy speaks for. */
export function ruleOf(policy: string): Rule {
  const named = rules.filter(({ id }) => `${policy}-`.startsWith(`muster-${id.replace('/', '-')}-`));
  // inventory/cluster-manager is the beginning of inventory/cluster-manager-label.
  const [longest] = named.toSorted((a, b) => b.id.length - a.id.length);
  if (longest === undefined) throw new Error(`${policy} is the policy of no rule`);
  return longest;
}

/**
 * The floor in effect, with its own actions or with warnings alone. The administrator is passed over: that is how a test
 * stores what a rule would refuse.
 */
export async function startFloor(
  actions: 'own' | 'warn',
  options: ControlPlaneOptions = { crds: 'loose' },
): Promise<ControlPlane> {
  const controlPlane = await startControlPlane(options);
  try {
    const namespaces = NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
    await controlPlane.apply(...namespaces);
    const all = floor();
    await controlPlane.apply(
      ...all.policies.map(passingOverAdmin),
      ...(actions === 'own' ? all.bindings : all.bindings.map(warning)),
    );
    await controlPlane.apply(...claims.flatMap(witness));
    await sees(controlPlane);
    return controlPlane;
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}

function warning(binding: Manifest): object {
  return { ...binding, spec: { ...(binding['spec'] as object), validationActions: ['Warn'] } };
}

function passingOverAdmin(policy: Manifest): object {
  const spec = policy['spec'] as Json;
  const own = { name: 'e2e-not-the-one-who-sets-up', expression: "request.userInfo.username != 'admin'" };
  return { ...policy, spec: { ...spec, matchConditions: [own, ...spec.matchConditions] } };
}

/** Says which membership claim the API server sees as a parameter, on a ConfigMap of its own. */
function witness(dialect: Dialect): object[] {
  const name = `e2e-sees-${dialect.name}`;
  const expression = "'sees ' + params.metadata.uid + ' at ' + params.metadata.resourceVersion";
  const configMaps = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const policy = {
    paramKind: { apiVersion: `${dialect.group}/${dialect.versions.at(-1)}`, kind: dialect.kind },
    matchConstraints: { resourceRules: [configMaps] },
    matchConditions: [{ name: 'asked', expression: `object.metadata.name == '${name}'` }],
    validations: [{ expression: 'false', message: 'sees', messageExpression: expression }],
  };
  const paramRef = { name: dialect.claim?.membershipName, parameterNotFoundAction: 'Allow' };
  const binding = { policyName: name, validationActions: ['Warn'], paramRef };
  return [
    { apiVersion: API, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: policy },
    { apiVersion: API, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: binding },
  ];
}

/** Waits until the API server's policies see the membership claims as they are stored: it reads parameters from a cache. */
export async function sees(controlPlane: ControlPlane): Promise<void> {
  await Promise.all(
    claims.map((dialect) =>
      until(`the policies to see the claims of ${dialect.name}`, () => isSeen(controlPlane, dialect)),
    ),
  );
}

/** Once before the first use: a witness that says nothing may not be in effect yet. */
const proven = new WeakMap<ControlPlane, Set<string>>();

async function isSeen(controlPlane: ControlPlane, dialect: Dialect): Promise<boolean> {
  const { group, versions, plural, claim } = dialect;
  const api = controlPlane.api('admin');
  const path = `/apis/${group}/${versions.at(-1)}/${plural}`;
  const { status, body } = await api.call('GET', `${path}/${claim?.membershipName}`);
  const known = proven.get(controlPlane) ?? new Set();
  proven.set(controlPlane, known);
  if (status === 404 && !known.has(dialect.name)) {
    const { group: g, versions: v, kind } = dialect;
    const object = {
      apiVersion: `${g}/${v.at(-1)}`,
      kind,
      metadata: { name: claim?.membershipName },
      spec: { value: 'x' },
    };
    await api.call('POST', path, object);
    return false;
  }
  const configMap = { metadata: { name: `e2e-sees-${dialect.name}` } };
  const answer = await api.call('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', configMap);
  const said = answer.warnings.find((warning) => warning.includes('sees '));
  if (status === 404) return said === undefined;
  if (!said?.endsWith(`sees ${body.metadata.uid} at ${body.metadata.resourceVersion}`)) return false;
  if (known.has(dialect.name)) return true;
  known.add(dialect.name);
  await api.call('DELETE', `${path}/${claim?.membershipName}`);
  return false;
}
