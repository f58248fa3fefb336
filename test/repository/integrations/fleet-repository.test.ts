/** examples/fleet-repository: what CI finds in it, and that the delivery tools' files name its folders. */
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { newFolder } from '../../support/folder.ts';
import { MAIN } from '../../support/main.ts';
import { commit, ran } from './repository.ts';

const EXAMPLE = 'examples/fleet-repository';
const read = (path: string) => readFileSync(join(EXAMPLE, path), 'utf8');
const ID = 'clusters/west/identity/id.yaml';
let folder: string;

beforeAll(() => {
  folder = newFolder().path;
  cpSync(EXAMPLE, folder, { recursive: true });
  commit(folder, {});
});

interface Report {
  readonly results: readonly {
    readonly cluster: string;
    readonly file: string;
    readonly findings: readonly { readonly ruleId: string; readonly related: readonly { readonly file: string }[] }[];
  }[];
}

function check(...flags: readonly string[]) {
  const { code, out } = ran(folder, [
    process.execPath,
    MAIN,
    'check',
    '--config',
    'muster.yaml',
    '-o',
    'json',
    ...flags,
  ]);
  return { code, report: JSON.parse(out.slice(0, out.lastIndexOf('\n}') + 2)) as Report };
}

test.each([[[]], [['--base-ref', 'HEAD']]])('it is right as it is: check %j', (flags) => {
  const { code, report } = check(...flags);
  expect(code).toBe(0);
  expect(report.results.flatMap(({ findings }) => findings)).toEqual([]);
  const counts = Map.groupBy(report.results, ({ cluster }) => cluster);
  expect([...counts].map(([cluster, results]) => [cluster, results.length])).toEqual([
    ['east', 2],
    ['hub', 2],
    ['west', 2],
  ]);
});

test('the id of another member is refused in both places', () => {
  commit(folder, { [ID]: read('clusters/east/identity/id.yaml') });
  const { code, report } = check();
  commit(folder, { [ID]: read(ID) });
  expect(code).toBe(1);
  const places = report.results.flatMap(({ file, findings }) =>
    findings.map(({ ruleId, related }) => [ruleId, file, ...related.map((place) => place.file)]),
  );
  const east = 'clusters/east/identity/id.yaml';
  expect(places).toEqual([
    ['claim/id-unique-in-clusterset', east, ID],
    ['claim/id-unique-in-clusterset', ID, east],
  ]);
});

test('Flux and Argo CD apply the folders that are checked', () => {
  const clusters = globSync('clusters/*', { cwd: EXAMPLE });
  const flux = clusters.map((cluster) => parse(read(`${cluster}/flux.yaml`)).spec.path);
  const applied = flux.map((path: string) => globSync(`${path}/*.yaml`, { cwd: EXAMPLE }).length > 0);
  expect(new Set(applied)).toEqual(new Set([true]));
  const [generator] = parse(read('argocd/clusters.yaml')).spec.generators;
  expect(generator.git.directories).toEqual([{ path: parse(read('muster.yaml')).check.clusters[0] }]);
});
