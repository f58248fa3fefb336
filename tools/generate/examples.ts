/**
 * Generates two files from the manifests in the folder `examples`: the module of `muster demo`, and a page about them.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { dialectOfObject } from '../../src/input/objects.ts';
import { type Artifact, filesIn } from './artifact.ts';
import { pageOf } from './rule-reference.ts';

/** The examples of the demo, in its order. */
const SHOWN: readonly string[] = [
  'bad/clusterproperty-id-changed.yaml',
  'good/clusterclaim-id.yaml',
  'bad/clusterclaim-id-syntax.yaml',
  'bad/clusterclaim-reserved-name.yaml',
  'bad/ocm-clusterclaim-clusterset-without-id.yaml',
  'good/inventorycluster-without-label.yaml',
  'bad/inventorycluster-manager-changed.yaml',
  'bad/clusterprofile-label-mismatch.yaml',
  'good/feature-turning-on.yaml',
  'bad/feature-without-tasks.yaml',
];

const FOLDER = 'examples';

/** Returns the page and the module. */
export function exampleFiles(root: string): readonly Artifact[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  return [page(root, read), demoModule(root, read)];
}

type Read = (file: string) => string;

function page(root: string, read: Read): Artifact {
  const rows = (folder: string) =>
    filesIn(root, `${FOLDER}/${folder}`).map((file) => {
      const [title, reason = 'Allowed.'] = [...read(file).matchAll(/^# (.*)$/gm)].map(([, line]) => line);
      return `| [${folder}/${basename(file)}](${folder}/${basename(file)}) | ${title} | ${linked(reason)} |`;
    });
  return {
    path: `${FOLDER}/README.md`,
    text: [
      '<!-- Generated from the comments of the files by `npm run generate`. -->',
      '# Examples',
      '',
      '`cluster` is what a cluster holds, `good` and `bad` are writes to it:',
      '',
      '```sh',
      'npx kube-muster check examples/bad --state examples/cluster',
      'npx kube-muster check examples/good --state examples/cluster',
      '```',
      '',
      '`npx kube-muster demo` shows some of them without a checkout. `check`, `fleet-repository`, ' +
        '`policy-repository` and `service-repository` are whole repositories.',
      '',
      '| file | what it is | verdict |',
      '|---|---|---|',
      ...rows('bad'),
      ...rows('good'),
      '',
    ].join('\n'),
  };
}

function linked(reason: string): string {
  return reason.replace(/[a-z]+\/[a-z-]+/, (id) => `[${id}](../docs/rules/${pageOf(id)})`);
}

function demoModule(root: string, read: Read): Artifact {
  const held = filesIn(root, `${FOLDER}/cluster`).flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => document.toJS()),
  );
  // The API server of the demo serves no Services: none of its writes is about one.
  const state = held.filter((object) => dialectOfObject(object) !== undefined);
  const examples = SHOWN.map((file) => {
    const text = read(`${FOLDER}/${file}`);
    return { file: `${FOLDER}/${file}`, title: titleOf(text), object: parse(text) };
  });
  return {
    path: 'src/cli/demo/examples.generated.ts',
    text: [
      '/** Generated from the folder `examples` by `npm run generate`. Do not edit. */',
      "import type { JsonObject } from '../../base/json.ts';",
      "import type { DemoExample } from './render.ts';",
      '',
      '/** What the cluster holds before each write. */',
      `export const state: readonly JsonObject[] = ${JSON.stringify(state, null, 2)};`,
      '',
      'export const examples: readonly (DemoExample & { readonly object: JsonObject })[] = ' +
        `${JSON.stringify(examples, null, 2)};`,
      '',
    ].join('\n'),
  };
}

/** Returns the text of the first comment, which says what the write is. */
function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? '';
}
