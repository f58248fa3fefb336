/** Converts the catalogue to SARIF's rule metadata, which a dashboard shows beside an alert. */
import { ruleUrl } from '../../rules/documentation.ts';
import { examples } from '../../rules/examples.generated.ts';
import { rules } from '../../rules/index.ts';
import type { Action, Rule } from '../../rules/rule.ts';
import { factsOf, type RuleFacts } from '../rules/facts.ts';
import { ruleProse } from '../rules/text.ts';

/** Returns all rules, in the order of the catalogue. */
export function sarifRules() {
  return rules.map((rule: Rule) => descriptorOf(factsOf(rule)));
}

/** Escapes `{0}`, which is a placeholder in a message, and `[a](b)`, which is a link. */
export function literally(text: string): string {
  return withoutPlaceholders(text).replaceAll('](', '] (');
}

const LEVELS: Readonly<Record<Action, string>> = { deny: 'error', warn: 'warning', audit: 'note', ignore: 'none' };

function descriptorOf(facts: RuleFacts) {
  const { id, concept, level, basis, defaultAction, inertUntil, why, source, quote } = facts;
  const enabled = defaultAction !== 'ignore' && inertUntil === undefined;
  // The page of an enhancement proposal, by its number.
  const number = /^KEP-(\d+)/.exec(source)?.[1];
  const proposal = number && `https://kep.k8s.io/${number}`;
  return {
    id,
    shortDescription: { text: headline(facts) },
    fullDescription: { text: literally(quote === undefined ? why : `${why} The norm (${source}): "${quote}"`) },
    helpUri: ruleUrl(id),
    help: { text: literally(ruleProse(facts, examples[id])), markdown: markdownOf(facts, proposal) },
    defaultConfiguration: { enabled, level: LEVELS[defaultAction] },
    properties: { level, basis, source, tags: ['kubernetes', 'multicluster', concept] },
  };
}

/** Returns a title: one message, without its fix and without values. */
function headline({ id, messages }: RuleFacts): string {
  const all = Object.values(messages);
  const one = all.find((message) => message.startsWith('must')) ?? all[0] ?? '';
  return literally(`${id}: ${unfilled(one.split(/;|,? (?:but )?got /)[0] ?? '')}`);
}

function markdownOf({ id, level, basis, source, quote, why, messages }: RuleFacts, proposal: string | undefined) {
  const example = examples[id];
  const fenced = (title: string, yaml: string) => `${title}:\n\n\`\`\`yaml\n${yaml.trimEnd()}\n\`\`\``;
  const parts = [
    `**${id}** is a ${level} (basis: ${basis}). Source: ${proposal ? `[${source}](${proposal})` : source}`,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, '> ')]),
    why,
    Object.values(messages)
      .map((message) => `- \`${unfilled(message)}\``)
      .join('\n'),
    ...(example ? [fenced('Allowed', example.allowed), fenced('Not allowed', example.denied)] : []),
    `More: [${id}](${ruleUrl(id)}), or \`muster explain ${id}\`.`,
  ];
  return withoutPlaceholders(parts.join('\n\n'));
}

/** `got "{{value}}"` reads `got <value>`. */
function unfilled(message: string): string {
  return message.replace(/"?\{\{(\w+)\}\}"?/g, '<$1>');
}

/** Doubles braces of placeholders only; dashboards would show others twice. */
function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}
