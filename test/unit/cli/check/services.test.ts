/** What a check of several clusters finds among their exports and Services, and where it says it. */
import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type CheckRun, runCheck } from '../../../../src/cli/check/run.ts';
import { parseGlob } from '../../../../src/input/clusters/glob.ts';
import { clusterRequest } from '../../../../src/input/clusters/request.ts';
import type { Live } from '../../../../src/input/live.ts';
import { renderText } from '../../../../src/report/text.ts';
import { run, yaml } from '../../../support/command-line.ts';
import { type GitFolder, newRepository } from '../../../support/git.ts';
import { exported, memberOf, service } from '../../../support/services.ts';

let repository: GitFolder;
beforeEach(() => {
  repository = newRepository();
});

const put = (files: Readonly<Record<string, readonly JsonObject[] | string>>) => {
  for (const [name, content] of Object.entries(files))
    repository.put(name, typeof content === 'string' ? content : yaml(...content));
};
const web = exported({ '/metadata/creationTimestamp': undefined });
const headless = service({ '/spec/clusterIP': 'None' });
const another = service({ '/metadata/name': 'api' });
const EAST = 'clusters/east/export.yaml';
const WEST = 'clusters/west/export.yaml';
const EAST_WEB = 'clusters/east/web.yaml';
const WEST_WEB = 'clusters/west/web.yaml';

async function checked(more: Partial<CheckRun> = {}, state: readonly string[] = []) {
  const glob = parseGlob('clusters/*', '--clusters', repository.path);
  const stated = state.map((one) => one.replace('=', `=${repository.path}/`));
  return runCheck(run({ clusters: clusterRequest([], { state: stated }, [glob]), ...more }));
}

/** Returns `CLUSTER FILE RULE REASON`, the file being that of the finding; without the rules that need a ClusterSet. */
async function found(...input: Parameters<typeof checked>): Promise<string[]> {
  const { report } = await checked(...input);
  expect(report.errors).toEqual([]);
  return report.results.flatMap(({ findings, file: own = 'live', cluster }) =>
    findings.map(({ ruleId, file = own, message }) => {
      return `${cluster} ${file.replace(`${repository.path}/`, '')} ${ruleId} ${message.split(/[: ]/)[0]}`;
    }),
  );
}

const conflict = [`east ${EAST_WEB} export/conflict TypeConflict`, `west ${WEST_WEB} export/conflict TypeConflict`];

describe('a conflict', () => {
  test('is in the Services, whatever files hold them', async () => {
    put({ [EAST]: [web], [EAST_WEB]: [service()], [WEST]: [web, headless] });
    expect(await found()).toEqual([conflict[0], `west ${WEST} export/conflict TypeConflict`]);
    const { report } = await checked();
    const [east, west] = report.results.map(({ findings: [finding] }) => finding);
    expect(east).toMatchObject({ file: repository.at(EAST_WEB), line: 2, field: 'spec.clusterIP' });
    expect(east?.related).toMatchObject([{ cluster: 'west', file: repository.at(WEST), line: 4 }]);
    expect(west).not.toHaveProperty('file');
  });

  test('is said of the main resource, and not where only writes of /status are asked for', async () => {
    const reported = exported({ '/status': { conditions: [] } });
    put({ [EAST]: [reported], [EAST_WEB]: [service()], [WEST]: [reported], [WEST_WEB]: [headless] });
    const { report } = await checked();
    expect(report.results.map(({ subresource, outcome }) => `${subresource} ${outcome}`)).toEqual([
      ...[' denied', 'status allowed'],
      ...[' denied', 'status allowed'],
    ]);
    expect(await found({ subresource: 'status' })).toEqual([]);
  });

  test('shows no line of a Service, which may have labels in it', async () => {
    const secret = { '/metadata/labels': { a: 'SECRET' }, '/spec/selector': { a: 'SECRET' } };
    put({ [EAST]: [web, service(secret)], [WEST]: [web], [WEST_WEB]: [headless] });
    const { report, notes } = await checked();
    const text = [...renderText(report, {} as never, (one) => one)].join('');
    expect(text).toContain(`${WEST_WEB}:2:`);
    expect(`${text}${JSON.stringify(report)}${notes}`).not.toContain('SECRET');
  });

  test.each([
    ['a line of JSON', (all: readonly JsonObject[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all })],
    ['values of JSON on one line', (all: readonly JsonObject[]) => all.map((one) => JSON.stringify(one)).join(' ')],
    [
      'lists within a list in flow style',
      (all: readonly JsonObject[]) => {
        const lists = all.map((one) => `{apiVersion: v1, kind: List, items: [ ${JSON.stringify(one)} ]}`);
        return `{apiVersion: v1, kind: List, items: [${lists}]}`;
      },
    ],
  ])('shows nothing of a Service that shares a line with its export: %s', async (_, write) => {
    const secret = service({ '/metadata/labels': { a: 'SECRET' }, '/spec/selector': { a: 'SECRET' } });
    const labeled = exported({ '/spec': { exportedLabels: { tier: 'gold' } } });
    put({ [WEST]: [web], [WEST_WEB]: [headless], [EAST]: write([secret, labeled, secret]) });
    const { report } = await checked();
    const text = [...renderText(report, {} as never, (one) => one)].join('');
    expect(text).toContain('"tier":"gold"');
    expect(text).not.toContain('SECRET');
  });
});

