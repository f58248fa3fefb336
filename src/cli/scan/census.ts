/**
 * The census of one kind: each stored object is judged as it comes, and let go. What takes another object waits until all
 * of the kind are known: the few claims that hold an id or a membership are kept, of the rest what must not be shared.
 */

import type { Dialect } from '../../api/dialects.ts';
import { referenceTo } from '../../cluster/files/view.ts';
import { createEngine, defaultPolicy, type Engine, freeze, type Policy, type Verdict } from '../../engine/index.ts';
import { plannedAction } from '../../engine/plan.ts';
import { at } from '../../rules/json.ts';
import type { ClusterView, JsonObject, Rule, Subresource, Yielded } from '../../rules/rule.ts';
import { aloneRules, comparingRules } from './catalogue.ts';
import type { Ledger, Stored } from './ledger.ts';
import { createTwins, type Shared, type Twins } from './twins.ts';

export interface CensusOptions {
  readonly dialect: Dialect;
  /** Default: what holds without a configuration. */
  readonly policy?: Policy | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly ledger: Ledger;
}

export interface Census {
  /** Judges the object, or keeps it until the others are known. Its place among the results is settled now. */
  take(stored: Stored): Promise<void>;
  /** Judges what waited. `unknown`: not all could be read, and why; what was not met is then not known to be missing. */
  finish(unknown?: string): Promise<void>;
}

export function createCensus({ dialect, policy = defaultPolicy, clock, ledger }: CensusOptions): Census {
  const engine = createEngine({ policy, clock, point: 'scan', catalogue: aloneRules });
  const kept = new Map<string, { readonly stored: Stored; readonly index: number }>();
  const twins = twinsOf(dialect, policy);
  return {
    async take(stored) {
      const index = ledger.open(stored);
      const { name, namespace } = ledger.nameOf(index);
      if (isWellKnown(dialect, name)) kept.set(name, { stored, index });
      else ledger.tell(index, stored.locate, await judge(engine, stored, NOTHING_ELSE));
      twins?.add(index, { name, namespace }, stored.object);
    },
    async finish(unknown) {
      const view = viewOf(kept, unknown);
      for (const { stored, index } of kept.values())
        ledger.tell(index, stored.locate, await judge(engine, stored, view));
      if (twins) await compare({ dialect, policy, clock, ledger }, twins);
    },
  };
}

/** Rules by which objects are compared, as far as they speak here; undefined where none does. */
function twinsOf(dialect: Dialect, policy: Policy): Twins | undefined {
  const asked = comparingRules.filter(
    (rule) =>
      rule.concept === dialect.concept &&
      (rule.dialects?.includes(dialect.name) ?? true) &&
      plannedAction(rule, dialect, policy, 'scan') !== 'ignore',
  );
  return asked.length === 0 ? undefined : createTwins(new Set(asked.map(({ id }) => id)));
}

function isWellKnown({ claim }: Dialect, name: string): boolean {
  return claim !== undefined && (claim.idNames.includes(name) || claim.membershipName === name);
}

/** As if created as it is; its status as if written upon none. */
async function judge(engine: Engine, stored: Stored, view: ClusterView): Promise<Verdict[]> {
  const main = await engine.evaluate(subjectOf(stored, ''), view);
  if (stored.dialect.concept === 'claim' || at(stored.object, ['status']) === undefined) return [main];
  return [main, await engine.evaluate(subjectOf(stored, 'status'), view)];
}

function subjectOf({ dialect, version, object }: Stored, subresource: Subresource) {
  const { name, namespace } = referenceTo(dialect, object);
  return {
    dialect,
    version,
    operation: subresource === '' ? ('CREATE' as const) : ('UPDATE' as const),
    subresource,
    object: freeze(object),
    oldObject: undefined,
    name,
    namespace,
    identity: undefined,
    dryRun: false,
  };
}

/** No rule asks it about an object that is no id and no membership. */
const NOTHING_ELSE: ClusterView = {
  get: async () => ({ known: false, reason: 'not looked at' }),
  list: async () => ({ known: false, reason: 'not looked at' }),
};

function viewOf(kept: ReadonlyMap<string, { readonly stored: Stored }>, unknown: string | undefined): ClusterView {
  return {
    ...NOTHING_ELSE,
    async get({ name }) {
      const value = kept.get(name)?.stored.object;
      return value === undefined && unknown !== undefined ? { known: false, reason: unknown } : { known: true, value };
    },
  };
}

/** Lets the engine decide what sharing leads to: action, exceptions and exemptions are the same for every finding. */
async function compare({ dialect, policy, clock, ledger }: CensusOptions, twins: Twins): Promise<void> {
  let shared: readonly Shared[] = [];
  const yielding = (rule: Rule): Rule => ({
    ...rule,
    check: (): Iterable<Yielded> => shared.filter(({ ruleId }) => ruleId === rule.id).map(({ problem }) => problem),
  });
  const catalogue = comparingRules.map(yielding);
  const engine = createEngine({ ...(policy && { policy }), clock, point: 'scan', catalogue });
  for (const [index, found] of twins.problems(ledger.nameOf)) {
    shared = found;
    const { name, namespace } = ledger.nameOf(index);
    const object: JsonObject = { metadata: namespace === '' ? { name } : { name, namespace } };
    const verdict = await engine.evaluate(subjectOf({ ...STUB, dialect, object }, ''), NOTHING_ELSE);
    ledger.tell(index, ledger.locateOf(index), [verdict]);
  }
}

const STUB = { version: '', source: '', start: { line: 1, column: 1 }, locate: () => ({ line: 1, column: 1 }) };
