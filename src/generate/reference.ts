/** The reference of the rules in docs/rules, a page for each rule and an index; and the module of examples for `muster explain`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialects } from '../api/dialects.ts';
import { defaultAction } from '../engine/plan.ts';
import type { EnforcementPoint, Rule } from '../rules/rule.ts';
import { scanText } from '../rules/scan.ts';
import { type Artifact, filesIn, readIfThere } from './artifact.ts';

/** Everything above this line of a page is generated; what is written below it is kept. */
export const MARKER = '<!-- Written by hand from here on; `npm run generate` keeps it. -->';

const FOLDER = 'docs/rules';

/** The pages of these rules and their index. */
export function ruleDocs(root: string, rules: readonly Rule[], examples: Examples): readonly Artifact[] {
  const pages = rules.map((rule) => {
    const example = examples.get(rule.id) ?? { allowed: '', denied: '' };
    return { path: `${FOLDER}/${pageOf(rule.id)}`, text: rulePage(rule, example) };
  });
  const all = [{ path: `${FOLDER}/README.md`, text: index(rules) }, ...pages];
  return all.map(({ path, text }) => ({
    path,
    text: `${text}\n${MARKER}\n${authored(readIfThere(join(root, path)))}`,
  }));
}

/** The file name of a rule's page. */
export function pageOf(id: string): string {
  return `${id.replace('/', '-')}.md`;
}

function authored(current: string | undefined): string {
  const at = current?.indexOf(MARKER) ?? -1;
  return current === undefined || at < 0 ? '' : current.slice(at + MARKER.length).replace(/^\n/, '');
}

function index(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => {
    const { level, basis, code } = rule.meta;
    return `| [\`${rule.id}\`](${pageOf(rule.id)}) | ${level} | ${actionsOf(rule)} | ${basis} | ${code} | ${evaluatedOn(rule)} |`;
  });
  return [
    '<!-- Generated from src/rules by `npm run generate`. -->',
    '# The rules',
    '',
    `${rules.length} rules, in the order in which findings are reported.`,
    '',
    '| rule | level | default action | basis | code | evaluated on |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export interface Example {
  readonly allowed: string;
  readonly denied: string;
}
export type Examples = ReadonlyMap<string, Example>;

const BANNER = '/** Generated from test/fixtures by `npm run generate`. Do not edit. */';

/**
 * Returns the text of the first allowed and of the first denied case of every rule.
 * @throws Error that names a folder without one
 */
export function firstFixtures(root: string, rules: readonly { readonly id: string }[]): Examples {
  const first = (folder: string): string => {
    const file = filesIn(root, folder).find((path) => path.endsWith('.yaml'));
    if (file !== undefined) return readFileSync(join(root, file), 'utf8');
    throw new Error(`Every rule has an allowed and a denied example. Add one case, a .yaml file, to ${folder}`);
  };
  const folder = (id: string, side: string) => `test/fixtures/${id}/${side}`;
  return new Map(
    rules.map(({ id }) => [id, { allowed: first(folder(id, 'allow')), denied: first(folder(id, 'deny')) }]),
  );
}

/** The module that `muster explain` reads its examples from. */
export function examplesModule(examples: Examples): string {
  const entries = [...examples].map(([id, { allowed, denied }]) => {
    return `  ${JSON.stringify(id)}: {\n    allowed: ${JSON.stringify(allowed)},\n    denied: ${JSON.stringify(denied)},\n  },\n`;
  });
  const type = 'Readonly<Record<string, { readonly allowed: string; readonly denied: string }>>';
  return `${BANNER}\nexport const examples: ${type} = {\n${entries.join('')}};\n`;
}

const REASONS = { 403: '403 `Forbidden`', 422: '422 `Invalid`' } as const;

/** The generated part of the page, in Markdown. */
function rulePage(rule: Rule, example: Example): string {
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
  const quote = meta.quote === undefined ? '' : `> ${meta.quote.replaceAll('\n', '\n> ')}\n\n`;
  return `${quote}Source: ${meta.source}.`;
}

function facts(rule: Rule): string {
  const { meta } = rule;
  const rows = [
    ['level', levelsOf(rule)],
    ['default action', actionsOf(rule)],
    ['code of a denial', codeOf(rule)],
    ['basis', meta.basis],
    ['evaluated on', evaluatedOn(rule)],
    ['kinds', kindsOf(rule)],
    ['needs', meta.needs.join(', ')],
    ['in a scan', scanText(rule)],
    ...(meta.inertUntil ? [['disabled until', `\`${meta.inertUntil}\` is configured`]] : []),
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

/** The level with what departs from it: `ADVICE (scan: MUST)`. */
function levelsOf(rule: Rule): string {
  const others = partsOf(rule).map(({ part, level }) => `${part}: ${level}`);
  return `${rule.meta.level}${others.length > 0 ? ` (${others.join(', ')})` : ''}`;
}

/** Enforcement points and messages with a level of their own, and what they lead to. */
function partsOf(rule: Rule): readonly { readonly part: string; readonly level: string; readonly action: string }[] {
  const { pointLevels = {}, messageLevels = {} } = rule.meta;
  const points = Object.entries(pointLevels).map(([point, level]) => ({
    part: point,
    level,
    action: defaultAction(rule, undefined, point as EnforcementPoint),
  }));
  const messages = Object.entries(messageLevels).map(([id, level]) => ({
    part: `\`${id}\``,
    level,
    action: defaultAction(rule, undefined, undefined, id),
  }));
  return [...points, ...messages];
}

/** The default action with what departs from it: `deny (OCM ClusterClaim: warn), once configured`. */
export function actionsOf(rule: Rule): string {
  const ofKinds = Object.entries(rule.dialectActions ?? {}).map(([name, action]) => `${nameOf(name)}: ${action}`);
  const others = [...ofKinds, ...partsOf(rule).map(({ part, action }) => `${part}: ${action}`)];
  const departing = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `${defaultAction(rule)}${departing}${rule.meta.inertUntil ? ', once configured' : ''}`;
}

/** The writes a rule evaluates: `CREATE, UPDATE of the object and of /status`. */
function evaluatedOn(rule: Rule): string {
  const subresources = rule.subresources ?? [''];
  const status = subresources.includes('status');
  const main = subresources.includes('');
  const operations = rule.on.join(', ');
  if (!status) return operations;
  return main ? `${operations}; UPDATE of \`/status\`` : `${operations} of \`/status\``;
}

/** The kinds a rule is about, as `ClusterClaim (multicluster.x-k8s.io)`. */
function kindsOf(rule: Rule): string {
  const own = dialects.filter(
    ({ name, concept }) => concept === rule.concept && (rule.dialects ?? [name]).includes(name),
  );
  return own.map(({ kind, group }) => `${kind} (${group})`).join(', ');
}

function nameOf(name: string): string {
  const dialect = dialects.find((candidate) => candidate.name === name);
  return dialect ? `${dialect.kind} of ${dialect.group}` : name;
}