describe('Services', () => {
  test('in two folders are never the same object twice, and in a list they count', async () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [service()] };
    put({ 'clusters/east/a/web.yaml': [list], 'clusters/east/b/web.yaml': [service()], [EAST]: [web] });
    put({ [WEST]: [web], [WEST_WEB]: [headless] });
    expect(await found()).toEqual([`east clusters/east/b/web.yaml export/conflict TypeConflict`, conflict[1]]);
    const { report } = await runCheck(run({ paths: [repository.at('clusters/east')] }));
    expect(report).toMatchObject({ errors: [], summary: { evaluated: 1, denied: 0, skipped: 2 } });
  });

  test('in a list of Services need no kind of their own', async () => {
    const { apiVersion: _, kind: __, ...item } = headless;
    put({ [EAST]: [web], [EAST_WEB]: [service()], [WEST]: [web] });
    put({ [WEST_WEB]: [{ apiVersion: 'v1', kind: 'ServiceList', items: [item] }] });
    expect(await found()).toEqual(conflict);
  });

  test('that are broken leave the export unknown, and are no error', async () => {
    put({
      [EAST]: [web],
      [EAST_WEB]: 'apiVersion: v1\nkind: Service\nmetadata: {',
      [WEST]: [web],
      [WEST_WEB]: [headless],
    });
    put({ 'clusters/east/api.yaml': [another] });
    expect(await found()).toEqual([]);
    const { notes } = await checked({ quiet: false });
    expect(notes).toContain(
      'note: 1 ServiceExport (east: shop/web) is not compared, since its Service is not known in this run',
    );
  });

  test('with a property of the wrong type are counted', async () => {
    const wrong = service({ '/spec/ports': [{ port: '80' }] });
    put({ [EAST]: [web, wrong], [WEST]: [web], [WEST_WEB]: [headless] });
    expect(await found()).toEqual([`east ${EAST} export/conflict TypeConflict`, conflict[1]]);
    const note = "note: 1 Service has a property that can't be read, and that is not compared: its type is wrong";
    expect((await checked({ quiet: false })).notes).toContain(note);
  });

  test('of a cluster that has none are elsewhere', async () => {
    put({ [EAST]: [web], [WEST]: [web, another] });
    expect(await found()).toEqual([`west ${WEST} export/service NoService`]);
  });

  test('are looked for in a run of one cluster, too', async () => {
    put({ [EAST]: [web], [EAST_WEB]: [another] });
    const { report } = await runCheck(run({ paths: [repository.at('clusters/east')] }));
    expect(report.results[0]?.findings).toMatchObject([{ ruleId: 'export/service', line: 2 }]);
  });

  test('that nobody exports are not parsed: mistakes in them are for others to report', async () => {
    put({ [EAST]: [another], [EAST_WEB]: 'apiVersion: v1\nkind: Service\nmetadata: {' });
    const { report, notes } = await checked();
    expect([report.results, report.errors, notes.filter((note) => note.includes('Service'))]).toEqual([[], [], []]);
  });
});

describe('with --base-ref', () => {
  beforeEach(() => {
    put({ [EAST]: [web], [EAST_WEB]: [service()], [WEST]: [web], [WEST_WEB]: [service()] });
    repository.commit();
  });
  const sinceHead = () => found({ baseRef: 'HEAD' });

  test('nothing is found where nothing changed', async () => {
    put({ [WEST_WEB]: [headless] });
    repository.commit();
    expect(await sinceHead()).toEqual([]);
    put({ [EAST]: [web, another] });
    expect(await sinceHead()).toEqual([]);
  });

  test('a Service that changed is found on the exports, which did not', async () => {
    put({ [WEST_WEB]: [headless] });
    expect(await sinceHead()).toEqual(conflict);
  });

  test('an export that goes while others differ', async () => {
    put({ [WEST_WEB]: [headless] });
    repository.commit();
    rmSync(repository.at(WEST));
    expect(await sinceHead()).toEqual([`west HEAD:${WEST} export/removal without`]);
  });

  test('a cluster that goes', async () => {
    put({ [WEST_WEB]: [headless] });
    repository.commit();
    rmSync(repository.at('clusters/west'), { recursive: true });
    expect(await sinceHead()).toEqual([`west HEAD:${WEST} export/removal without`]);
    put({ [EAST_WEB]: [headless] });
    expect(await sinceHead()).toEqual([]);
  });
});

