/**
 * Loaded into a muster that is to break (`NODE_OPTIONS=--import`): every rule breaks, in one way or another, over an object whose
 * name says so; and SIGUSR2 keeps the event loop busy for two seconds.
 */
import { rules } from '../../../src/rules/index.ts';
import type { Context, MaybePromise, Rule, RuleResult } from '../../../src/rules/rule.ts';
import { STALL_MS, type Way } from './ways.ts';

const secret = () => new Error('secret of the inside');

const BREAKS: Readonly<Record<Way, () => MaybePromise<readonly RuleResult[]>>> = {
  throws: () => {
    throw secret();
  },
  rejects: () =>
    Promise.resolve().then(() => {
      throw secret();
    }),
  'says-nonsense': () => [undefined, 7, null] as never,
  'answers-nothing': () => 42 as never,
  overflows: () => BREAKS.overflows(),
};

for (const rule of rules as readonly Rule[]) {
  const check = rule.check?.bind(rule);
  Object.assign(rule, {
    check: (context: Context) => {
      const way = Object.keys(BREAKS).find((name) => context.name.startsWith(`${name}.`));
      return way === undefined ? (check?.(context) ?? []) : BREAKS[way as Way]();
    },
  });
}

process.on('SIGUSR2', () => {
  const end = performance.now() + STALL_MS;
  while (performance.now() < end);
});
