/** Converts the catalogue to SARIF's rule metadata, which a dashboard shows beside an alert. */
import { examples } from '../../rules/examples.generated.ts';
import { rules } from '../../rules/index.ts';
import type { Action, Rule } from '../../rules/rule.ts';
import { factsOf, type RuleFacts } from '../rules/facts.ts';
import { ruleProse } from '../rules/text.ts';

/** Returns all rules, in the order of the catalogue. */
export function sarifRules() {
  return rules.map((rule: Rule) => descriptorOf(factsOf(rule)));
}

/** Returns the index of a rule in `sarifRules`; undefined for an unknown id. */
export function ruleIndexOf(id: string): number | undefined {
  const index = rules.findIndex((rule) => rule.id === id);
  return index < 0 ? undefined : index;
}

const LEVELS: Readonly<Record<Action, string>> = { deny: 'error', warn: 'warning', audit: 'note', ignore: 'none' };

function descriptorOf(facts: RuleFacts) {
  const { id, concept, level, basis, defaultAction, inertUntil, why, source, quote } = facts;
  const helpUri = normOf(source);
  const enabled = defaultAction !== 'ignore' && inertUntil === undefined;
  return {
    id,
    name: pascalCase(id),
    shortDescription: { text: headline(facts) },
    fullDescription: { text: literally(quote === undefined ? why : `${why} The norm (${source}): "${quote}"`) },
    ...(helpUri !== undefined && { helpUri }),
    help: { text: literally(ruleProse(facts, examples[id])), markdown: markdownOf(facts) },
    defaultConfiguration: { enabled, level: LEVELS[defaultAction] },
    properties: { level, basis, source, tags: ['kubernetes', 'multicluster', concept] },
  };
}

/** Returns the page of an enhancement proposal, by its number. */
function normOf(source: string): string | undefined {
  const number = /^KEP-(\d+)/.exec(source)?.[1];
  return number && `https://kep.k8s.io/${number}`;
}

/** `claim/id-syntax` → `ClaimIdSyntax` */
function pascalCase(id: string): string {
  return id.replace(/(?:^|[^A-Za-z0-9]+)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

/** Returns a title: one message, without its fix and without values. */
function headline({ id, messages }: RuleFacts): string {
  const all = Object.values(messages);
  const one = all.find((message) => message.startsWith('must')) ?? all[0] ?? '';
  return literally(`${id}: ${unfilled(one.split(/;|,? (?:but )?got /)[0] ?? '')}`);
}

/** `got "{{value}}"` reads `got <value>`. */
function unfilled(message: string): string {
  return message.replace(/"?\{\{(\w+)\}\}"?/g, '<$1>');
}

/** Escapes `{0}`, which is a placeholder in a message, and `[a](b)`, which is a link. */
export function literally(text: string): string {
  return withoutPlaceholders(text).replaceAll('](', '] (');
}

/** Doubles braces of placeholders only; dashboards would show others twice. */
function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}

function markdownOf(facts: RuleFacts): string {
  const { id, level, basis, source, quote, why, messages } = facts;
  const example = examples[id];
  const norm = normOf(source);
  const parts = [
    `**${id}** is a ${level} (basis: ${basis}). Source: ${norm === undefined ? source : `[${source}](${norm})`}`,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, '> ')]),
    why,
    Object.values(messages)
      .map((message) => `- \`${unfilled(message)}\``)
      .join('\n'),
    ...(example ? [`Allowed:\n\n${fenced(example.allowed)}`, `Not allowed:\n\n${fenced(example.denied)}`] : []),
    `\`muster explain ${id}\` says the same.`,
  ];
  return withoutPlaceholders(parts.join('\n\n'));
}

function fenced(yaml: string): string {
  return `\`\`\`yaml\n${yaml.trimEnd()}\n\`\`\``;
}
