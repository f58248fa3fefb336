/**
 * Any text as a manifest, beside kubectl's own libraries (test/support/yaml-oracle): each object of muster's groups
 * that kubectl reads, muster reads too, with the same value, or it reports an error.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { dialects } from '../../../../src/api/dialects.ts';
import type { Json } from '../../../../src/base/json.ts';
import { readManifests } from '../../../../src/documents/index.ts';
import { goPeer } from '../../bench/go-peer.ts';
import { ensure, type Target } from '../target.ts';
import { yaml } from './yaml.ts';

const ORACLE = { name: 'yaml-oracle', module: new URL('../../../support/yaml-oracle/', import.meta.url), package: '.' };

/** Returns the target; undefined where there is neither Go nor an oracle that was built. */
export function kubectlTarget(): Target | undefined {
  const program = goPeer(ORACLE, (line) => process.stderr.write(`${line}\n`));
  if (program === undefined) return undefined;
  const oracle = spawn(program, ['-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
  return {
    name: 'kubectl',
    prefix: 0,
    longest: 8192,
    seeds: () => [...manifests().map((text) => Buffer.from(text)), ...yaml.seeds()],
    close: () => oracle.stdin.end(),
    async run(input) {
      const text = input.toString('utf8');
      // kubectl drops one byte order mark before its libraries read the text.
      oracle.stdin.write(`${JSON.stringify(text.replace(/^\ufeff/, '').toWellFormed())}\n`);
      const { documents } = JSON.parse((await answers.next()).value ?? '') as { documents: { value?: Json }[] };
      compare(text.toWellFormed(), documents.flatMap(({ value }) => value ?? []).filter(isOurs));
    },
  };
}

const GROUPS = [...new Set(dialects.map(({ group }) => group))];

/** Whether an object, or one of the items in it, has a group of muster. Keys count too: they may be merged. */
function isOurs(value: Json): boolean {
  const text = JSON.stringify(value);
  return GROUPS.some((group) => text.includes(group));
}

/** The package `yaml` cuts white space at the end of such a text (docs/check.md). */
const WITH_INDICATOR = /[|>][-+]?[1-9]/;

function compare(text: string, expected: readonly Json[]): void {
  const batches = [...readManifests(text, 'fuzz')];
  if (batches.some(({ errors }) => errors.length > 0) || WITH_INDICATOR.test(text)) return;
  const values = batches.flatMap(({ documents }) => documents.map(({ value }) => value)).filter(isOurs);
  ensure(
    isDeepStrictEqual(values, expected),
    `kubectl reads ${JSON.stringify(expected)}, not ${JSON.stringify(values)}`,
  );
}

/** Of a document, kubectl's library has this many bytes in its buffer at first. */
const BUFFER = 512;

const NAMES = [
  'multicluster.x-k8s.io/v1alpha1',
  '"multicluster.x-k8s.io/v1alpha1"',
  "'about.k8s.io/v1'",
  '"multicluster\\x2ex-k8s.io/v1alpha1"',
  '"about.k8\\u0073.io/v1"',
  '"about.\\\n    k8s.io/v1"',
  '!!binary YWJvdXQuazhzLmlvL3Yx',
  '!!bin%61ry YWJvdXQuazhzLmlvL3Yx',
  '!<tag:yaml.org,2002:bin%61ry> YWJvdXQuazhzLmlvL3Yx',
  '!!str about.k8s.io/v1',
  '&name about.k8s.io/v1',
  '>-\n    about.k8s.io/v1',
];

const CASES = [
  (name: string) => `apiVersion: ${name}\nkind: ClusterProperty\nmetadata: {name: a}\n`,
  (name: string) => `{apiVersion: ${name}, kind: ClusterProperty, "metadata": {name: a}}\n`,
  (name: string) => `apiVersion: v1\nkind: List\nitems:\n- apiVersion: ${name}\n  kind: ClusterClaim\n`,
  (name: string) =>
    `base: &base\n  apiVersion: ${name}\n<<: *base\nkind: ClusterProperty\nitems: [{<<: *base, kind: A}]\n`,
  (name: string) => `!<tag:yaml.org,2002:merg%65> "<<": {kind: ClusterProperty}\napiVersion: ${name}\n`,
  (name: string) => ` apiVersion: v1\n kind: ConfigMap\n#items: [{apiVersion: ${name}, kind: ClusterClaim}]\n`,
];

/**
 * Objects of muster in every form, alone and behind a comment to the end of the buffer, with a byte order mark there.
 */
function manifests(): string[] {
  const plain = CASES.flatMap((write) => NAMES.map(write));
  const long = plain.map((text) => {
    const [before = '', ...after] = text.split(/^(?=[#k])/m);
    const filler = `# ${'x'.repeat(Math.max(0, BUFFER - before.length - 5))}\ufeff\n`;
    return `${before}${filler}${after.join('')}`;
  });
  return [...plain, ...long, ...plain.map((text) => `a: 1\n---\n${text}---\r\nb: 2\r---\r${text}`)];
}
