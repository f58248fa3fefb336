/**
 * Scans one kind. Each object is evaluated as it comes and then dropped. What takes other objects is evaluated when all are read:
 * the few claims that hold an id or a membership are kept here; the comparison keeps of each object what it needs.
 */
import type { Dialect } from '../../api/dialects.ts';
import { at } from '../../base/json.ts';
import { referenceTo } from '../../cluster/files/index.ts';
import { isWellKnown } from '../../cluster/live/api-paths.ts';
import { createEngine, defaultPolicy, type Engine, freeze, type Verdict } from '../../engine/index.ts';
import { rules } from '../../rules/index.ts';
import type { ClusterView, Rule, Subresource } from '../../rules/rule.ts';
import { scanVariantOf } from '../../rules/scan-variant.ts';
import type { Entry, ResultStore, Scan, Stored } from './results.ts';

export interface KindScanOptions extends Pick<Scan, 'cluster' | 'policy' | 'clock' | 'comparison'> {
  readonly dialect: Dialect;
  readonly results: ResultStore;
}

export type KindScan = ReturnType<typeof createKindScan>;

/** Returns a scan of one kind, which adds its findings to the results. */
export function createKindScan(options: KindScanOptions) {
  const { dialect, policy = defaultPolicy, clock, results, comparison, cluster = '' } = options;
  const engine = createEngine({ policy, clock, point: 'scan', catalogue: objectRules });
  const kept = new Map<string, { readonly stored: Stored; readonly entry: Entry }>();
  const compared = comparison.begin(cluster);
  return {
    /** Evaluates the object, or keeps it until the others are read. Its position among the results is fixed now. */
    async add(stored: Stored): Promise<void> {
      const entry = results.open(stored);
      const { name } = entry.result;
      if (isWellKnown(dialect, name)) kept.set(name, { stored, entry });
      else results.add(entry, await evaluate(engine, stored, EMPTY_VIEW));
      compared.add(dialect, stored.object, entry);
    },
    /** Evaluates what was kept. `unknown`: why not all objects could be read; a missing object may then exist. */
    async finish(unknown?: string): Promise<void> {
      const view = viewOf(kept, unknown);
      for (const { stored, entry } of kept.values()) results.add(entry, await evaluate(engine, stored, view));
      compared.commit(unknown === undefined ? undefined : new Map([[dialect, unknown]]));
    },
  };
}

/** The rules that evaluate an object alone, as they read for stored objects. */
const objectRules: readonly Rule[] = rules.flatMap((rule: Rule) => {
  const variant = scanVariantOf(rule);
  if (variant === 'object') return [uncapped(rule)];
  if (variant === 'compared' || 'skip' in variant) return [];
  const { level = rule.meta.level, messages, check } = variant;
  const meta = { ...rule.meta, level, messages: { ...rule.meta.messages, ...messages } };
  // A rule that is about no write is about each object.
  const on = rule.on.length > 0 ? rule.on : (['CREATE'] as const);
  return [{ ...uncapped(rule), on, meta, check }];
});

/** Caps keep a write from being refused (a health report, a dry run); a scan refuses nothing. */
function uncapped({ capAction: _, ...rule }: Rule): Rule {
  return rule;
}

/** Evaluates the object as if it were created as it is, and its status as if it were written on an object without one. */
async function evaluate(engine: Engine, stored: Stored, view: ClusterView): Promise<Verdict[]> {
  const main = await engine.evaluate(subjectOf(stored, ''), view);
  if (stored.dialect.concept === 'claim' || at(stored.object, ['status']) === undefined) return [main];
  return [main, await engine.evaluate(subjectOf(stored, 'status'), view)];
}

function subjectOf(
  { dialect, version, object }: Pick<Stored, 'dialect' | 'version' | 'object'>,
  subresource: Subresource,
) {
  const { name, namespace } = referenceTo(dialect, object);
  return {
    ...{ dialect, version, subresource, name, namespace, object: freeze(object) },
    operation: subresource === '' ? ('CREATE' as const) : ('UPDATE' as const),
    ...{ oldObject: undefined, identity: undefined, dryRun: false },
  };
}

/** A view of the objects that were kept; `unknown`: why another object may exist. */
function viewOf(kept: ReadonlyMap<string, { readonly stored: Stored }>, unknown: string | undefined): ClusterView {
  return {
    get({ name }) {
      const value = kept.get(name)?.stored.object;
      return value === undefined && unknown !== undefined ? { known: false, reason: unknown } : { known: true, value };
    },
    list: () => ({ known: false, reason: 'not read' }),
  };
}

/** No rule reads it for an object that is neither an id nor a membership. */
const EMPTY_VIEW = viewOf(new Map(), 'not read');
