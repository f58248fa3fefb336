/** What a check finds between clusters: rules that compare run last, and both places are named. */
import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, expect, test } from '@jest/globals';
import { dialects } from '../../../../src/api/dialects.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { referenceOfObject } from '../../../../src/engine/review.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import type { Live } from '../../../../src/input/live.ts';
import { comparedKindOf, dialectOfObject, type InputObject } from '../../../../src/input/objects.ts';
import { createRunView } from '../../../../src/input/view.ts';
import { cluster, property, run, yaml } from '../../../support/command-line.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';
import { memberOf } from '../../../support/objects.ts';

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});

const member = (id: string, set = 'fleet') => memberOf(set, id);
const put = (files: Readonly<Record<string, readonly JsonObject[]>>) => {
  for (const [name, objects] of Object.entries(files)) repository.put(name, yaml(...objects));
};

/** Returns `east: file:line:column [rule] see west: file:line:column` for each finding that has another place. */
async function check(more: Partial<CheckRun> = {}, state: readonly string[] = []): Promise<string[]> {
  const glob = parseGlob('clusters/*', '--clusters', repository.path);
  const stated = state.map((one) => one.replace('=', `=${repository.path}/`));
  const { report } = await runCheck(run({ clusters: clusterRequest([], { state: stated }, [glob]), ...more }));
  expect(report.errors).toEqual([]);
  const found = report.results.flatMap(({ findings, ...result }) => {
    return findings.flatMap(({ related = [], ...finding }) => {
      const here = `${result.cluster}: ${result.file}:${finding.line}:${finding.column} [${finding.ruleId}] ${result.outcome}`;
      const others = related.map(
        ({ cluster: of, about, file, line, column: at }) => `${of}: ${about ?? `${file}:${line}:${at}`}`,
      );
      return others.length === 0 ? [] : `${here}, see ${others.join(', ')}`;
    });
  });
  return found.map((text) => text.replaceAll(`${repository.path}/`, ''));
}

const column =
  yaml(...member('one'))
    .split('\n')[1]
    ?.indexOf('"one"') ?? 0;
const at = (name: string, file = `clusters/${name}/a.yaml`) => `${name}: ${file}:2:${column + 1}`;
const shared = (name: string, ...others: readonly string[]) =>
  `${at(name)} [claim/id-unique-in-clusterset] denied, see ${others.map((other) => at(other)).join(', ')}`;

test('two members of a ClusterSet with one id are denied in both places', async () => {
  put({ 'clusters/east/a.yaml': member('one'), 'clusters/west/a.yaml': member('one') });
  put({ 'clusters/north/a.yaml': member('two'), 'clusters/south/a.yaml': member('three', 'other') });
  expect(await check()).toEqual([shared('east', 'west'), shared('west', 'east')]);
});

test('a document that is denied for another reason is not stored, and so not compared', async () => {
  put({ 'clusters/east/a.yaml': member('A_B'), 'clusters/west/a.yaml': member('A_B') });
  expect(await check()).toEqual([]);
});

test('inventory objects of one name in two namespaces are two, each with its own finding', async () => {
  const status = { properties: [{ name: 'color.example.com', value: 'red' }] };
  const profile = (namespace: string) => {
    const metadata = { name: 'east', namespace, labels: { 'x-k8s.io/cluster-manager': 'depot' } };
    return { ...cluster('east', { metadata, status }), kind: 'ClusterProfile' };
  };
  put({
    'clusters/east/a.yaml': [property('color.example.com', 'blue')],
    'clusters/hub/a.yaml': [profile('one')],
    'clusters/hub/b.yaml': [profile('two')],
  });
  expect(await check()).toEqual([
    expect.stringMatching(
      /^hub: clusters\/hub\/a.yaml:2:\d+ \[inventory\/properties-as-is\] .*, see east: clusters\/east/,
    ),
    expect.stringMatching(/^hub: clusters\/hub\/b.yaml:2:\d+ \[inventory\/properties-as-is\]/),
  ]);
});

test('an object of --state is compared too, with the line where it begins', async () => {
  put({ 'clusters/east/a.yaml': member('one'), 'clusters/west/b.yaml': [property('x.example.com', 'x')] });
  put({ 'exported.yaml': member('one') });
  const other = at('west', 'exported.yaml').replace(/:2:\d+$/, ':2:1');
  expect(await check({}, ['west=exported.yaml'])).toEqual([shared('east', 'west').replace(at('west'), other)]);
});

test('with --base-ref, what was so before is no finding, and a new conflict is one in both places', async () => {
  put({ 'clusters/east/a.yaml': member('one'), 'clusters/west/a.yaml': member('one') });
  repository.commit();
  expect(await check({ baseRef: 'HEAD' })).toEqual([]);
  rmSync(repository.at('clusters/west'), { recursive: true });
  put({ 'clusters/north/a.yaml': member('one') });
  expect(await check({ baseRef: 'HEAD' })).toEqual([shared('east', 'north'), shared('north', 'east')]);
});

test('with --base-ref, another cluster can take the id of one that is gone', async () => {
  put({ 'clusters/east/a.yaml': member('one') });
  repository.commit();
  rmSync(repository.at('clusters/east'), { recursive: true });
  put({ 'clusters/north/a.yaml': member('one') });
  expect(await check({ baseRef: 'HEAD' })).toEqual([]);
});

/** An API server that holds these; what is read of it beforehand are the objects of the documents. */
const liveWith = (...objects: readonly JsonObject[]): Live => {
  const behind = createRunView({ state: objects, known: dialects });
  const storedOf = ({ object }: InputObject): readonly JsonObject[] => {
    const dialect = dialectOfObject(object);
    const stored = dialect && behind.stored(referenceOfObject(dialect, object));
    return stored ? [stored] : [];
  };
  return {
    namespace: 'default',
    get: async (references) => {
      return references.map(({ dialect, namespace, name }) => {
        const value = objects.find((object) => {
          const of = comparedKindOf(object);
          return of === dialect && isDeepStrictEqual(object['metadata'], { namespace, name });
        });
        return { known: true, value };
      });
    },
    read: async (documents, deletions) => {
      return { objects: documents, deletions, view: { state: documents.flatMap(storedOf), behind } };
    },
    errors: () => [],
    notes: () => [],
    close: () => undefined,
  };
};

test('of a cluster that is read live, the id and the membership count though no file holds them', async () => {
  put({ 'clusters/east/a.yaml': member('one'), 'clusters/west/b.yaml': [property('x.example.com', 'x')] });
  const west = liveWith(...member('one'));
  const found = shared('east', 'west').replace(at('west'), 'west: ClusterProperty cluster.clusterset.k8s.io');
  expect(await check({ live: new Map([['west', west]]) })).toEqual([found]);
  const both = {
    live: new Map([
      ['west', west],
      ['east', liveWith(...member('one'))],
    ]),
  };
  expect(await check(both)).toEqual([]);
});
