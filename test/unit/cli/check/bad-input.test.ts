/** Broken, hostile and endless input: each error names location and fix, and the rest is evaluated. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { claim, muster, type ProcessOptions, SMALL_STACK, yaml } from '../../../support/command-line.ts';
import { newFolder } from '../../../support/folder.ts';

const GOOD = yaml(claim('id.k8s.io', 'one'));
const DENIED = yaml(claim('id.k8s.io', 'A_B'));
/** Enough for each case, in MiB; expanding aliases needs far more. */
const HEAP = 512;

const folder = newFolder();

async function check(cwd: string, paths: readonly string[], heap = HEAP, more: Partial<ProcessOptions> = {}) {
  const nodeArgs = [`--max-old-space-size=${heap}`, SMALL_STACK];
  const { code, out, err } = await muster(['check', ...paths], { cwd, nodeArgs, ...more });
  return { code, out, err: err.split('\n').slice(0, -1) };
}

/** What is bad, how it is put beside a good file and a denied one, the errors, and what is checked (the folder). */
type Bad = readonly [what: string, put: (path: PathOf) => void, errors: readonly string[], paths?: readonly string[]];
type PathOf = (name: string) => string;

const text = (name: string, content: string | Uint8Array) => (path: PathOf) => {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
};

/** Nine levels of nine aliases each. */
function billionLaughs(): string {
  return Array.from({ length: 10 }, (_, level) => {
    return `a${level}: &a${level} [${Array(9)
      .fill(level === 0 ? 'ha' : `*a${level - 1}`)
      .join(', ')}]`;
  }).join('\n');
}

const NOT_UTF8 = '1:1: error: the text is not UTF-8: save the file in that encoding';
const MISSING = "can't read it: no such file or folder";
const LARGE = 'x'.repeat(1000);

const BAD: readonly Bad[] = [
  [
    'links that run in a circle, named',
    (path) => symlinkSync('named', path('named')),
    ["named:1:1: error: can't read it: its symbolic links form a circle"],
    ['.', 'named'],
  ],
  [
    'a wildcard in quotes',
    () => {},
    [`c/*.yaml:1:1: error: ${MISSING}; no shell has expanded its wildcard: name the folder, or leave out the quotes`],
    ['c/*.yaml', '.'],
  ],
  [
    'quotes of a word processor',
    () => {},
    [`\u201cc\u201d:1:1: error: ${MISSING}; it has typographic quotes: write straight ones`],
    ['\u201cc\u201d', '.'],
  ],
  [
    'a pipe in a folder',
    (path) => void execFileSync('mkfifo', [path('pipe.yaml')]),
    ['pipe.yaml:1:1: error: is neither a file nor a folder'],
  ],
  [
    'a device without end',
    () => {},
    ["/dev/zero:1:1: error: can't read it: it is larger than 256 MiB: split it"],
    ['/dev/zero', '.'],
  ],
  [
    'aliases that explode',
    text('laughs.yaml', `${billionLaughs()}\n# about.k8s.io\n`),
    ['laughs.yaml:6:10: error: the aliases of this document expand to more than 100000 values: write the values out'],
  ],
  [
    'many levels',
    text('deepest.yaml', `${'- '.repeat(100_000)}about.k8s.io`),
    ['deepest.yaml:1:408: error: more than 200 levels of nesting: no Kubernetes object is that deep'],
  ],
  [
    'bytes that are not UTF-8, and UTF-16',
    (path) => {
      text('latin.yaml', Buffer.from('a: \xe9\n', 'latin1'))(path);
      text('wide.yaml', Buffer.from(`\ufeff${GOOD}`, 'utf16le'))(path);
    },
    [`latin.yaml:${NOT_UTF8}`, `wide.yaml:${NOT_UTF8}`],
  ],
  [
    'names that would forge a line',
    text('a\n::error::b.yaml', 'a: [about.k8s.io\n'),
    ['a\\u000a::error::b.yaml:1:4: error: no closing ]'],
  ],
  [
    'a document that is too large, as YAML and as JSON',
    (path) => {
      text('large.yaml', `kind: about.k8s.io\ndata:\n${`- ${LARGE}\n`.repeat(17_000)}---\n${DENIED}`)(path);
      text('large.json', `{"kind": "about.k8s.io", "data": [${`"${LARGE}",`.repeat(67_000)}""]}`)(path);
    },
    [
      'large.json:1:1: error: a document may have 64 MiB as JSON: give its objects one by one',
      'large.yaml:1:1: error: a document may have 16 MiB as YAML: separate its objects by lines of ---',
    ],
  ],
];

