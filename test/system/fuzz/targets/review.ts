/**
 * A review, from its bytes to those of the answer: decoder, engine, every rule of one concept, response. The first byte
 * of an input chooses what is configured, what is known of other objects, and the path.
 */
import type { Concept } from '../../../../src/api/dialects.ts';
import { type JsonObject, textAt } from '../../../../src/base/json.ts';
import { stateFromView } from '../../../../src/engine/evaluate.ts';
import { createEngine, defaultPolicy, type Engine } from '../../../../src/engine/index.ts';
import { ruleIds, rules } from '../../../../src/rules/index.ts';
import type { ClusterView, Rule } from '../../../../src/rules/rule.ts';
import { encode } from '../../../../src/server/admission/respond.ts';
import type { AdmissionPath, Decision } from '../../../../src/server/observer.ts';
import { policyFrom } from '../../../support/configuration.ts';
import { examples as all } from '../../../support/examples.ts';
import { decideBytes } from '../../../support/reviews.ts';
import { reviewOf } from '../../../support/writes.ts';
import { ensure, type Target } from '../target.ts';

const NOW = Date.UTC(2026, 5, 1);
/** Bytes of an answer: 32 lines of a message and as many causes, of a KiB each, escaped. */
const LONGEST_ANSWER = 256 * 1024;

const EVERYTHING = {
  rules: Object.fromEntries([...ruleIds].map((id) => [id, 'deny'])),
  claims: { allowedReservedNames: ['*.k8s.io'], membershipManagers: [{ user: 'jane' }, { group: 'fleet' }] },
  inventory: { managers: { tidewater: [{ user: 'ines' }], harbor: [{ serviceAccount: 'a/b' }] } },
  features: {
    dynamic: [{ namespace: 'kube-system', name: 'springtide' }],
    serverFlow: [{ namespace: 'kube-system', principals: [{ user: 'jane' }] }],
  },
  placements: { schedulers: { harbormaster: [{ user: 'ines' }] } },
  services: { closedNamespaces: ['kube-system'], importManagers: [{ user: 'ines' }] },
  registrar: { kubeconfig: '/etc/hub/kubeconfig', namespace: 'cluster-ids' },
};
const PROPERTY = { apiGroup: 'about.k8s.io', kind: 'ClusterProperty' };
const WARNING = {
  ...EVERYTHING,
  mode: 'warn',
  exemptions: { users: ['admin'], namespaces: ['exempt'] },
  exceptions: [{ rules: ['claim/value'], ...PROPERTY, name: 'id.k8s.io', expires: '2027-01-31', reason: 'r' }],
};

/** Every rule is on and denies. */
export const strictest = policyFrom(EVERYTHING, NOW);
const engines: readonly Engine[] = [defaultPolicy, strictest, policyFrom(WARNING, NOW)].map((policy) =>
  createEngine({ policy, point: 'webhook', clock: () => NOW }),
);

/** The target of one concept. Its inputs are a byte and a body. */
export function reviewTarget(concept: Concept): Target {
  const examples = all.filter(({ ruleId }) => rules.some(({ id, concept: of }) => id === ruleId && of === concept));
  const views = viewsOf(examples.flatMap(({ state = [], old }) => [...state, ...(old ? [old] : [])]));
  const reporting = new Set<string>();
  return {
    name: concept,
    prefix: 1,
    longest: 32 * 1024,
    seeds: () =>
      examples.flatMap((example) =>
        [1, 4].map((choice) => Buffer.concat([Buffer.from([choice]), Buffer.from(JSON.stringify(reviewOf(example)))])),
      ),
    async run(input) {
      const choice = input[0] ?? 0;
      const view = views[Math.floor(choice / 3) % views.length] ?? views[0];
      const engine = engines[choice % engines.length];
      ensure(view !== undefined && engine !== undefined, 'there is no such choice');
      const path: AdmissionPath = choice >= 216 ? 'mutate' : 'validate';
      const options = { current: { engine }, clusterState: stateFromView(view) };
      const decision = await decideBytes(options, input.subarray(1), path);
      soundAnswer(decision, path, view === views.at(-1));
      for (const { ruleId } of [...(decision.verdict?.findings ?? []), ...(decision.verdict?.indeterminate ?? [])])
        reporting.add(ruleId);
    },
    // Rules that compare clusters have nothing to say about one write.
    silent: () =>
      rules
        .filter((rule: Rule) => rule.concept === concept && rule.on.length > 0 && !reporting.has(rule.id))
        .map(({ id }) => id),
  };
}

/** What every answer has to be, whatever was sent. */
export function soundAnswer(decision: Decision, path: AdmissionPath, viewBreaks: boolean): void {
  const { response, verdict, failure } = decision;
  if (failure !== undefined) throw failure.error;
  const [crash] = verdict?.crashes ?? [];
  if (crash !== undefined && !viewBreaks) throw crash.error;
  ensure(typeof response.allowed === 'boolean', 'a verdict has whether the write is allowed');
  ensure(response.allowed === (response.status === undefined), 'a refusal has a reason, and an allowance has none');
  ensure(verdict === undefined || response.allowed === (verdict.outcome === 'allowed'), 'the answer is the verdict');
  ensure(response.patch === undefined || path === 'mutate', '/validate never patches');
  ensure(
    path === 'validate' || response.allowed || decision.outcome === 'unreadable',
    '/mutate refuses only what it cannot read',
  );
  const text = encode(response);
  ensure(text.length <= LONGEST_ANSWER, `an answer is bounded, this one has ${text.length} characters`);
  const { status, warnings = [] } = response;
  const shown: string[] = [status?.message ?? '', ...warnings, ...Object.values(response.auditAnnotations ?? {})];
  const isRaw = (line: string) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(line.replaceAll('\n', ''));
  ensure(!shown.some(isRaw), 'no text of users is shown raw');
  const bytes = Buffer.byteLength(warnings.join(''));
  ensure(bytes <= 4096, `warnings stay within the API server's bound, these have ${bytes} bytes`);
}

/** Cluster states: empty, full, unknown, refused, and one that throws: the last. */
function viewsOf(stored: readonly JsonObject[]): readonly ClusterView[] {
  const named = new Map(stored.map((object) => [textAt(object, ['metadata', 'name']), object]));
  const unknown = { known: false, reason: 'nobody knows' } as const;
  const breaks = async () => {
    throw new Error('the view breaks');
  };
  const held = async () =>
    ({ kind: 'held', holder: 'another cluster', since: undefined, confirmed: true, lease: 'reserved' }) as const;
  return [
    { get: async () => ({ known: true, value: undefined }), list: async () => ({ known: true, value: [] }) },
    {
      get: async ({ name }) => ({ known: true, value: named.get(name) }),
      list: async () => ({ known: true, value: stored }),
      reserve: held,
    },
    {
      get: async () => unknown,
      list: async () => unknown,
      reserve: async () => ({ kind: 'unreachable', reason: 'away' }),
    },
    { get: async ({ name }) => ({ known: true, value: named.get(name) }), list: async () => unknown },
    { get: breaks, list: breaks, reserve: breaks },
  ];
}
