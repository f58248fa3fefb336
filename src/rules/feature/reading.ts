/** What the rules on features read alike: the machine's verdict, the server flow of a namespace, the opt-in. */
import { isAmong } from '../principal.ts';
import { type Context, NOTHING, type Principal, type Yielded } from '../rule.ts';
import { type Broken, brokenBy, type Clock, type MachineRule } from './machine.ts';

/** Six rules ask about the same write, and the answer is the same. */
const known = new WeakMap<Context, { readonly broken: Broken | undefined }>();

/** The machine's verdict on this write. */
export function broken(context: Context): Broken | undefined {
  const found = known.get(context) ?? { broken: brokenBy(context.oldObject, context.object, clockOf(context)) };
  known.set(context, found);
  return found.broken;
}

/** The check of a rule that says what the machine found, where it is this rule's. */
export function readMachine(context: Context, rule: MachineRule): Iterable<Yielded> {
  const found = broken(context);
  if (found?.rule !== rule) return NOTHING;
  return [{ path: found.path, messageId: found.messageId, data: found.data ?? {} }];
}

/** Who runs the server flow in the feature's namespace; undefined where nobody is named. */
export function serverFlowOf({ settings, namespace }: Context): readonly Principal[] | undefined {
  const entries = (settings.features.serverFlow ?? []).filter(
    (entry) => entry.namespace === '*' || entry.namespace === namespace,
  );
  return entries.length === 0 ? undefined : entries.flatMap((entry) => entry.principals);
}

/** Whether the caller runs the server flow. An unknown caller does not. */
export function isServer({ identity }: Context, principals: readonly Principal[]): boolean {
  return identity !== undefined && isAmong(identity, principals);
}

/** Whether the feature may be set dynamically. Only asked where `features.dynamic` is configured. */
export function isDynamic({ settings, namespace, name }: Context): boolean {
  const { dynamic } = settings.features;
  if (dynamic === '*') return true;
  return (dynamic ?? []).some(
    (entry) =>
      (entry.namespace === '*' || entry.namespace === namespace) && (entry.name === '*' || entry.name === name),
  );
}

function clockOf({ now, settings }: Context): Clock {
  return { now, skew: settings.features.clockSkewSeconds * 1000 };
}
