/**
 * Functions that the rules on features share: the result of the state machine, the server flow of a namespace, the
 * opt-in.
 */
import { isAmong } from '../principal.ts';
import type { Context, RuleResult } from '../rule.ts';
import { type Clock, type Course, courseOf, type MachineRule } from './machine.ts';

/** Eight rules need the course of the same write, one after the other. It is kept until the next write: one at most. */
let latest: { readonly context: Context; readonly course: Course } | undefined;

/** Where this write leads the feature, and what it breaks on the way. */
export function course(context: Context): Course {
  if (latest?.context !== context)
    latest = { context, course: courseOf(context.oldObject, context.object, clockOf(context)) };
  return latest.course;
}

/** The check of a rule that reports what the machine found, where it is this rule's. */
export function readMachine(context: Context, rule: MachineRule): readonly RuleResult[] {
  const { broken } = course(context);
  return broken?.rule === rule ? [{ path: broken.path, messageId: broken.messageId, data: broken.data ?? {} }] : [];
}

/**
 * Whether somebody is named to run the server flow in the feature's namespace and the caller, known or not, is none of
 * them.
 */
export function isStranger(context: Context): boolean {
  return serverFlowOf(context) === 'others';
}

/** Who runs the server flow in the feature's namespace: nobody is named, the caller, or others. */
export function serverFlowOf({ settings, namespace, identity }: Context): 'none' | 'caller' | 'others' {
  let flow: 'none' | 'others' = 'none';
  for (const entry of settings.features.serverFlow ?? []) {
    if (entry.namespace !== '*' && entry.namespace !== namespace) continue;
    if (identity !== undefined && isAmong(identity, entry.principals)) return 'caller';
    flow = 'others';
  }
  return flow;
}

/** Whether the feature may be set dynamically. Only asked where `features.dynamic` is configured. */
export function isDynamic({ settings, namespace, name }: Context): boolean {
  const { dynamic = [] } = settings.features;
  const names = (pattern: string, name?: string) => pattern === '*' || pattern === name;
  return dynamic === '*' || dynamic.some((entry) => names(entry.namespace, namespace) && names(entry.name, name));
}

/** The time of the request, and how far two clocks may be apart. */
export function clockOf({ now, settings }: Context): Clock {
  return { now, skew: settings.features.clockSkewSeconds * 1000 };
}
