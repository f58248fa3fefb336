/** Every code block of the documentation that can be run or read by a program is. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import type { Command } from 'commander';
import { dialects } from '../../../src/api/dialects.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { suiteSchema } from '../../../src/cli/suites/suite-schema.ts';
import { ConfigError, configurationOf } from '../../../src/config/load.ts';
import { readDocuments } from '../../../src/documents/index.ts';
import { createEngine, subjectOf, unknownView } from '../../../src/index.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { publishedSchema } from '../../../src/schema/schema.ts';
import { type Block, blocksOf, pages } from '../../support/pages.ts';
import { wrongCalls } from './commands.ts';
import { difference, run, stepsOf } from './console.ts';

const blocks = blocksOf(pages());
const of = (...languages: readonly string[]) => blocks.filter(({ language }) => languages.includes(language));
const named = (list: readonly Block[]): [string, Block][] => list.map((block) => [block.at, block]);

/** Needs a real cluster: such a block is not run, but its commands and flags are checked. */
const needsCluster = ({ info }: Block) => info === 'cluster';

let program: Command;
beforeAll(async () => {
  program = await createProgram();
});

test('each block has a language: `sh` for commands, `console` for commands with their output, `text` for all else', () => {
  expect(of('').map(({ at }) => at)).toEqual([]);
  const commands = of('text').filter(({ text }) =>
    /^(?:\$ |(?:npx|muster|kubectl|helm|git|docker|npm|curl) )/m.test(text),
  );
  expect(commands.map(({ at }) => at)).toEqual([]);
});

describe('console', () => {
  const runnable = of('console').filter((block) => !needsCluster(block));
  const byPage = Map.groupBy(runnable, ({ page }) => page);

  test.each([...byPage])('%s prints what it shows', (_, list) => {
    const steps = list.flatMap(stepsOf);
    const outputs = run(steps);
    steps.forEach(({ at, command, expected }, index) => {
      const other = difference(outputs[index] ?? '', expected);
      if (other !== undefined)
        expect({ at, command, lines: other.trimEnd().split('\n') }).toEqual({ at, command, lines: expected });
    });
  });
});

describe('sh', () => {
  test.each(named(of('sh', 'bash', 'shell')))('%s is a script, and calls what exists', (_, { text }) => {
    const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
    expect([stderr, ...wrongCalls(text, program)]).toEqual(['']);
  });

  test.each(named(of('console').filter(needsCluster)))('%s calls what exists', (_, block) => {
    const script = stepsOf(block)
      .map(({ command }) => command)
      .join('\n');
    expect(wrongCalls(script, program)).toEqual([]);
  });
});

test.each(named(of('json')))('%s is JSON', (_, { text }) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

test.each(named(of('promql')))('%s names metrics of the reference', (_, { text }) => {
  const reference = readFileSync('docs/reference/metrics.md', 'utf8');
  const metrics = [...text.matchAll(/\bmuster_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''));
  expect(metrics.filter((name) => !reference.includes(`\`${name}\``))).toEqual([]);
});

describe('yaml', () => {
  const validSuite = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(
    publishedSchema('MusterTest', suiteSchema),
  );
  const engine = createEngine({ point: 'check' });

  test.each(named(of('yaml', 'yml')))('%s is valid', async (at, { text }) => {
    const { documents, errors } = readDocuments(text, at);
    expect(errors).toEqual([]);
    for (const { value } of documents) expect(await problemsOf(value, text, at)).toEqual([]);
  });

  async function problemsOf(value: unknown, text: string, at: string): Promise<readonly unknown[]> {
    const { apiVersion = '', kind } = (value ?? {}) as { apiVersion?: string; kind?: string };
    if (kind === 'MusterConfiguration') return configurationProblems(text, at);
    if (kind === 'MusterTest') return validSuite(value) ? [] : (validSuite.errors ?? []);
    const [group, version = ''] = apiVersion.split('/');
    const dialect = dialects.find((each) => each.group === group && each.kind === kind);
    if (dialect === undefined) return dialects.some((each) => each.group === group) ? [`no kind ${kind}`] : [];
    if (!dialect.versions.includes(version)) return [`no version ${version}`];
    const subject = subjectOf(value as object);
    const verdict = subject && (await engine.evaluate(subject, unknownView));
    if (verdict === undefined || verdict.outcome === 'crashed') return [`evaluated: ${verdict?.outcome}`];
    // The pages of rules show what breaks them; the examples of all other pages keep the rules.
    return /docs\/rules\//.test(at) ? [] : verdict.findings.map(({ ruleId, message }) => `[${ruleId}] ${message}`);
  }

  function configurationProblems(text: string, at: string): readonly string[] {
    try {
      configurationOf(text, at, ruleIds, Date.now());
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)];
    }
  }
});
