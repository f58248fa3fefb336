/**
 * Read back as GitHub's runner reads (`::name key=value,…::data`; `##[` anywhere in a line), and held against what
 * GitHub's own toolkit writes of the same.
 */
import { error as issueError, warning as issueWarning } from '@actions/core';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { renderGithub } from '../../../src/report/github.ts';
import type { CheckReport, ReportContext } from '../../../src/report/report.ts';
import { anyReport, finding, report, reporting, result, unknown, warned } from './fixtures.ts';

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

const unescaped = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
const unescapedProperty = (text: string) => unescaped(text.replaceAll('%3A', ':').replaceAll('%2C', ','));

/** The runner takes a line for a command if, white space aside, it begins with `::`, or holds `##[` anywhere. */
function commandIn(line: string): Command | undefined {
  if (line.includes('##[')) throw new Error(`a command of the old form: ${line}`);
  const trimmed = line.trimStart();
  if (!trimmed.startsWith('::')) return undefined;
  const end = trimmed.indexOf('::', 2);
  const [, name = '', rest = ''] = /^(\S*) ?(.*)$/s.exec(trimmed.slice(2, end)) ?? [];
  const pairs = rest
    .split(',')
    .map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const);
  const properties = Object.fromEntries(pairs.map(([key, value]) => [key, unescapedProperty(value)]));
  return { name, properties, message: unescaped(trimmed.slice(end + 2)) };
}

function read(input: CheckReport, more: Partial<ReportContext> = {}) {
  const text = [...renderGithub(input, reporting(more))].join('');
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.slice(0, -1).split(/\r\n|\n|\r/);
  const commands = lines.map(commandIn).filter((command) => command !== undefined);
  return { lines, commands, summary: lines.at(-1) };
}

/** What the toolkit prints; it knows standard output only. */
function toolkit({ name, properties, message }: Command): string {
  const { title, file, line, endLine, col, endColumn } = properties;
  const printed: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const numbers = { startLine: line, startColumn: col, endLine, endColumn };
    const found = Object.entries(numbers).flatMap(([key, text]) => (text === undefined ? [] : [[key, Number(text)]]));
    const annotation = { ...(title && { title }), ...(file && { file }), ...Object.fromEntries(found) };
    (name === 'error' ? issueError : issueWarning)(message, annotation);
  } finally {
    write.mockRestore();
  }
  return printed.join('').replace(/\r?\n$/, '');
}

test('an annotation beside the value, and the summary as the last line', () => {
  const found = finding({ message: 'got "%0A%25"', line: 14, column: 10, endLine: 14, endColumn: 15 });
  const { commands, lines } = read(report({ results: [result({ file: 'a,b:c%2C.yaml', findings: [found] })] }));
  expect(commands).toEqual([
    {
      name: 'error',
      properties: {
        title: 'denied: claim/id-syntax',
        file: 'a,b:c%2C.yaml',
        line: '14',
        endLine: '14',
        col: '10',
        endColumn: '15',
      },
      message: 'spec.value: got "%0A%25" (ClusterClaim id.k8s.io); more: https://docs.example/rules/claim-id-syntax',
    },
  ]);
  expect(lines[1]).toBe('1 evaluated: 0 allowed, 1 denied, 0 indeterminate; 0 warnings, 0 skipped, 0 errors');
});

describe('levels', () => {
  const silent = result({ outcome: 'allowed', findings: [finding({ action: 'audit' })] });
  const error = { file: 'broken.yaml', line: 2, column: 3, message: 'no closing ]' };
  const input = report({ results: [warned(), unknown(), silent, result()], errors: [error] });
  const levelsOf = (failOn: ReportContext['failOn']) =>
    read(input, { failOn }).commands.map(({ name, properties }) => `${name} ${properties['title']?.split(':')[0]}`);

  test('what fails the run is an error, and comes first', () => {
    expect(levelsOf('denied')).toEqual(['error muster', 'error denied', 'warning indeterminate', 'warning warn']);
    expect(levelsOf('indeterminate')).toEqual(['error muster', 'error denied', 'error indeterminate', 'warning warn']);
    expect(levelsOf('warning')).toEqual(['error muster', 'error denied', 'error indeterminate', 'error warn']);
  });
});

test('10 of a level are annotations, which is what GitHub shows; the others are in the log', () => {
  const results = [...Array.from({ length: 12 }, () => warned()), ...Array.from({ length: 13 }, () => result())];
  const { commands, lines } = read(report({ results }));
  expect(commands.map(({ name }) => name)).toEqual([...Array(10).fill('error'), ...Array(10).fill('warning')]);
  expect(lines[20]).toMatch(/^5 more/);
  expect(lines.slice(21, -1).map((line) => line.split(':')[0])).toEqual([
    ...Array(3).fill('error claims.yaml'),
    ...Array(2).fill('warning claims.yaml'),
  ]);
});

test('whatever the text: no command but ours, each what the toolkit would write', () => {
  fc.assert(
    fc.property(anyReport, (input) => {
      const { commands, lines, summary } = read(input);
      const reported = input.results.flatMap(({ findings }) => findings.filter(({ action }) => action !== 'audit'));
      const headings = lines.filter((line) => / more, which GitHub would not show/.test(line)).length;
      expect(lines).toHaveLength(reported.length + input.errors.length + headings + 1);
      expect(summary).toMatch(/^\d+ evaluated: /);
      for (const [index, command] of commands.entries()) {
        expect(['error', 'warning']).toContain(command.name);
        expect(lines[index]).toBe(toolkit(command));
      }
    }),
    { numRuns: 200 },
  );
});