test('with --base-ref, a conflict is not new where its Service may be in what could not be read', async () => {
  const labeled = (app: string) => exported({ '/spec': { exportedLabels: { app } } });
  put({ [EAST]: [labeled('a')], [EAST_WEB]: [service()], [WEST]: [labeled('b')] });
  const broken = 'clusters/west/broken.yaml';
  put({ [broken]: 'kind: ClusterProperty\napiVersion: about.k8s.io/v1\nmetadata: {' });
  repository.commit();
  put({ [broken]: [service()] });
  expect(await found({ baseRef: 'HEAD' })).toEqual([]);
  put({ [broken]: [another] });
  repository.commit();
  put({ [broken]: [service()] });
  const metadata = 'export/conflict-metadata LabelsConflict';
  expect(await found({ baseRef: 'HEAD' })).toEqual([`east ${EAST} ${metadata}`, `west ${WEST} ${metadata}`]);
});

describe('with --state', () => {
  const dated = (time: number) => exported({ '/metadata/creationTimestamp': `2026-06-01T00:00:0${time}Z` });
  const state = ['east=state/east.yaml', 'west=state/west.yaml'];
  beforeEach(() => {
    put({ 'state/east.yaml': [dated(2), service()], 'state/west.yaml': [dated(1), service()] });
    put({ [EAST]: [web], [WEST]: [web] });
  });

  test('what the clusters have counts, and what they shared is no finding', async () => {
    expect(await found({}, state)).toEqual([]);
    put({ 'state/east.yaml': [dated(2), headless] });
    expect(await found({}, state)).toEqual([]);
  });

  const inState = ['east state/east.yaml', 'west state/west.yaml'];

  test('each export of the state gets a finding, where only a Service changes, or one export is applied', async () => {
    rmSync(repository.at(EAST));
    rmSync(repository.at(WEST));
    put({ [WEST_WEB]: [headless], 'clusters/east/other.yaml': [another] });
    const [east, west] = [
      `${inState[0]} export/conflict TypeConflict`,
      `west ${WEST_WEB} export/conflict TypeConflict`,
    ];
    expect(await found({}, state)).toEqual([east, west]);
    const { report } = await checked({}, state);
    expect(report.results[1]).toMatchObject({
      file: repository.at('state/west.yaml'),
      line: 2,
      operation: 'SCAN',
      outcome: 'denied',
      findings: [{ file: repository.at(WEST_WEB), line: 2 }],
    });
    put({ [WEST]: [web] });
    expect((await found({}, state)).sort()).toEqual([east, west]);
  });

  test('an export of the state gets a finding, where its Service is deleted or becomes an alias', async () => {
    rmSync(repository.at(EAST));
    rmSync(repository.at(WEST));
    put({ 'state/west.yaml': [dated(1), headless, another], 'clusters/east/other.yaml': [another] });
    put({ 'gone.yaml': [headless], 'clusters/west/other.yaml': [another] });
    const removal = `${inState[1]} export/removal without`;
    const gone = clusterRequest(
      [],
      {
        state: state.map((one) => one.replace('=', `=${repository.path}/`)),
        deleted: [`west=${repository.at('gone.yaml')}`],
      },
      [parseGlob('clusters/*', '--clusters', repository.path)],
    );
    expect(await found({ clusters: gone })).toEqual([`${inState[1]} export/service NoService`, removal]);
    put({ [WEST_WEB]: [service({ '/spec/type': 'ExternalName' })] });
    expect(await found({}, state)).toEqual([`west ${WEST_WEB} export/service InvalidServiceType`, removal]);
  });

  test('the only Service of a cluster is missed, too, when it is deleted', async () => {
    rmSync(repository.at(EAST));
    put({ 'state/east.yaml': [dated(1), headless], 'gone.yaml': [headless], 'clusters/east/empty.yaml': '' });
    const stated = state.map((one) => one.replace('=', `=${repository.path}/`));
    const deleted = [`east=${repository.at('gone.yaml')}`];
    const clusters = clusterRequest([], { state: stated, deleted }, [
      parseGlob('clusters/*', '--clusters', repository.path),
    ]);
    expect(await found({ clusters })).toEqual([
      `${inState[0]} export/service NoService`,
      `${inState[0]} export/removal without`,
    ]);
  });

  test('an export that the run creates is younger than those that the clusters have', async () => {
    put({ 'state/west.yaml': [another], [WEST]: [dated(0)], [WEST_WEB]: [headless] });
    const { report } = await checked({}, state);
    const messages = report.results.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages).toHaveLength(2);
    for (const message of messages) expect(message).toContain('the export of east is the oldest and wins');
  });

  test('where nothing says what a cluster had, it is open which export is older', async () => {
    put({ [WEST]: [web], [WEST_WEB]: [headless] });
    const { report } = await checked({}, state.slice(0, 1));
    expect(report.results[0]?.findings[0]?.message).toContain('it is open which export is the oldest');
  });

  test('times of the state say who wins, those of manifests do not', async () => {
    put({ [EAST]: [dated(0)], [EAST_WEB]: [headless] });
    const { report } = await checked({}, state);
    expect(report.results[0]?.findings[0]?.message).toContain('the export of west is the oldest and wins');
    const { report: without } = await checked();
    expect(without.results).toHaveLength(2);
  });

  test('a file keeps what the cluster chose, as far as it is known what was applied', async () => {
    const chosen = { '/spec/ipFamilies': ['IPv6'] };
    put({ 'state/west.yaml': [dated(1), service({ '/spec/ipFamilies': ['IPv4'] })] });
    put({ 'state/east.yaml': [dated(2), service({ '/spec/ipFamilies': ['IPv4'] })], [EAST_WEB]: [service(chosen)] });
    expect(await found({}, state)).toEqual([
      `east ${EAST_WEB} export/conflict IPFamilyConflict`,
      'west state/west.yaml export/conflict IPFamilyConflict',
    ]);
  });
});

