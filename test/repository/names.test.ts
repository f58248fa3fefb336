/**
 * The names under which muster is installed. `muster` itself belongs to others: a package of npm's registry, and a tool
 * for Kubernetes. No text may lead to them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

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

test.each([
  ['a package that is run', 'npx -y muster', 'npx kube-muster check'],
  ['a package that is installed', 'npm install --global muster', 'npm install --global kube-muster'],
  ['a package that is imported', "import { createEngine } from 'muster';", "import { check } from 'kube-muster';"],
  ['an image', '{ image: registry.example.com/fleet/muster }', 'image: registry.example.com/kube-muster'],
  ['an image in a command', 'docker pull example.com/muster', 'docker pull example.com/kube-muster'],
  ['a repository', '- uses: fleet/muster@v1', '- uses: kube-muster/kube-muster@v1'],
  ['a chart', 'helm install guard oci://example.com/charts/muster', 'helm install muster charts/kube-muster --wait'],
])('%s: %s would be found, %s would not', (name, foreign, ours) => {
  const matching = (line: string) => FOREIGN.filter(([, pattern]) => pattern.test(line)).map(([what]) => what);
  expect([matching(foreign), matching(ours)]).toEqual([[name], []]);
});
