/** Published code: narrower, and the same. */
import { expect, test } from '@jest/globals';
import { narrow } from '../../src/generate/published-code.ts';

test('two spaces become a tab, lines stay lines', () => {
  expect(narrow("if (a) {\n  b();\n    c('  d');\n}\n")).toBe("if (a) {\n\tb();\n\t\tc('  d');\n}\n");
});

test('comments that stand by themselves go', () => {
  expect(narrow('class A {\n  /** One\n   * two. */\n  b = 1;\n}\n')).toBe('class A {\n\tb = 1;\n}\n');
});

test.each(['`a\n    b`', `\`\${\n    a}x\n    b\``, "'a\\\n    b'", '`a\n/** b */\n`'])(
  'a text over several lines stays as it is, and what stands around it becomes narrow: %j',
  (text) => {
    expect(narrow(`if (a) {\n  f(${text});\n  'ä→';\n}\n`)).toBe(
      `if (a) {\n\tf(${text.replace('{\n    a', '{\n\t\ta')});\n\t'ä→';\n}\n`,
    );
  },
);
