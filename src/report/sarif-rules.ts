/** Converts the catalogue to SARIF's rule metadata, which a dashboard shows beside an alert. */
import { ruleUrl } from '../rules/documentation.ts';
import { examples } from '../rules/examples.generated.ts';
import { rules } from '../rules/index.ts';
import type { Action, Rule } from '../rules/rule.ts';
import { factsOf, type RuleFacts } from './rule-facts.ts';
import { ruleProse, unfilled } from './rule-text.ts';

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
  const { id, summary, fix, concept, level, basis, defaultAction, inertUntil, source, quote } = facts;
  const enabled = defaultAction !== 'ignore' && inertUntil === undefined;
  const norm = quote === undefined ? '' : ` The norm (${source}): "${quote}"`;
  return {
    id,
    shortDescription: { text: literally(`${id}: ${summary}`) },
    fullDescription: { text: literally(`${summary} ${fix}${norm}`) },
    helpUri: ruleUrl(id),
    help: { text: literally(ruleProse(facts, examples[id])), markdown: markdownOf(facts) },
    defaultConfiguration: { enabled, level: LEVELS[defaultAction] },
    properties: { level, basis, source, tags: ['kubernetes', 'multicluster', concept] },
  };
}

function markdownOf({ id, summary, fix, level, basis, source, sourceUrl, quote, messages }: RuleFacts) {
  const example = examples[id];
  const fenced = (title: string, yaml: string) => `${title}:\n\n\`\`\`yaml\n${yaml.trimEnd()}\n\`\`\``;
  const parts = [
    `**${id}**: ${summary}`,
    `**How to fix it**: ${fix}`,
    ...(quote === undefined ? [] : [quote.replace(/^/gm, '> ')]),
    `Level: ${level} (basis: ${basis}). Source: ${sourceUrl !== undefined ? `[${source}](${sourceUrl})` : source}`,
    Object.values(messages)
      .map((message) => `- \`${unfilled(message)}\``)
      .join('\n'),
    ...(example ? [fenced('Allowed', example.allowed), fenced('Not allowed', example.denied)] : []),
    `More: [${id}](${ruleUrl(id)}), or \`muster explain ${id}\`.`,
  ];
  return withoutPlaceholders(parts.join('\n\n'));
}

/** Doubles the braces of placeholders such as `{0}`. Other braces stay: dashboards would show them doubled. */
function withoutPlaceholders(text: string): string {
  return text.replace(/\{(\d+)\}/g, '{{$1}}');
}
