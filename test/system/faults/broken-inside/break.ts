/**
 * Fault injection, loaded with `NODE_OPTIONS=--import`: rules break for objects with certain names, and SIGUSR2 stalls
 * the event loop.
 */
import type { MaybePromise } from '../../../../src/base/promise.ts';
import { rules } from '../../../../src/rules/index.ts';
import type { Context, Rule, RuleResult } from '../../../../src/rules/rule.ts';

/** How a rule breaks. An object whose name begins with one, and then a dot, causes it. */
export const WAYS = ['throws', 'rejects', 'answers-nonsense', 'answers-nothing', 'overflows'] as const;
type Way = (typeof WAYS)[number];
export const STALL_MS = 2000;

const secret = () => new Error('secret of the inside');

const BREAKS: Readonly<Record<Way, () => MaybePromise<readonly RuleResult[]>>> = {
  throws: () => {
    throw secret();
  },
  rejects: () =>
    Promise.resolve().then(() => {
      throw secret();
    }),
  'answers-nonsense': () => [undefined, 7, null] as never,
  'answers-nothing': () => 42 as never,
  overflows: () => BREAKS.overflows(),
};

for (const rule of rules as readonly Rule[]) {
  const check = rule.check?.bind(rule);
  Object.assign(rule, {
    check: (context: Context) => {
      const way = Object.keys(BREAKS).find((name) => context.name.startsWith(`${name}-`));
      return way === undefined ? (check?.(context) ?? []) : BREAKS[way as Way]();
    },
  });
}

process.on('SIGUSR2', () => {
  const end = performance.now() + STALL_MS;
  while (performance.now() < end);
});