test('with --live, exports and Services are read by name, also where no file of the cluster has them', async () => {
  put({ [EAST]: [web], [EAST_WEB]: [service()], 'clusters/west/other.yaml': [exported({ '/metadata/name': 'api' })] });
  const asked: string[] = [];
  const live: Live = {
    namespace: 'default',
    get: async (references) =>
      references.map(({ dialect, namespace, name }) => {
        asked.push(`${dialect.kind} ${namespace}/${name}`);
        return { known: true, value: dialect.kind === 'Service' && name === 'web' ? headless : undefined };
      }),
    read: async (documents, deletions) => {
      const get = async ({ name }: { readonly name: string }) => {
        return { known: true as const, value: name === 'web' ? web : undefined };
      };
      return {
        objects: documents,
        deletions,
        view: { behind: { get, list: async () => ({ known: true, value: [] }) } },
      };
    },
    errors: () => [],
    notes: () => [],
    close: () => undefined,
  };
  expect(await found({ live: new Map([['west', live]]) })).toEqual([
    conflict[0],
    'west clusters/west/other.yaml export/service NoService',
    'west live export/conflict TypeConflict',
  ]);
  expect(asked).toEqual(['Service shop/api', 'Service shop/web']);
});

describe('a note says', () => {
  const NOTE =
    'note: no claim names the ClusterSet of a cluster, so all clusters of the run are treated as members of one';
  test('that all clusters are treated as members of one ClusterSet, where no claim names any', async () => {
    put({ [EAST]: [web, service()], [WEST]: [web, service()] });
    expect((await checked({ quiet: false })).notes).toContain(NOTE);
    expect((await checked({ quiet: true })).notes).not.toContain(NOTE);
    put({ 'clusters/east/member.yaml': memberOf('fleet', 'east') });
    expect((await checked({ quiet: false })).notes).not.toContain(NOTE);
  });

  test('which clusters are compared with no other, where the claims of others say a ClusterSet', async () => {
    const about = async () =>
      (await checked({ quiet: false })).notes.filter((note) => note.includes('the ClusterSet of'));
    put({ [EAST]: [web, service()], [WEST]: [web, service()], 'clusters/east/member.yaml': memberOf('fleet', 'east') });
    expect(await about()).toEqual([
      'note: no claim names the ClusterSet of west, so what it exports is compared with no other cluster',
    ]);
    for (const name of ['a', 'b', 'c']) put({ [`clusters/${name}/web.yaml`]: [web, service()] });
    expect(await about()).toEqual([
      'note: no claim names the ClusterSet of a, b, c, …, so what they export is compared with no other cluster',
    ]);
    for (const name of ['a', 'b', 'c', 'west']) put({ [`clusters/${name}/member.yaml`]: memberOf('fleet', name) });
    expect(await about()).toEqual([]);
  });

  test('nothing where one cluster exports alone', async () => {
    put({ [EAST]: [web, service()], [WEST]: [service()] });
    expect((await checked({ quiet: false })).notes).not.toContain(NOTE);
  });
});
