/** The messages and variables of a policy. The messages are those of the rule, with values that CEL inserts. */
import { stringLiteral } from '../rules/cel/expressions.ts';
import type { CelValidation, CelVariable, Rule, RuleSettings } from '../rules/rule.ts';

/** A part of a message: a text, or a value in CEL. */
type Piece = { readonly text: string } | { readonly cel: string };

/** Returns `[rule/id] field: message` as text and, if it contains values, as a CEL expression. */
export function messagesOf(rule: Rule, validation: CelValidation): { message: string; messageExpression?: string } {
  const { messageId, field } = validation;
  const template = rule.meta.messages[messageId];
  if (template === undefined) throw new Error(`${rule.id} has no message "${messageId}"`);
  const pieces = [{ text: `[${rule.id}] ${field}: ` }, ...piecesOf(template, validation)];
  const message = pieces.map((piece) => ('text' in piece ? piece.text : '…')).join('');
  if (pieces.every((piece) => 'text' in piece)) return { message };
  const expression = pieces
    .map((piece) => ('text' in piece ? stringLiteral(piece.text) : shown(piece.cel)))
    .join(' + ');
  return { message, messageExpression: expression };
}

/** Drops `, got "{{value}}"` if the value is not available. */
function piecesOf(template: string, { data = {}, dataExpressions = {} }: CelValidation): readonly Piece[] {
  const known = (name: string | undefined): boolean => name !== undefined && (name in data || name in dataExpressions);
  const spare = template.replace(/,? got "?\{\{(\w+)\}\}"?/, (whole, name) => (known(name) ? whole : ''));
  return spare.split(/(\{\{\w+\}\})/).flatMap((part): Piece[] => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return part === '' ? [] : [{ text: part }];
    const cel = dataExpressions[name];
    return [cel === undefined ? { text: data[name] ?? '…' } : { cel }];
  });
}

/** Shows a value only if it is short and printable: otherwise it could forge a line of output. */
function shown(cel: string): string {
  const value = `dyn(${cel})`;
  const printable = `type(${value}) == string && size(${value}) <= 64 && ${value}.matches('^[ -~]*$')`;
  return `(${printable} ? string(${value}) : '…')`;
}

/** Returns the variables that validations use, directly or through others, in their order. */
export function usedBy(
  validations: readonly { readonly expression: string; readonly messageExpression?: string }[],
  variables: readonly CelVariable[],
  settings: RuleSettings,
): readonly CelVariable[] {
  const used = new Set(validations.flatMap((one) => namesIn(`${one.expression} ${one.messageExpression ?? ''}`)));
  const settled = variables.map(({ name, expression, configured }) => ({
    name,
    expression: configured?.(settings) ?? expression,
  }));
  const all = [...new Map(settled.map((variable) => [variable.name, variable])).values()];
  // From the last to the first, since variables use only earlier ones.
  for (const { name, expression } of all.toReversed())
    if (used.has(name)) for (const other of namesIn(expression)) used.add(other);
  return all.filter(({ name }) => used.has(name));
}

function namesIn(expression: string): readonly string[] {
  return [...expression.matchAll(/\bvariables\.(\w+)/g)].map(([, name]) => name ?? '');
}