describe('each is reported, and the rest is evaluated', () => {
  test.each(BAD)('%s', async (what, put, errors, paths = ['.']) => {
    const cwd = join(folder.path, what);
    mkdirSync(cwd);
    const path = (name: string) => join(cwd, name);
    put(path);
    writeFileSync(path('denied.yaml'), DENIED);
    writeFileSync(path('zz-last.yaml'), 'apiVersion: v1\nkind: ConfigMap\n');
    const { code, out, err } = await check(cwd, paths);
    expect(err).toEqual(errors.map((line) => expect.stringContaining(line)));
    expect(out).toMatch(/^denied\.yaml:2:\d+: denied \[claim\/id-syntax\]/m);
    expect(out).toMatch(new RegExp(`1 skipped, ${errors.length} errors?\n$`));
    expect(code).toBe(errors.length > 0 ? 2 : 1);
  });
});

describe('large input, in a quarter of the memory', () => {
  test('a file of 25 MB, of many documents', async () => {
    const line = `    ${'x'.repeat(95)}\n`;
    const document = `---\napiVersion: v1\nkind: ConfigMap\ndata:\n  text: |\n${line.repeat(1000)}`;
    folder.put('many/many.yaml', `${document.repeat(250)}${DENIED}`);
    const { code, out, err } = await check(join(folder.path, 'many'), ['many.yaml'], HEAP / 4);
    expect({ code, err }).toEqual({ code: 1, err: [] });
    expect(out).toMatch(/1 evaluated: 0 allowed, 1 denied, .* 250 skipped, 0 errors\n$/);
  });

  test('25,000 tiny documents, and as many broken ones', async () => {
    folder.put('tiny/good.yaml', `${'---\na: 1\n'.repeat(25_000)}${DENIED}`);
    folder.put('tiny/broken.yaml', '---\na: [about.k8s.io\n'.repeat(25_000));
    folder.put('tiny/lines.json', '{"a": "about.k8s.io"}\n'.repeat(25_000));
    const { code, out, err } = await check(join(folder.path, 'tiny'), ['.'], HEAP / 4);
    expect({ code, errors: err.length }).toEqual({ code: 2, errors: 25_000 });
    expect(err.at(-1)).toMatch(/^broken\.yaml:50000:4: error: no closing \]/);
    expect(out).toMatch(/1 evaluated: 0 allowed, 1 denied, .* 50000 skipped, 25000 errors\n$/);
  });
});

describe('standard input', () => {
  test('that is endless is read up to a limit, and then closed', async () => {
    folder.put('stdin/denied.yaml', DENIED);
    let isClosed = false;
    // The child's own event `close` does not wait for its standard input.
    const closed = Promise.withResolvers<void>();
    const feed = (stdin: NodeJS.WritableStream) => {
      const piece = Buffer.alloc(2 ** 20, '# nothing\n');
      const write = () => {
        while (!isClosed && stdin.write(piece));
        if (!isClosed) stdin.once('drain', write);
      };
      stdin.on('close', () => {
        isClosed = true;
        closed.resolve();
      });
      write();
    };
    const { code, out, err } = await check(join(folder.path, 'stdin'), ['-', 'denied.yaml'], HEAP, { feed });
    expect(err).toEqual(["<stdin>:1:1: error: can't read it: it is larger than 256 MiB: split it"]);
    expect(out).toMatch(/1 evaluated: 0 allowed, 1 denied/);
    expect(code).toBe(2);
    await closed.promise;
  });
});
