/** What reads, runs and compares code blocks finds what is wrong in them. */
import { describe, expect, test } from '@jest/globals';
import { createProgram } from '../../../src/cli/program.ts';
import { blocksIn } from '../../support/pages.ts';
import { wrongCalls } from './commands.ts';
import { difference, run, stepsOf } from './console.ts';

const block = (text: string) => ({ at: 'a.md:1', page: 'a.md', language: 'console', info: '', text });

test('blocks have their place, language and text, also in a list and with a longer fence', () => {
  const page = '# a\n\n```sh cluster\nls\n```\n- b\n\n  ````\n  ```\n    c\n  ````\n';
  const at = (line: number) => ({ at: `a.md:${line}`, page: 'a.md' });
  expect(blocksIn('a.md', page)).toEqual([
    { ...at(3), language: 'sh', info: 'cluster', text: 'ls\n' },
    { ...at(8), language: '', info: '', text: '```\n  c\n' },
  ]);
  expect(() => blocksIn('a.md', '```sh\nls\n')).toThrow('a.md:1: a code block without an end');
});

test('commands go on after a backslash and in a here-document, and have their output', () => {
  const text = "$ cat <<'EOF'\n$ a\nEOF\n$ a\n$ echo b \\\n  c\nb c\n";
  const at = 'a.md:1';
  expect(stepsOf(block(text))).toEqual([
    { at, command: "cat <<'EOF'\n$ a\nEOF", expected: [] },
    { at, command: 'a', expected: [] },
    { at, command: 'echo b \\\n  c', expected: ['b c'] },
  ]);
  expect(() => stepsOf(block('echo a\n'))).toThrow('a console block begins with "$ "');
});

test('commands share a shell in a repository with the examples; an exit code is kept', () => {
  const steps = stepsOf(block('$ cd examples && a=1\n$ false\n$ echo $? $a; ls -d check; echo e >&2\n$ npx other\n'));
  const only = 'npx: only kube-muster is run here\n';
  expect(run(steps)).toEqual(['', '', '1 1\ncheck\ne\n', only]);
});

describe('difference', () => {
  test.each([
    ['a\nb\n', ['a', 'b'], true],
    ['a\nb\n', ['a'], false],
    ['a\n', ['a', 'b'], false],
    ['', [], true],
    ['a\n', [], false],
    ['a\nb\nc\n', ['a', '…', 'c'], true],
    ['a\nc\n', ['a', '…', 'c'], true],
    ['a\nb\n', ['a', '…', 'c'], false],
    ['a\nb\nc\nd\n', ['…', 'c', '…'], true],
    ['took 12 ms\n', ['took … ms'], true],
    ['took 12 s\n', ['took … ms'], false],
    ['a.c\n', ['abc'], false],
  ])('%j against %j: %j', (printed, expected, isSame) => {
    expect(difference(printed, expected)).toBe(isSame ? undefined : printed);
  });
});

describe('wrongCalls', () => {
  test.each([
    ['muster check a -o json=b.json --fail-on=denied', []],
    ['kubectl get a -o yaml | npx kube-muster check - --state b', []],
    ['kubectl muster doctor --strict\nmuster --version', []],
    ["muster rules | jq -r '.[] | select(.a) --foo'", []],
    ['muster chekc a', ['muster has no command chekc']],
    ['muster check \\\n  --stat a # --foo', ['muster check has no flag --stat']],
    ['source <(muster completion bash) && FOO=1 muster doctor -x', ['muster doctor has no flag -x']],
    ['npx muster check', ['npx muster is another package: npx kube-muster']],
  ])('%j: %j', async (script, wrong) => {
    expect(wrongCalls(script, await createProgram())).toEqual(wrong);
  });
});
