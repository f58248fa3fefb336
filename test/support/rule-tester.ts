/**
 * Table tests of one rule. A case shows its difference from a valid base and the whole of the rule's findings. Each
 * case runs again frozen (the engine freezes nothing itself), with every view answer unknown, and with junk in every
 * place.
 */
import { describe, expect, test } from '@jest/globals';
import { dialectOf } from '../../src/api/dialects.ts';
import { type Json, type JsonObject, textAt } from '../../src/base/json.ts';
import { heldAnswer, reservationIn, reservationName } from '../../src/cluster/registrar/reservation.ts';
import { createEngine, defaultPolicy, type Engine, freeze, type Policy, type Verdict } from '../../src/engine/index.ts';
import { subjectOf as newSubject } from '../../src/engine/review.ts';
import { createStoredEngine } from '../../src/engine/stored-objects.ts';
import { viewOf as newView, unknownView } from '../../src/library.ts';
import type {
  Action,
  ClusterIdentity,
  ClusterView,
  EnforcementPoint,
  Operation,
  Rule,
  RuleSettings,
  Subject,
  Subresource,
} from '../../src/rules/rule.ts';

/** JSON Pointer → value; undefined takes the member away. */
export type Tweak = Readonly<Record<string, Json | undefined>>;

export interface RuleCase {
  /** What the case shows, as a sentence. */
  readonly name: string;
  /** Default: UPDATE where `old` is given, else CREATE. */
  readonly operation?: Operation;
  readonly subresource?: Subresource;
  /** Default: the base of the table. */
  readonly base?: JsonObject;
  /** The stored object: the base with these differences. The new object starts from it. */
  readonly old?: Tweak;
  /** The new object's differences from the stored one (or from the base). */
  readonly set?: Tweak;
  /** Other stored objects; default: none. `'unknown'`: nothing is known. */
  readonly state?: readonly JsonObject[] | 'unknown';
  /** The answers of a hub, which the configuration then names; default: none. */
  readonly reserve?: NonNullable<ClusterView['reserve']>;
  readonly user?: string | null;
  readonly groups?: readonly string[];
  readonly dryRun?: boolean;
  readonly now?: string;
  readonly point?: EnforcementPoint;
  /** The new object, or its status if that is the subresource, is evaluated without a write, as `scan` does. */
  readonly stored?: true;
  readonly settings?: { [K in keyof RuleSettings]?: Partial<RuleSettings[K]> };
  readonly actions?: Readonly<Record<string, Action>>;
  readonly mode?: Policy['mode'];
}

export interface DenyCase extends RuleCase {
  /** Whole findings of the rule, in order: action, field, message. */
  readonly findings?: readonly (readonly [Action, string, string])[];
  /** Or that it cannot tell: on a deny rule indeterminate, else silent. */
  readonly unknown?: 'indeterminate' | 'silent';
}

/** That the rule reports exactly this. */
export function finds(field: string, message: string, action: Action = 'deny') {
  return { findings: [[action, field, message]] as const };
}

export const NOW = '2026-06-01T12:00:00Z';

/** The cluster that writes, at a hub. */
const THIS_CLUSTER = '7c1e7a80-30c4-4d43-9d0c-0a9c54b1b1aa';

/** The view with the Leases of a hub. */
export function withHub(view: ClusterView, leases: readonly JsonObject[]): ClusterView {
  const reservations = leases.map(reservationIn);
  const reserve = (identity: ClusterIdentity) => {
    const found = reservations.find((one) => one?.name === reservationName(identity));
    return found === undefined || found.holder === THIS_CLUSTER ? ({ kind: 'ours' } as const) : heldAnswer(found);
  };
  return { ...view, reserve };
}

/** All stored objects, or nothing known. */
export function viewOf(state: readonly JsonObject[] | 'unknown'): ClusterView {
  return state === 'unknown' ? unknownView : newView(state);
}

