/**
 * The names under which muster is installed. `muster` itself belongs to others: a package of npm's registry, and a tool
 * for Kubernetes. No text may lead to them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const FOREIGN: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'a package that is run',
    /\b(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx))(?: -\S+)* (?:\S+=)?muster\b(?!-)/,
  ],
  ['a package that is installed', /\b(?:npm|pnpm|yarn|bun|brew) (?:i|install|add|create|init)(?: -\S+)* muster\b(?!-)/],
  ['a package that is imported', /\b(?:from|import|require)\b\(? ?['"]muster['"/]/],
  ['an image', /\b(?:image|newName|repository): *\[?['"]?(?:[\w.:-]+\/)*muster(?=[:@'"\s,\]}]|$)/],
  ['an image in a command', /\bdocker (?:run|pull|push|build|tag)\b.* (?:[\w.:-]+\/)*muster(?=[:@\s]|$)/],
  ['a repository', /\b(?:uses|repo|repoURL|url): *['"]?\S*\/muster(?=[@'"\s]|\.git|$)/],
  ['a chart', /\bhelm (?:repo add|pull|show|template|install|upgrade)\b.*\/muster(?=\s|$)/],
];

/** Texts for users: all but the tests, and the generated list of licenses. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\0')
  .filter((file) => /\.(md|ya?ml|json|ts|js|sh|tpl|txt|svg|vue|html)$|^[^.]*$/.test(file))
  .filter((file) => !file.startsWith('test/') && file !== 'package-lock.json' && existsSync(file));

test('no text leads to a package, an image or a repository called muster; ours are called kube-muster', () => {
  const found = files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      FOREIGN.filter(([, pattern]) => pattern.test(line)).map(
        ([what]) => `${file}:${index + 1}: ${what}: ${line.trim()}`,
      ),
    );
  });
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test('what an installed command and the chart print, and pages for operators, say muster: npx would fetch a package', () => {
  const printed =
    /^(?:src\/cli|charts|(?:examples|tools)\/integrations|docs\/(?:runbooks|how-to))\/|^docs\/(?:operations|upgrading|versioning)\.md$/;
  const found = files.filter((file) => printed.test(file) && readFileSync(file, 'utf8').includes('npx kube-muster'));
  expect(found).toEqual([]);
});

describe('it would be found', () => {
  test.each([
    'npx muster check',
    'npx -y muster',
    'npx --package=muster check',
    'npm install --global muster',
    'npm i muster@1',
    'yarn dlx muster',
    "import { createEngine } from 'muster';",
    'image: muster:0.1.0',
    '{ image: registry.example.com/fleet/muster }',
    'repository: "ghcr.io/someone/muster"',
    'docker run -v "$PWD:/work" registry.example.com/muster check .',
    '- uses: fleet/muster@v1',
    'repoURL: https://git.example.com/fleet/muster.git',
    'helm install guard oci://registry.example.com/charts/muster',
  ])('%s', (line) => expect(FOREIGN.some(([, pattern]) => pattern.test(line))).toBe(true));
});

test.each([
  'npx kube-muster check',
  'npm install --global kube-muster',
  'image: kube-muster:0.1.0',
  'image: registry.example.com/kube-muster',
  'kubectl rollout status deployment/muster -n muster-system',
  'helm install muster charts/kube-muster --namespace muster-system',
  'kubectl muster check',
])('right: %s', (line) => expect(FOREIGN.some(([, pattern]) => pattern.test(line))).toBe(false));
