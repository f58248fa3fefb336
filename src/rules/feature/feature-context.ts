/**
 * Functions that the rules on features share: the result of the state machine, the server flow of a namespace, the
 * opt-in.
 */
import { getOrInsert } from '../../base/get-or-insert.ts';
import { isAmong } from '../principal.ts';
import type { Context, RuleResult } from '../rule.ts';
import { type Clock, evaluateStatusUpdate, type MachineRule, type StatusUpdate } from './state-machine.ts';

const statusUpdates = new WeakMap<Context, StatusUpdate>();

/** Evaluates the status update; once for each context, as nine rules need it. */
export function statusUpdateOf(context: Context): StatusUpdate {
  const { object, oldObject } = context;
  return getOrInsert(statusUpdates, context, () => evaluateStatusUpdate(oldObject, object, clockOf(context)));
}

/** Reports what the state machine found, if it is a violation of this rule. */
export function violationsOf(context: Context, rule: MachineRule): readonly RuleResult[] {
  const { violation } = statusUpdateOf(context);
  return violation?.rule === rule
    ? [{ path: violation.path, messageId: violation.messageId, data: violation.data ?? {} }]
    : [];
}

/**
 * Whether somebody is named to run the server flow in the feature's namespace and the caller, known or not, is none of
 * them.
 */
export function isStranger(context: Context): boolean {
  return serverFlowCaller(context) === 'others';
}

/** Who runs the server flow in the feature's namespace: nobody is named, the caller, or others. */
export function serverFlowCaller({ settings, namespace, identity }: Context): 'none' | 'caller' | 'others' {
  let flow: 'none' | 'others' = 'none';
  for (const entry of settings.features.serverFlow ?? []) {
    if (entry.namespace !== namespace) continue;
    if (isAmong(identity, entry.principals)) return 'caller';
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
