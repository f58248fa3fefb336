/** Published code: narrower, and the same. */
import { expect, test } from '@jest/globals';
import { narrow } from '../../src/generate/published-code.ts';

test('four spaces become a tab, lines stay lines', () => {
  expect(narrow("if (a) {\n    b();\n        c('    d');\n}\n")).toBe("if (a) {\n\tb();\n\t\tc('    d');\n}\n");
});

test.each(['f(`a\n    b`);\n', `f(\`\${\n    a}x\n    b\`);\n`, "f('a\\\n    b');\n"])(
  'a text over several lines stays: %j',
  (code) => {
    expect(narrow(code)).toBe(code);
  },
);
