/** One page of the reference, from a rule's metadata and its examples. */
import type { Rule } from '../rules/rule.ts';
import { scanText } from '../rules/scan.ts';
import type { Example } from './fixtures.ts';
import { actionsOf, judgedOn, kindsOf, levelsOf } from './rule-facts.ts';

const REASONS = { 403: '403 `Forbidden`', 422: '422 `Invalid`' } as const;

/** The generated part of the page, in Markdown. */
export function rulePage(rule: Rule, example: Example): string {
  const sections = [
    `<!-- Generated from src/rules/${rule.id}.ts by \`npm run generate\`. -->\n# ${rule.id}`,
    norm(rule),
    facts(rule),
    `## Why it takes a webhook\n\n${rule.meta.why}`,
    messages(rule),
    `## Allowed\n\n${yaml(example.allowed)}`,
    `## Found\n\n${yaml(example.denied)}`,
  ];
  return `${sections.join('\n\n')}\n`;
}

function norm({ meta }: Rule): string {
  if (meta.quote === undefined) return `Source: ${meta.source}.`;
  return `> ${meta.quote.replaceAll('\n', '\n> ')}\n\nSource: ${meta.source}.`;
}

function facts(rule: Rule): string {
  const { meta } = rule;
  const rows = [
    ['level', levelsOf(rule)],
    ['default action', actionsOf(rule)],
    ['code of a denial', codeOf(rule)],
    ['basis', meta.basis],
    ['judged on', judgedOn(rule)],
    ['kinds', kindsOf(rule)],
    ['needs', meta.needs.join(', ')],
    ['in a scan', scanText(rule)],
    ...(meta.inertUntil ? [['asleep until', `\`${meta.inertUntil}\` is configured`]] : []),
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

function codeOf({ meta, on, subresources = [''] }: Rule): string {
  const updates = on.includes('UPDATE') && subresources.includes('');
  return `${REASONS[meta.code]}${meta.code === 422 && updates ? '; 403 `Forbidden` on UPDATE of the object' : ''}`;
}

function messages({ meta }: Rule): string {
  const lines = Object.entries(meta.messages).map(([id, text]) => `- \`${id}\`: ${text.replaceAll('<', '&lt;')}`);
  return ['## Messages', '', ...lines].join('\n');
}

function yaml(text: string): string {
  return `\`\`\`yaml\n${text.trimEnd()}\n\`\`\``;
}
