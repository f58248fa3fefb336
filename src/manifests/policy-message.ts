/** What a policy says when it refuses: the rule's own words, as far as CEL can put the values in. */
import type { CelValidation } from '../rules/cel/cel.ts';
import { text } from '../rules/cel/text.ts';
import type { Rule } from '../rules/rule.ts';

export interface Messages {
  readonly message: string;
  readonly messageExpression?: string;
}

/** Text between values; a value is CEL, a text is text. */
type Piece = { readonly text: string } | { readonly cel: string };

/** `[rule/id] field: message`; the plain one stands where the other can't be made. */
export function messagesOf(rule: Rule, validation: CelValidation): Messages {
  const { messageId, field } = validation;
  const template = rule.meta.messages[messageId];
  if (template === undefined) throw new Error(`${rule.id} has no message "${messageId}"`);
  const pieces = [{ text: `[${rule.id}] ${field}: ` }, ...piecesOf(template, validation)];
  const message = pieces.map((piece) => ('text' in piece ? piece.text : '…')).join('');
  if (pieces.every((piece) => 'text' in piece)) return { message };
  const expression = pieces.map((piece) => ('text' in piece ? text(piece.text) : shown(piece.cel))).join(' + ');
  return { message, messageExpression: expression };
}

/** What was found is left out where it is not shown: `, got "{{value}}"`. */
function piecesOf(template: string, { data = {}, shows = {} }: CelValidation): readonly Piece[] {
  const known = (name: string | undefined): boolean => name !== undefined && (name in data || name in shows);
  const spare = template.replace(/,? got "?\{\{(\w+)\}\}"?/, (whole, name) => (known(name) ? whole : ''));
  return spare.split(/(\{\{\w+\}\})/).flatMap((part): Piece[] => {
    const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
    if (name === undefined) return part === '' ? [] : [{ text: part }];
    const cel = shows[name];
    return [cel === undefined ? { text: data[name] ?? '…' } : { cel }];
  });
}

/** Short and printable, or not at all: what users write could forge a line. */
function shown(cel: string): string {
  const value = `dyn(${cel})`;
  const printable = `type(${value}) == string && size(${value}) <= 64 && ${value}.matches('^[ -~]*$')`;
  return `(${printable} ? string(${value}) : '…')`;
}
