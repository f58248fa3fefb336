/** A cluster guarded by the fallback policies alone: no webhook is registered, and no muster runs. */
import { claimDialects, type Dialect } from '../../../../src/api/dialects.ts';
import type { Manifest } from '../../../../src/manifests/manifest.ts';
import { policies } from '../../../../src/manifests/policies.ts';
import { rules as catalogue } from '../../../../src/rules/index.ts';
import type { Rule } from '../../../../src/rules/rule.ts';
import { newNamespace } from '../../../support/objects.ts';
import { type ApiAnswer, type ControlPlane, type Json, startControlPlane, until } from '../harness/index.ts';

const rules: readonly Rule[] = catalogue;
/** The rules that CEL can express. */
export const expressed = rules.filter(({ cel }) => cel !== undefined && 'byDialect' in cel);
const API = 'admissionregistration.k8s.io/v1';
/** Those of the rules' examples. */
const NAMESPACES = ['harbor', 'estuary', 'fleet-a', 'kube-system', 'shop'];

/** Returns what `muster manifests --policies` prints, as two kinds. */
export function fallbackPolicies(): { policies: readonly Manifest[]; bindings: readonly Manifest[] } {
  const all = policies();
  const of = (kind: string) => all.filter((object) => object.kind === kind);
  return { policies: of('ValidatingAdmissionPolicy'), bindings: of('ValidatingAdmissionPolicyBinding') };
}

/** Returns the rules whose policies warned. */
export function warningRules({ warnings }: ApiAnswer): ReadonlySet<string> {
  const names = warnings.flatMap((text) => /ValidatingAdmissionPolicy '(muster-[a-z0-9-]+)'/.exec(text)?.[1] ?? []);
  return new Set(names.map(ruleOf));
}

/** Returns the rule that a refusal names. */
export function refusingRule(message: unknown): string | undefined {
  return /denied request: \[([a-z/-]+)\] \S+: /.exec(String(message))?.[1];
}

/** One rule's id can begin like another's, so the longest one counts. */
function ruleOf(policy: string): string {
  const named = rules
    .filter(({ id }) => `${policy}-`.startsWith(`muster-${id.replace('/', '-')}-`))
    .map(({ id }) => id);
  const [longest] = named.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) throw new Error(`${policy} is the policy of no rule`);
  return longest;
}

/**
 * Starts it with the policies in effect, each with `failurePolicy: Fail`. They skip the administrator, so that tests
 * can store what a rule refuses.
 */
export async function startWithPolicies(): Promise<ControlPlane> {
  const controlPlane = await startControlPlane({ crds: 'loose' });
  await controlPlane.apply(...NAMESPACES.map(newNamespace));
  const all = fallbackPolicies();
  await controlPlane.apply(...all.policies.map(skippingAdmin), ...all.bindings);
  await controlPlane.apply(...claimDialects.flatMap(witness));
  await untilSeen(controlPlane);
  return controlPlane;
}

/** Makes every policy warn, so that one write shows all of them. */
export async function warnOnly(controlPlane: ControlPlane): Promise<void> {
  const warning = (binding: Manifest) => ({
    ...binding,
    spec: { ...(binding['spec'] as Json), validationActions: ['Warn'] },
  });
  const name = 'e2e-last-binding';
  await controlPlane.apply(...fallbackPolicies().bindings.map(warning), ...warningFor(name, "'in effect'"));
  // The API server sees bindings in the order they were written: with the last one, all are in effect.
  await until('the policies to warn only', async () => (await warningAbout(controlPlane, name)) !== undefined);
}

function skippingAdmin(policy: Manifest): object {
  const spec = policy['spec'] as Json;
  const own = { name: 'e2e-not-the-administrator', expression: "request.userInfo.username != 'admin'" };
  // An expression that fails shows, in each of them.
  return { ...policy, spec: { ...spec, failurePolicy: 'Fail', matchConditions: [own, ...spec.matchConditions] } };
}

/** A policy that reports which membership claim the API server sees as a parameter. */
function witness(dialect: Dialect): object[] {
  const expression = "'sees ' + params.metadata.uid + ' at ' + params.metadata.resourceVersion";
  const paramKind = { apiVersion: `${dialect.group}/${dialect.versions.at(-1)}`, kind: dialect.kind };
  const paramRef = { name: dialect.claim?.membershipName, parameterNotFoundAction: 'Allow' };
  return warningFor(`e2e-sees-${dialect.name}`, expression, { paramKind, paramRef });
}

/** A policy that warns with a message when a ConfigMap of its own name is created. */
function warningFor(name: string, messageExpression: string, { paramKind, paramRef }: Json = {}): object[] {
  const configMaps = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const policy = {
    paramKind,
    matchConstraints: { resourceRules: [configMaps] },
    matchConditions: [{ name: 'asked', expression: `object.metadata.name == '${name}'` }],
    validations: [{ expression: 'false', message: 'sees', messageExpression }],
  };
  const binding = { policyName: name, validationActions: ['Warn'], paramRef };
  return [
    { apiVersion: API, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: policy },
    { apiVersion: API, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: binding },
  ];
}

/** Returns what that policy says, if it is in effect. */
async function warningAbout(controlPlane: ControlPlane, name: string): Promise<string | undefined> {
  const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
  const { warnings } = await controlPlane.api('admin').call('POST', path, { metadata: { name } });
  return warnings.find((warning) => warning.includes(`'${name}'`));
}

/** Waits until the policies see the stored membership claims: the API server reads parameters from a cache. */
export async function untilSeen(controlPlane: ControlPlane): Promise<void> {
  const seen = (dialect: Dialect) =>
    until(`the policies to see the claims of ${dialect.name}`, () => isSeen(controlPlane, dialect));
  await Promise.all(claimDialects.map(seen));
}

/** The witnesses that are known to be in effect: before that, silence proves nothing. */
const inEffect = new WeakMap<ControlPlane, Set<string>>();

async function isSeen(
  controlPlane: ControlPlane,
  { group, versions, plural, claim, name, kind }: Dialect,
): Promise<boolean> {
  const api = controlPlane.api('admin');
  const version = versions.at(-1);
  const metadata = { name: claim?.membershipName };
  const path = `/apis/${group}/${version}/${plural}`;
  const { status, body } = await api.call('GET', `${path}/${metadata.name}`);
  const known = inEffect.get(controlPlane) ?? new Set();
  inEffect.set(controlPlane, known);
  if (status === 404 && !known.has(name)) {
    await api.call('POST', path, { apiVersion: `${group}/${version}`, kind, metadata, spec: { value: 'x' } });
    return false;
  }
  const reported = await warningAbout(controlPlane, `e2e-sees-${name}`);
  if (status === 404) return reported === undefined;
  if (!reported?.endsWith(`sees ${body.metadata.uid} at ${body.metadata.resourceVersion}`)) return false;
  if (known.has(name)) return true;
  known.add(name);
  await api.call('DELETE', `${path}/${metadata.name}`);
  return false;
}
