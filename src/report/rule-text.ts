/** Formats the catalogue as a table, and one rule as prose. */
import type { examples } from '../rules/examples.generated.ts';
import type { RuleFacts } from './rule-facts.ts';
import { noColor, type Paint, table } from './terminal.ts';

type Example = (typeof examples)[string];

const COLUMNS = ['RULE', 'LEVEL', 'DEFAULT', 'BASIS', 'SUMMARY'] as const;

/** Explains the columns of the table of rules. */
const LEGEND = `
LEVEL    MUST: the norm requires it. MUST†: it does, but one write alone can't prove a violation.
         SHOULD: the norm recommends it. ADVICE: the norm gives it as an example.
DEFAULT  the action on a finding. "disabled": the rule needs a setting first, which muster explain RULE names.
BASIS    who says so: kep (an enhancement proposal), upstream (an API that grew out of one), muster (this project).
`;

/** Returns one line for each rule under a heading, and a legend of the columns. */
export function rulesTable(rules: readonly RuleFacts[], paint: Paint = noColor): string {
  const rows = rules.map((rule) => [rule.id, rule.level, actionOf(rule), rule.basis, rule.summary]);
  return `${table(COLUMNS, rows, paint)}${LEGEND}`;
}

/**
 * Returns summary, fix, norm with its source, defaults, messages and an example of each outcome; last, notes for
 * authors of rules.
 */
export function ruleProse(rule: RuleFacts, example: Example | undefined, paint: Paint = noColor): string {
  const title = (text: string) => paint(text, 'bold');
  const level = `${levelsOf(rule)} (basis: ${rule.basis})`;
  const facts = [['Level', level], ...factRows(rule), ['Page', rule.url]];
  const quote = rule.quote === undefined ? [] : [indented(`"${rule.quote}"`)];
  const link = rule.sourceUrl === undefined ? [] : [indented(rule.sourceUrl)];
  const blocks = [
    `${title(rule.id)}: ${rule.summary}`,
    `${title('How to fix it')}\n${indented(rule.fix)}`,
    [title('The norm'), ...quote, indented(rule.source), ...link].join('\n'),
    facts.map(([name, value]) => `${`${name}:`.padEnd(18)}${value}`).join('\n'),
    `${title('Messages')}\n${Object.values(rule.messages).map(unfilled).map(indented).join('\n')}`,
  ];
  if (example) {
    blocks.push(`${title('Allowed')}\n${indented(example.allowed.trimEnd())}`);
    blocks.push(`${title('Not allowed')}\n${indented(example.denied.trimEnd())}`);
  }
  if (rule.pairs) blocks.push(`${title('In conflict, as spec in two clusters')}\n${indented(pairsText(rule.pairs))}`);
  blocks.push(`${title(rule.operations.length > 0 ? 'Why a webhook' : 'Why not in a CRD')}\n${indented(rule.why)}`);
  return `${blocks.join('\n\n')}\n`;
}

function pairsText(pairs: NonNullable<RuleFacts['pairs']>): string {
  return Object.entries(pairs)
    .map(([reason, [one, other]]) => `${reason}\n  ${one}\n  ${other}`)
    .join('\n');
}

/** Returns a message with its placeholders as names: `got "{{value}}"` reads `got <value>`. */
export function unfilled(message: string): string {
  return message.replace(/"?\{\{(\w+)\}\}"?/g, '<$1>');
}

/** Returns the facts of a rule other than its level, each with its name. */
export function factRows(rule: RuleFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ['Default action', actionsOf(rule)],
    ['Applies to', `${rule.kinds.join(', ')} ${rule.operations.length > 0 ? 'on' : 'in'} ${writesOf(rule)}`],
    ['Code of a denial', codeOf(rule)],
  ];
}

/**
 * Returns the default action, the actions that differ for an enforcement point or a kind, and the setting that enables
 * the rule, if it needs one.
 */
export function actionsOf(rule: RuleFacts): string {
  const { defaultAction, defaultActionByKind, defaultActionByPoint = {}, inertUntil } = rule;
  const byPoint = Object.entries(defaultActionByPoint).map(([point, action]) => `, ${action} in ${point}`);
  const byKind = Object.entries(defaultActionByKind).map(([kind, action]) => `, ${action} for ${kind}`);
  const special = [...byPoint, ...byKind];
  const disabled = inertUntil === undefined ? '' : ` (disabled until ${inertUntil} is configured)`;
  return `${defaultAction}${special.join('')}${disabled}`;
}

/** Returns the level, and the levels that differ at an enforcement point or for some findings. */
export function levelsOf({ level, levelByPoint = {}, levelByMessage = {} }: RuleFacts): string {
  const byPoint = Object.entries(levelByPoint).map(([point, own]) => `, ${own} in ${point}`);
  const ofSome = [...new Set(Object.values(levelByMessage))].map((own) => `, ${own} for some findings`);
  return [level, ...byPoint, ...ofSome].join('');
}

function codeOf({ code, operations, subresources }: RuleFacts): string {
  if (operations.length === 0) return 'none: no write is denied';
  const updates = operations.includes('UPDATE') && subresources.includes('');
  return `${code}${code === 422 && updates ? ' (403 on UPDATE of the object)' : ''}`;
}

function actionOf({ defaultAction, inertUntil }: RuleFacts): string {
  return inertUntil === undefined ? defaultAction : `${defaultAction}, disabled`;
}

/**
 * Returns the operations on the object and on its status, as `CREATE UPDATE /status`; for a rule on no write, its
 * points.
 */
export function writesOf({ operations, subresources, evaluatedIn = [], acrossClusters }: RuleFacts): string {
  if (operations.length === 0) return `${evaluatedIn.join(' and ')}${acrossClusters ? ' of several clusters' : ''}`;
  const main = subresources.includes('') ? operations : [];
  return [...main, ...(subresources.includes('status') ? ['/status'] : [])].join(' ');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
