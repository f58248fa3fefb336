/** Rules made for tests of the engine itself, and the objects they judge. */
import type { Context, Rule, RuleMeta, Said, Yielded } from '../../src/rules/rule.ts';

export const META: RuleMeta = {
  level: 'MUST',
  basis: 'kep',
  source: 'a test',
  quote: 'a norm',
  needs: ['object'],
  why: 'a reason',
  code: 422,
  messages: { bad: 'is bad, got "{{value}}"', worse: 'is worse' },
};

/** A rule on claims that yields what it is told to. */
export function ruleOf(id: string, yields: (context: Context) => Said, more: Partial<Rule> = {}): Rule {
  return { id, concept: 'claim', on: ['CREATE', 'UPDATE', 'DELETE'], meta: META, check: yields, ...more };
}

/** A rule that finds fault with every `spec.value`. */
export function always(id: string, more: Partial<Rule> = {}, meta: Partial<RuleMeta> = {}): Rule {
  const find = (): Yielded[] => [{ path: ['spec', 'value'], messageId: 'bad', data: { value: 'x' } }];
  return ruleOf(id, find, { ...more, meta: { ...META, ...meta } });
}
