/** Functions that the rules on features share: the result of the state machine, and the server flow of a namespace. */
import { getOrInsert } from '../../base/collections.ts';
import { isAmong } from '../principal.ts';
import type { Context, RuleResult } from '../rule.ts';
import { type Clock, evaluateStatusUpdate, type MachineRule, type StatusUpdate } from './state-machine.ts';

const statusUpdates = new WeakMap<Context, StatusUpdate>();

/** Evaluates the status update. The result is kept, since nine rules need it. */
export function statusUpdateOf(context: Context): StatusUpdate {
  const { object, oldObject } = context;
  return getOrInsert(statusUpdates, context, () => evaluateStatusUpdate(oldObject, object, clockOf(context)));
}

/** Returns the violation that the state machine found, if it is one of this rule; else an empty list. */
export function violationsOf(context: Context, rule: MachineRule): readonly RuleResult[] {
  const { violation } = statusUpdateOf(context);
  return violation?.rule === rule
    ? [{ path: violation.path, messageId: violation.messageId, data: violation.data ?? {} }]
    : [];
}

/**
 * Whether the configuration names principals of the server flow in the namespace, and the caller is not one of them.
 */
export function isStranger(context: Context): boolean {
  return serverFlowCaller(context) === 'others';
}

/** Whom the configuration names as server flow in the feature's namespace: nobody, the caller, or only others. */
export function serverFlowCaller({ settings, namespace, identity }: Context): 'none' | 'caller' | 'others' {
  let flow: 'none' | 'others' = 'none';
  for (const entry of settings.features.serverFlow ?? []) {
    if (entry.namespace !== namespace) continue;
    if (isAmong(identity, entry.principals)) return 'caller';
    flow = 'others';
  }
  return flow;
}

/** The time of the request, and how far two clocks may be apart. */
export function clockOf({ now, settings }: Context): Clock {
  return { now, skew: settings.features.clockSkewSeconds * 1000 };
}