/** A copy of the object with the differences applied; missing parents are made. */
export function tweaked(object: JsonObject, tweak: Tweak = {}): JsonObject {
  const copy = structuredClone(object) as Record<string, unknown>;
  for (const [pointer, value] of Object.entries(tweak)) put(copy, stepsOf(pointer), value);
  return copy as JsonObject;
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

function put(root: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  let here = root;
  for (const step of steps.slice(0, -1)) {
    if (typeof here[step] !== 'object' || here[step] === null) here[step] = {};
    here = here[step] as Record<string, unknown>;
  }
  const last = steps.at(-1) ?? '';
  if (value !== undefined) here[last] = structuredClone(value);
  else if (Array.isArray(here)) here.splice(Number(last), 1);
  else delete here[last];
}

/** The subject of a case. */
export function subjectOf(base: JsonObject, row: RuleCase): Subject {
  const operation = row.operation ?? (row.old ? 'UPDATE' : 'CREATE');
  const stored = tweaked(row.base ?? base, row.old);
  const object = operation === 'DELETE' ? stored : tweaked(stored, row.set);
  const [group = '', version = ''] = String(stored['apiVersion']).split('/');
  const dialect = dialectOf(group, String(stored['kind']));
  if (!dialect) throw new Error(`no dialect for ${stored['apiVersion']} ${stored['kind']}`);
  // As the reader of reviews does it: a name or namespace that is no text is none.
  const name = textAt(object, ['metadata', 'name']) ?? '';
  const namespace = textAt(object, ['metadata', 'namespace']);
  return newSubject(
    { dialect, name, namespace },
    {
      version,
      operation,
      subresource: row.subresource ?? '',
      object,
      oldObject: operation === 'CREATE' ? undefined : stored,
      identity: row.user === null ? undefined : { username: row.user ?? 'jane', groups: row.groups ?? [] },
      dryRun: row.dryRun ?? false,
    },
  );
}

const REGISTRAR = { kubeconfig: 'hub.yaml', namespace: 'ids', whenUnreachable: 'deny' } as const;

/** The policy of a case. */
export function policyOf(row: RuleCase): Policy {
  const { claims, inventory, features, placements, services } = defaultPolicy.settings;
  const actions = Object.entries(row.actions ?? {}).map(
    ([id, action]) => [id, { webhook: action, check: action, scan: action }] as const,
  );
  return freeze({
    ...defaultPolicy,
    mode: row.mode ?? 'enforce',
    actions: new Map(actions),
    settings: {
      claims: { ...claims, ...row.settings?.claims },
      inventory: { ...inventory, ...row.settings?.inventory },
      features: { ...features, ...row.settings?.features },
      placements: { ...placements, ...row.settings?.placements },
      services: { ...services, ...row.settings?.services },
      ...(row.reserve && { registrar: REGISTRAR }),
    },
  });
}

/** The verdict of one rule alone on a case. */
export async function evaluate(rules: readonly Rule[], base: JsonObject, row: RuleCase): Promise<Verdict> {
  const view = { ...viewOf(row.state ?? []), ...(row.reserve && { reserve: row.reserve }) };
  return evaluatorOf(rules, row)(subjectOf(base, row), view);
}

/** How the rules evaluate a case: the write, or the object as stored. */
function evaluatorOf(catalogue: readonly Rule[], row: RuleCase): Engine['evaluate'] {
  const policy = policyOf(row);
  const clock = () => Date.parse(row.now ?? NOW);
  if (!row.stored) return createEngine({ policy, point: row.point ?? 'webhook', clock, catalogue }).evaluate;
  const engine = createStoredEngine(policy, clock, catalogue);
  return async (subject, view) => {
    const verdicts = await engine(subject, subject, view);
    return verdicts.at(row.subresource === 'status' ? -1 : 0) as Verdict;
  };
}

/** The tests of one rule, from its table; `action` is what the rule is set to in every row. */
export function testRule(
  rule: Rule,
  base: JsonObject,
  table: { readonly action?: Action; readonly allow: readonly RuleCase[]; readonly deny: readonly DenyCase[] },
): void {
  const actions = table.action === undefined ? {} : { actions: { [rule.id]: table.action } };
  const allow = table.allow.map((row) => ({ ...actions, ...row }));
  const deny = table.deny.map((row) => ({ ...actions, ...row }));
  describe(rule.id, () => {
    test.each(allow)('allows: $name', async (row) => {
      const verdict = await evaluate([rule], base, row);
      expect(verdict).toMatchObject({
        outcome: 'allowed',
        findings: [],
        indeterminate: [],
        crashes: [],
        silentUnknowns: [],
      });
    });
    test.each(deny)('finds: $name', async (row) => {
      const verdict = await evaluate([rule], base, row);
      expect(verdict.crashes).toEqual([]);
      expect(verdict.findings.map(({ action, field, message }) => [action, field, message])).toEqual(
        row.findings ?? [],
      );
      const code = codeOf(rule, row);
      expect(verdict.findings.every((finding) => finding.code === code && finding.ruleId === rule.id)).toBe(true);
      expect(verdict.indeterminate.length > 0).toBe(row.unknown === 'indeterminate');
      expect(verdict.silentUnknowns.length > 0).toBe(row.unknown === 'silent');
    });
    const rows = [...allow, ...deny].map((row, index) => ({ ...row, index }));
    test.each(rows)('never throws, nor guesses when nothing is known: $name', async (row) => {
      const verdict = await evaluate([rule], base, { ...row, state: 'unknown' });
      expect(verdict.crashes).toEqual([]);
      if (rule.meta.needs.includes('cluster')) expect(verdict.findings).toEqual([]);
      // Neighbouring rows are much alike: every third, from both sides of the table, is swept.
      if (!MUTATING && row.index % 3 === 0) await expectNoCrash(rule, base, row);
    });
  });
}

/** On 422 tools delete an object that exists and create it anew: every UPDATE of the main resource gets 403. */
function codeOf({ meta }: Rule, row: RuleCase): number {
  const operation = row.operation ?? (row.old ? 'UPDATE' : 'CREATE');
  return operation === 'UPDATE' && (row.subresource ?? '') === '' ? 403 : meta.code;
}

/** Mutants fall to the tables; the sweep would run a hundred times as long for each of them and kill no more. */
const MUTATING = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;

const JUNK: readonly Json[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  [],
  [null],
  [[]],
  ['x', 1],
  {},
  { name: {} },
  { value: [] },
];

/** Junk in every place of the object and of the stored object, one at a time. */
async function expectNoCrash(rule: Rule, base: JsonObject, row: RuleCase): Promise<void> {
  const evaluateCase = evaluatorOf([rule], row);
  const view = viewOf('unknown');
  const places = placesOf(tweaked(tweaked(row.base ?? base, row.old), row.set));
  for (const place of places.flatMap((pointer) => JUNK.map((junk) => ({ [pointer]: junk }))))
    for (const where of ['set', 'old'] as const) {
      const subject = subjectOf(base, { ...row, [where]: { ...row[where], ...place } });
      const { crashes } = await evaluateCase(subject, view);
      if (crashes.length > 0) throw new Error(`${JSON.stringify(place)} (${where}): ${crashes[0]?.error}`);
    }
}

/** The entries of a long list are alike: the first few and the last stand for all. */
const ENTRIES = 8;

function placesOf(value: Json, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const isSwept = ([key]: [string, unknown]) =>
    !Array.isArray(value) || Number(key) < ENTRIES || Number(key) === value.length - 1;
  return Object.entries(value)
    .filter(isSwept)
    .flatMap(([key, member]) => {
      const pointer = `${prefix}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
      if (pointer === '/apiVersion' || pointer === '/kind' || pointer === '/metadata')
        return pointer === '/metadata' ? placesOf(member, pointer) : [];
      return [pointer, ...placesOf(member as Json, pointer)];
    });
}
