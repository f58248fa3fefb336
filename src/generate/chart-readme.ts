/** The README of the Helm chart in the form of helm-docs: its template, with the table of the values and their comments. */
import { isMap, type Pair, parseDocument, type YAMLMap } from 'yaml';

/** What the header of the README shows. */
export interface ChartDescription {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly appVersion: string;
  readonly description: string;
}

/**
 * Returns the README. A comment that begins with `-- ` describes the value below it.
 * @throws Error for an unknown directive in the template, and for a value without such a comment
 */
export function chartReadme(template: string, chart: ChartDescription, values: string): string {
  const sections: Readonly<Record<string, string>> = {
    'chart.header': `# ${chart.name}`,
    'chart.badgesSection': badges(chart),
    'chart.description': chart.description,
    'chart.valuesSection': `## Values\n\n${table(values)}`,
  };
  return template.replace(/\{\{ template "([^"]*)" \. \}\}/g, (_, name: string) => {
    const text = sections[name];
    if (text === undefined) throw new Error(`no section "${name}": name one of ${Object.keys(sections).join(', ')}`);
    return text;
  });
}

function badges(chart: ChartDescription): string {
  const badge = (name: string, value: string, color: string) =>
    `![${name}: ${value}](https://img.shields.io/badge/${name}-${value}-${color}?style=flat-square)`;
  const { version, type, appVersion } = chart;
  return [badge('Version', version, 'informational'), badge('Type', type, 'informational')]
    .concat(badge('AppVersion', appVersion, 'informational'))
    .join(' ');
}

interface Row {
  readonly key: string;
  readonly type: string;
  readonly value: unknown;
  readonly description: string;
}

function table(values: string): string {
  const rows = rowsOf(parseDocument(values).contents as YAMLMap, '').sort((a, b) => (a.key < b.key ? -1 : 1));
  const lines = rows.map(
    ({ key, type, value, description }) =>
      `| ${key} | ${type} | \`${JSON.stringify(value, sortKeys)}\` | ${description} |`,
  );
  return ['| Key | Type | Default | Description |', '|-----|------|---------|-------------|', ...lines].join('\n');
}

/** A map with a comment of its own is one value. */
function rowsOf(map: YAMLMap, prefix: string, before?: string | null): Row[] {
  return map.items.flatMap((pair, index): Row[] => {
    const { key, value } = pair as Pair<{ value: string; commentBefore?: string }, unknown>;
    const name = `${prefix}${key.value}`;
    // The comment before a map's first key belongs to the map.
    const description = descriptionOf(key.commentBefore ?? (index === 0 ? before : undefined));
    if (description === undefined) {
      if (isMap(value)) return rowsOf(value, `${name}.`, value.commentBefore);
      throw new Error(`values.yaml: ${name} has no comment that begins with "-- "`);
    }
    const plain = (value as { toJSON(): unknown }).toJSON();
    return [{ key: name, type: typeOf(plain), value: plain, description }];
  });
}

function descriptionOf(comment: string | null | undefined): string | undefined {
  const text = /^ -- (.*)$/m.exec(comment?.split('\n').at(-1) ?? '');
  return text?.[1];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  const names: Readonly<Record<string, string>> = { boolean: 'bool', number: 'int', string: 'string' };
  return names[typeof value] ?? 'object';
}

/** Sorts the keys of maps, as helm-docs does. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
