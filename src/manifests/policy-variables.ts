/** The variables that a policy uses, and those that they use in turn. */
import type { CelVariable } from '../rules/cel/cel.ts';
import type { RuleSettings } from '../rules/rule.ts';

interface Variable {
  readonly name: string;
  readonly expression: string;
}

/** In their order; a variable only sees those before it. */
export function usedBy(
  validations: readonly { readonly expression: string; readonly messageExpression?: string }[],
  variables: readonly CelVariable[],
  settings?: RuleSettings,
): readonly Variable[] {
  const used = new Set(validations.flatMap((one) => namesIn(`${one.expression} ${one.messageExpression ?? ''}`)));
  const distinct = new Map(variables.map((variable) => [variable.name, settled(variable, settings)]));
  const all = [...distinct.values()];
  // From the last to the first: whatever uses a variable stands behind it.
  for (const { name, expression } of all.toReversed())
    if (used.has(name)) for (const other of namesIn(expression)) used.add(other);
  return all.filter(({ name }) => used.has(name));
}

function settled({ name, expression, configured }: CelVariable, settings?: RuleSettings): Variable {
  return { name, expression: settings !== undefined && configured ? configured(settings) : expression };
}

function namesIn(expression: string): readonly string[] {
  return [...expression.matchAll(/\bvariables\.(\w+)/g)].map(([, name]) => name ?? '');
}
