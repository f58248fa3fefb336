/** One error for each broken document, with location and fix. */
import { describe, expect, test } from '@jest/globals';
import { readDocuments } from '../../../src/documents/index.ts';

/** `line:column message` of each error. */
function errorsOf(text: string): string[] {
  const { errors } = readDocuments(text, 'a.yaml');
  return errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const CASES: readonly (readonly [text: string, error: RegExp])[] = [
  ['a: 1\n\tb: 2\n', /^2:1 a tab before the content of this line: use spaces instead$/],
  ['a:\n\tb: 2\n', /^2:1 a tab/],
  ['a: {\n  b: [1, 2\n}\n', /^2:6 no closing ] for this \[/],
  ['a: [1, 2\n', /^1:4 no closing ] for this \[/],
  ['x: 1\na: "b\nc: d\n', /^2:4 no closing "/],
  ["x: 1\na: 'b\nc: d\n", /^2:4 no closing '/],
  ['a: "x" y\n', /^1:8 the end of the line expected/],
  ['a: b: c\n', /^1:4 a second ": " on one line: quote the value/],
  ['a: - b\n', /^1:4 /],
  ['a:\n    b: 1\n  c: 2\n', /^3:\d+ .*same column: check the indentation/],
  ['a:\n  - 1\n - 2\n', /^3:\d+ .*indentation/],
  ['a: 1\nfoo\nb: 2\n', /^2:1 a key and its ":" must be on one line/],
  ['a: 1\nb: 2\na: 3\n', /^3:1 duplicate key "a": it is already on line 1; keep one of the two$/],
  ['a: {b: 1, c: 2, b: 3}\n', /^1:17 duplicate key "b": it is already on line 1/],
  ['{\n  "a": 1,\n  "a": 2\n}\n', /^3:3 duplicate key "a": keep one of the two/],
  ['a: 1\nfoo\n', /^2:1 ":" expected after this key/],
  ['a: {\n  b: 1\n  c: 2\n}\n', /^2:6 a key and its ":" must be on one line: is .* a comma missing here/],
  ['a: [- b, c]\n', /^1:5 inside of \{\} and \[\] only "key: value" and values separated by commas are allowed/],
  ['a: [b, - c]\n', /^1:8 inside of \{\} and \[\]/],
  ['a: {- b}\n', /^1:5 inside of \{\} and \[\]/],
  ['a: [1}\n', /^1:4 no closing ] for this \[/],
  ['a: *x\n', /^1:4 unknown alias \*x: no &x is before it in this document$/],
  ['a: &x [*x]\n', /^1:8 the alias \*x is inside of &x itself/],
  ['a: *.example.com\n', /^1:4 the name of an anchor or alias/],
  ['a: @x\n', /^1:4 a value that begins with this character must be quoted/],
  ['a: .inf\n', /^1:4 \.inf is not a number in JSON: quote it/],
  ['a: !!int x\n', /^1:10 !!int expected, but "x" is not one/],
  ['a: !!binary x\n', /^1:4 the tag !!binary is not supported/],
  ['? [a]\n: 1\n', /^1:3 a key must be a single text/],
  ['~: 1\n', /^1:1 a key is expected before ":"/],
  ['a: 1\n<<: x\n', /^2:5 the merge key << expects a mapping/],
  [
    'b: &x {a: 1}\na: 2\n<<: *x\n',
    /^3:1 kubectl lets this << override a above it, and kustomize does not: put << first/,
  ],
  ['a: {b: 1, <<: {b: 2}}\n', /^1:11 kubectl lets this << override b above it/],
  ['<<: {a: 1}\n<<: {b: 2}\n', /^2:1 a second << in one mapping/],
  ['a: x\x07\n', /^1:5 the invisible character U\+0007 is not allowed/],
  ['a: |\n  x\n y\n', /^3:1 .*same column/],
  ['a: "\\q"\n', /^1:5 no such escape in double quotes/],
  ['a: "\\/"\n', /^1:5 kubectl does not read this escape in YAML: write "\/" instead/],
  ['a: {{ .Values.x }}\n', /a template\? Render it first/],
  ["{% set a = 'x' %}\na: b\n", /a template\? Render it first/],
  ['%YAML 1.1\n---\na: 1\n', /^1:1 kubectl reads no YAML directives/],
  ['a: 1\n...\nb: 2\n', /^3:1 kubectl reads nothing between "\.\.\." and the next ---/],
  ['a: 1\n--- b\n', /^2:1 a line that begins with --- separates documents/],
  // kubectl reads what follows the comment.
  ['--- # c\rb: 1\n', /^1:1 a line that begins with --- separates documents/],
  ['a: 1\n--- # c\u2028b: 1\n', /^2:1 a line that begins with --- separates documents/],
  ['// c\n{\n  "a": 1\n}\n', /^1:1 neither JSON nor YAML has comments that begin with \/\/ or \/\*/],
  ['{\n  /* c */\n  "a": 1\n}\n', /^2:3 neither JSON nor YAML has comments/],
  ['{"a": 1, // c\n"b": 2}\n', /^1:10 neither JSON nor YAML has comments/],
  ['{"a": 1,}{', /^1:9 another entry after "," expected, found "}"/],
  ['{"a" 1}', /^1:6 ":" after the key "a" expected, found "1"/],
  ['{"a": "b', /^1:7 a closing " expected/],
  ['{"a": "\\q"}\n{"b": ]', /^1:8 JSON has no escape "\\q"/],
  ['{"a": [1 "b": 2}', /^1:10 "," or "]" expected/],
  ['{"a": 1e999}', /^1:7 the number 1e999 is too large/],
  ['{"a": 1}}', /^1:9 a value expected, found "}"/],
];

test.each(CASES)('%j', (text, error) => {
  const errors = errorsOf(text);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(error);
});

test('an error names the file, and the other documents are read', () => {
  const { documents, errors } = readDocuments('a: 1\n---\nb: [\n---\n# c\nc: 3\n---\nd: "\n', 'dir/b.yaml');
  expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 3 }]);
  expect(errors.map(({ file, line, column }) => [file, line, column])).toEqual([
    ['dir/b.yaml', 3, 4],
    ['dir/b.yaml', 8, 4],
  ]);
});

test('errors are in the order of the text', () => {
  expect(errorsOf('a: [\n--- x\nb: [\n').map((error) => error.slice(0, 3))).toEqual(['1:4', '2:1', '3:4']);
});

test('JSON values before a broken one are read', () => {
  const { documents, errors } = readDocuments('{"a": 1}\n{"b": 2}\n{"c": }\n', 'c.json');
  expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
  expect(errors).toEqual([{ file: 'c.json', line: 3, column: 7, message: 'a value expected, found "}"' }]);
});

test('only a file that begins with a brace, and has no separator, may have JSON values one after another', () => {
  const message = /kubectl reads several JSON values only in a file without ---/;
  for (const text of [
    '{"a": 1}\n{"b": 2}\n---\n',
    '---\n{"a": 1}\n{"b": 2}\n',
    '[1]\n[2]\n',
    'a: 1\n---\n{"b": 2} {"c": 3}',
  ])
    expect(errorsOf(text)).toEqual([expect.stringMatching(message)]);
  expect(errorsOf(' \n{"a": 1}{"b": 2} {"c": 3}\n')).toEqual([]);
});

test('a byte order mark is read once, at the beginning of a file', () => {
  expect(errorsOf('\ufeffa: 1\n')).toEqual([]);
  const message = 'the invisible character U+FEFF is not allowed: remove it, or write "\\uFEFF" in quotes';
  for (const text of [
    '\ufeff\ufeffa: 1\n',
    '\ufeff\ufeff{"a": 1}',
    '{"a": "\ufeff"}',
    '# \ufeff\na: 1\n',
    'a: 1\n---\n\ufeffb: 1\n',
  ])
    expect(errorsOf(text)).toEqual([expect.stringContaining(message)]);
});

test.each([
  '!<>',
  '!<tag:yaml.org,2002:bin%61ry>',
  '!<tag:yaml.org,2002:merg%65>',
  '!!merge',
  '!!set',
  '!x',
  '!%21binary',
])('the tag %s is refused, on a value and on a key', (tag) => {
  for (const text of [`a: ${tag} b\n`, `${tag} a: b\n`, `{a: ${tag} b}\n`])
    expect(errorsOf(text)).toEqual([expect.stringContaining(`the tag ${tag} is not supported: remove it`)]);
});

test('half of a surrogate pair is refused, in JSON and in YAML', () => {
  const found = [
    '{"a": "\\ud800"}',
    '{"\\udc00": 1}',
    'a: 1\n---\n{"b": "\\udbff x"}',
    'a: "\\uD800"\n',
    'a: "\\U0000dfff"\n',
  ].map(errorsOf);
  for (const errors of found) expect(errors).toEqual([expect.stringContaining('write the')]);
  expect(errorsOf('{"a": "\\ud83d\\ude00"}')).toEqual([]);
});

describe('depth', () => {
  const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

  test('200 levels of JSON are read as JSON, which has an escape that YAML lacks', () => {
    const levels = (count: number) => `${'{"a":'.repeat(count)}"\\/"${'}'.repeat(count)}`;
    expect(errorsOf(levels(200))).toEqual([]);
    expect(errorsOf(levels(201))).toEqual([expect.stringMatching(/more than 200 levels of nesting/)]);
  });

  test.each([
    ['flow', nested('[', ']', 200), nested('[', ']', 201)],
    ['json', `${'{"a":'.repeat(199)}[]${'}'.repeat(199)}`, `${'{"a":'.repeat(200)}[]${'}'.repeat(200)}`],
    ['block', `${'- '.repeat(200)}a`, `${'- '.repeat(201)}a`],
    ['through aliases', `- &a ${nested('[', ']', 199)}\n- *a`, `- &a ${nested('[', ']', 199)}\n- [*a]`],
    [
      'through merges',
      `- &a {b: ${nested('[', ']', 198)}}\n- <<: *a`,
      `- &a {b: ${nested('[', ']', 198)}}\n- [{<<: *a}]`,
    ],
  ])('%s: 200 levels are read, 201 are not', (_name, fits, tooDeep) => {
    expect(errorsOf(fits)).toEqual([]);
    expect(errorsOf(tooDeep)).toEqual([expect.stringMatching(/more than 200 levels of nesting/)]);
  });
});

describe('exploding aliases', () => {
  test('are refused before they are expanded', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      return `a${level}: &a${level} [${Array(10).fill(level === 0 ? 'x' : `*a${level - 1}`)}]\n`;
    });
    expect(errorsOf(levels.join(''))).toEqual([expect.stringMatching(/^5:\d+ the aliases of this document expand to/)]);
  });

  test('are refused in merge keys too', () => {
    const keys = Array.from({ length: 500 }, (_, index) => `k${index}: 1`).join(', ');
    const merges = Array.from({ length: 500 }, () => '- <<: *a').join('\n');
    expect(errorsOf(`- &a {${keys}}\n${merges}\n`)).toEqual([expect.stringMatching(/aliases of this document/)]);
  });
});

test('a long chain of merges is read', () => {
  const links = Array.from({ length: 60 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: *a${index}}\n`);
  const keys = Array.from({ length: 20 }, (_, index) => `k${index}: 1`).join(', ');
  expect(errorsOf(`a0: &a0 {${keys}}\n${links.join('')}`)).toEqual([]);
});

test('merges within merges are counted: each copies all keys', () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ');
  const merged = (levels: number) => `${'{<<: '.repeat(levels)}{${keys}}${'}'.repeat(levels)}\n`;
  expect(errorsOf(merged(40))).toEqual([]);
  expect(errorsOf(merged(150))).toEqual([expect.stringMatching(/aliases of this document/)]);
});

test('many thousand repetitions of a piece neither overflow the stack nor take quadratic time', () => {
  const pieces = [
    '"',
    "'",
    '\t',
    '{}',
    '[',
    '{"a":',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '---\n',
    '...\n',
    '# x\n',
    'a\n',
    '"\\u0041',
  ];
  for (const piece of pieces) {
    const { errors } = readDocuments(piece.repeat(20_000), 'x');
    for (const { message } of errors) expect(message).not.toMatch(/bug/);
  }
});
