import { at, type Path, same, textAt } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { reportCaller } from '../principal.ts';
import { type Context, defineRule, type Problem, type RuleResult } from '../rule.ts';
import { serverFlowCaller } from './feature-context.ts';

const DESIRED: Path = ['spec', 'desired'];
const SOURCE: Path = ['status', 'source'];

export const rule = defineRule({
  id: 'feature/dynamic-opt-in',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
  ratchets: false,
  meta: {
    summary: 'Only features that the configuration lists can be set through the API.',
    fix: 'Remove spec.desired, or add the feature to features.dynamic.',
    level: 'MUST',
    source: 'KEP-3920 #implementation-order-of-execution (commit cc13a7dde)',
    quote: "If opted in on apiserver's command line, a feature may be set dynamically in the API.",
    needs: ['object', 'oldObject', 'identity'],
    why: 'Which features are opted in is configured, and a CRD has no configuration.',
    inertUntil: 'features.dynamic',
    messages: {
      desired:
        'is set to "{{value}}", but the feature is not opted in; remove spec.desired, or add the feature to ' +
        'features.dynamic',
      source:
        'becomes Dynamic, but the feature is not opted in; keep the stored source, or add the feature to ' +
        'features.dynamic',
    },
  },
  scan: 'object',
  cel: notInCel.configuration,
  enabled: (settings) => settings.features.dynamic !== undefined,
  check(context) {
    const { object, oldObject } = context;
    if (context.subresource === 'status') {
      const becomes = textAt(object, SOURCE) === 'Dynamic' && textAt(oldObject, SOURCE) !== 'Dynamic';
      return becomes ? unlessOptedIn(context, { path: SOURCE, messageId: 'source' }) : [];
    }
    // Removing the field is allowed: the feature returns to its default.
    const value = at(object, DESIRED);
    if (value === undefined || same(value, at(oldObject, DESIRED))) return [];
    return unlessOptedIn(context, { path: DESIRED, messageId: 'desired', data: { value } });
  },
});

/** Reports the problem unless the feature may be set. The server flow writes the configured value, so it is exempt. */
function unlessOptedIn(context: Context, problem: Problem): readonly RuleResult[] {
  if (isDynamic(context)) return [];
  const flow = serverFlowCaller(context);
  if (flow === 'caller') return [];
  if (flow === 'none' || context.identity !== undefined) return [problem];
  // Who wrote an object is not stored with it.
  return context.point === 'scan' ? [] : reportCaller(context, problem);
}

/** Whether `features.dynamic` lists the feature. */
function isDynamic({ settings, namespace, name }: Context): boolean {
  const { dynamic = [] } = settings.features;
  const names = (pattern: string, name?: string) => pattern === '*' || pattern === name;
  return dynamic === '*' || dynamic.some((entry) => names(entry.namespace, namespace) && names(entry.name, name));
}
