/** The examples of the menu, read when the site is built: the folder `examples`, and those of the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Document, parseAllDocuments, parseDocument, stringify } from 'yaml';
import type { JsonObject } from '../../../src/base/json.ts';
import { referenceOfObject } from '../../../src/engine/review.ts';
import { dialectOfObject, keyOf } from '../../../src/input/objects.ts';
import { examples as ruleExamples } from '../../../src/rules/examples.generated.ts';
import { rules } from '../../../src/rules/index.ts';
import { isLeftOut } from './left-out.ts';
import { emptyClusters, emptyWrite, type Shared } from './scenario.ts';

export interface Example {
  readonly name: string;
  readonly shared: Shared;
}

interface ExampleGroup {
  readonly label: string;
  readonly examples: readonly Example[];
}

declare const data: readonly ExampleGroup[];

export { data };

export default {
  watch: ['../../../examples/**/*.yaml', '../../../src/rules/examples.generated.ts'],
  load: (): readonly ExampleGroup[] => [
    { label: 'Denied (examples/bad)', examples: filesIn('examples/bad') },
    { label: 'Allowed (examples/good)', examples: filesIn('examples/good') },
    ...ruleGroups(),
  ],
};

const CLUSTER = 'examples/cluster';
/** Where an example has one cluster, the other one is empty. */
const NO_CLUSTER = [emptyClusters.secondName, []] as const;

/**
 * Returns the applies of a folder to the cluster of the examples, as `muster check FOLDER --state examples/cluster`
 * reads them.
 */
function filesIn(folder: string): readonly Example[] {
  const stored = textsIn(CLUSTER).flatMap(({ text }) => parseAllDocuments(text).map((one) => one as Document));
  return textsIn(folder).flatMap(({ name, text }) => {
    const object: JsonObject = parseDocument(text, { version: '1.1' }).toJS();
    // What check says of services is about several objects, and stricter than the webhook: the rules have examples.
    if (dialectOfObject(object)?.concept === 'service') return [];
    const old = stored.find((one) => identityOf(one.toJS()) === identityOf(object));
    const state = stored.filter((one) => one !== old).map((one) => String(one).replace(/^---\n/, ''));
    const update = { operation: 'UPDATE', subresource: object['status'] === undefined ? '' : 'status' };
    const kept = { object: text, old: old ? String(old) : '', state: state.join('---\n'), user: 'jane' };
    return { name, shared: { kind: 'write', value: { ...emptyWrite, ...kept, ...(old && update) } } };
  });
}

function textsIn(folder: string) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => ({
    name: `${folder}/${file}`.replace('examples/', ''),
    text: readFileSync(`${folder}/${file}`, 'utf8'),
  }));
}

function identityOf(object: JsonObject): string {
  const dialect = dialectOfObject(object);
  return dialect ? keyOf(referenceOfObject(dialect, object)) : '';
}

function ruleGroups(): readonly ExampleGroup[] {
  const concepts = [...new Set(Object.keys(ruleExamples).map((id) => id.split('/')[0] ?? ''))];
  return concepts.map((concept) => ({
    label: `Rules: ${concept}`,
    examples: Object.entries(ruleExamples)
      .filter(([id]) => id.startsWith(`${concept}/`) && !rules.some((rule) => rule.id === id && isLeftOut(rule)))
      .flatMap(([id, { allowed, denied }]) => [
        { name: `${id}: not allowed`, shared: sharedOf(denied) },
        { name: `${id}: allowed`, shared: sharedOf(allowed) },
      ]),
  }));
}

/** Returns the example of a rule, as `muster explain` prints it, with its comment on top of the object. */
function sharedOf(text: string): Shared {
  const { clusters, operation, subresource = '', object, old, state, config, user, now } = parseDocument(text).toJS();
  const comment = /^# .*\n/.exec(text)?.[0] ?? '';
  const head = { apiVersion: 'muster/v1alpha1', kind: 'MusterConfiguration' };
  const configuration = config === undefined ? '' : yaml({ ...head, ...config });
  if (clusters) {
    const [[firstName, first] = NO_CLUSTER, [secondName, second] = NO_CLUSTER] =
      Object.entries<readonly object[]>(clusters);
    const texts = { first: comment + listed(first), second: listed(second) };
    const value = { ...emptyClusters, configuration, firstName, secondName, ...texts };
    return { kind: 'clusters', value };
  }
  const objects = {
    object: object === undefined ? '' : comment + yaml(object),
    old: old === undefined ? '' : (object === undefined ? comment : '') + yaml(old),
    state: listed(state),
  };
  const caller = { user: user?.username ?? '', groups: (user?.groups ?? []).join(', ') };
  const when = now === undefined ? '' : new Date(now).toISOString();
  const value = { ...emptyWrite, operation, subresource, ...objects, configuration, ...caller, now: when };
  return { kind: 'write', value };
}

function listed(objects: readonly object[] = []): string {
  return objects.map(yaml).join('---\n');
}

function yaml(value: object): string {
  return stringify(value, { version: '1.1', lineWidth: 0 });
}
