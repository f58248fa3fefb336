/**
 * The playground in a real Chromium: its verdicts are those of `muster check`, its marks are where `check` says, and
 * nothing leaves the page.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { isLeftOut } from '../../../docs/.vitepress/playground/left-out.ts';
import { emptyWrite, fragmentOf } from '../../../docs/.vitepress/playground/scenario.ts';
import { examples } from '../../../src/rules/examples.generated.ts';
import { rules } from '../../../src/rules/index.ts';
import { HEAD } from '../../support/configuration.ts';
import { MAIN } from '../../support/main.ts';
import { launch, openPage, type Site, serveSite, type WatchedPage } from './site.ts';

let browser: Browser;
let site: Site;
let opened: WatchedPage;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), serveSite()]);
  opened = await openPage(browser, site.address('playground'));
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(() => expect(opened.faults).toEqual([]));

const part = (name: 'write' | 'life' | 'clusters', page: Page = opened.page) => page.locator(`[data-part=${name}]`);
const choose = (name: 'write' | 'clusters', example: string) => part(name).locator('.bar select').selectOption(example);
const outcome = (name: 'write' | 'life' | 'clusters') => part(name).locator('.outcome').innerText();
const editor = (name: string, label: 'write' | 'clusters' = 'write') =>
  part(label).locator(`[data-editor=${name}] .cm-content`);

/** The findings that a part of the page shows: action, rule and place. */
async function findingsIn(name: 'write' | 'life' | 'clusters'): Promise<readonly string[]> {
  const items = part(name).locator('.verdict .findings li');
  return items.evaluateAll((found) =>
    found.map((item) => ['.action', 'a', '.place'].map((of) => item.querySelector(of)?.textContent).join(' ')),
  );
}

interface CheckResult {
  readonly file: string;
  readonly outcome: string;
  readonly findings: readonly {
    readonly ruleId: string;
    readonly action: string;
    readonly line: number;
    readonly column: number;
  }[];
}

function checked(): readonly CheckResult[] {
  return ['examples/bad', 'examples/good'].flatMap((folder) => {
    const args = [MAIN, 'check', folder, '--state', 'examples/cluster', '-o', 'json', '--as', 'jane'];
    const { results } = JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
    // A file with a status is two writes; the second is the one of the status, as in the menu.
    const shown = results.filter(({ kind }: { readonly kind: string }) => !/^Service/.test(kind));
    return [...new Map<string, CheckResult>(shown.map((one: CheckResult) => [one.file, one])).values()];
  });
}

const WORDS: Readonly<Record<string, string>> = { deny: 'denied', warn: 'warns', audit: 'is recorded' };

test('the folder of examples: verdict, rule, line and column are those of muster check', async () => {
  const expected = checked();
  expect(expected.length).toBeGreaterThan(10);
  const shown = [];
  for (const { file } of expected) {
    await choose('write', file.replace('examples/', ''));
    shown.push({ file, outcome: await outcome('write'), findings: await findingsIn('write') });
  }
  const lines = ({ findings }: CheckResult) =>
    findings.map(({ action, ruleId, line, column }) => `${WORDS[action]} ${ruleId} object:${line}:${column}`);
  expect(shown).toEqual(expected.map((one) => ({ file: one.file, outcome: one.outcome, findings: lines(one) })));
});

test('the examples of all rules: each has the verdict that the rule’s page promises', async () => {
  const wrong: string[] = [];
  for (const [id, pair] of Object.entries(examples)) {
    if (rules.some((rule) => rule.id === id && isLeftOut(rule))) continue;
    for (const kind of ['allowed', 'denied'] as const) {
      const { clusters, expect: promised } = parse(pair[kind]);
      const name = clusters ? 'clusters' : 'write';
      await choose(name, `${id}: ${kind === 'denied' ? 'not allowed' : kind}`);
      const found = (await findingsIn(name)).filter((line) => line.includes(` ${id} `));
      const isAsPromised =
        kind === 'allowed'
          ? found.length === 0
          : found.some((line) => line.startsWith(promised === 'denied' ? 'denied' : 'warns'));
      if (!isAsPromised) wrong.push(`${id} ${kind}: ${await outcome(name)} ${found}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('the value of a finding is marked in the editor, at the line and column of the finding', async () => {
  await choose('write', 'bad/clusterclaim-id-syntax.yaml');
  expect(await findingsIn('write')).toEqual(['denied claim/id-syntax object:8:10']);
  const mark = editor('object').locator('.cm-lintRange-error');
  expect(await mark.allInnerTexts()).toEqual(['East_1']);
  const line = mark.locator('xpath=ancestor::*[@class="cm-line"]');
  expect(await line.innerText()).toBe('  value: East_1');
});

test('typing changes the verdict; what can’t be read is an error at its line', async () => {
  await choose('write', 'good/clusterclaim-id.yaml');
  expect(await outcome('write')).toBe('allowed');
  await editor('object').fill(
    'apiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ClusterClaim\nmetadata: {name: id.k8s.io}\nspec: {value: A}\n',
  );
  await part('write').locator('.outcome.denied').waitFor();
  expect(await findingsIn('write')).toEqual(['denied claim/id-syntax object:4:15']);
  await editor('object').fill('kind: [');
  await part('write').locator('.outcome.unreadable').waitFor();
  await editor('object').fill('apiVersion: about.k8s.io/v9\nkind: ClusterProperty\nmetadata: {}\n');
  await part('write').getByText('object:3:11 the object has no metadata.name, nor generateName').waitFor();
  await editor('object').fill('apiVersion: about.k8s.io/v9\nkind: ClusterProperty\nmetadata: {name: a.example.com}\n');
  await part('write').getByText('muster does not know ClusterProperty in about.k8s.io/v9').waitFor();
  await editor('configuration').fill(`${HEAD}mode: loud\n`);
  await part('write').getByText('configuration:3:7').waitFor();
  await editor('configuration').fill('');
});

const PROPERTY = (name: string, value: string) =>
  `apiVersion: about.k8s.io/v1\nkind: ClusterProperty\nmetadata: {name: ${name}}\nspec: {value: ${value}}\n`;
const documentsShown = () => part('write').locator('.documents li').allInnerTexts();

test('several documents are applied in order, each with its outcome; the review is that of the worst', async () => {
  await choose('write', 'good/clusterclaim-id.yaml');
  const texts = [
    PROPERTY('cluster.clusterset.k8s.io', 'east'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: notes}\n',
    PROPERTY('clusterset.k8s.io', "''"),
  ];
  await editor('object').fill(texts.join('---\n'));
  await part('write').locator('.documents').waitFor();
  expect(await documentsShown()).toEqual([
    'line 1 ClusterProperty cluster.clusterset.k8s.io: allowed',
    'line 6 ConfigMap notes: skipped',
    'line 10 ClusterProperty clusterset.k8s.io: denied',
  ]);
  expect(await outcome('write')).toBe('denied');
  // The id of the first document exists by then: there is no warning of claim/clusterset-requires-id.
  expect(await findingsIn('write')).toEqual(['denied claim/clusterset-value object:13:15']);
  await part('write').getByText('What follows is the review of document 3.').waitFor();
  const response = await part('write').locator('[data-json=response]').innerText();
  expect(JSON.parse(response).response.allowed).toBe(false);
});

test('an UPDATE finds the stored object of each document, and refuses one of another name', async () => {
  await choose('write', 'bad/clusterproperty-id-changed.yaml');
  await editor('object').fill(
    [PROPERTY('cluster.clusterset.k8s.io', 'west'), PROPERTY('rack.example.com', 'b')].join('---\n'),
  );
  await editor('old').fill(
    [PROPERTY('rack.example.com', 'a'), PROPERTY('cluster.clusterset.k8s.io', 'east')].join('---\n'),
  );
  await part('write').locator('.documents').waitFor();
  expect((await documentsShown()).map((line) => line.replace(/^line \d+ /, ''))).toEqual([
    'ClusterProperty cluster.clusterset.k8s.io: denied',
    'ClusterProperty rack.example.com: allowed',
  ]);
  await editor('object').fill(PROPERTY('clusterset.k8s.io', 'west'));
  await part('write').getByText('no stored object is ClusterProperty clusterset.k8s.io').waitFor();
  await editor('old').fill(PROPERTY('cluster.clusterset.k8s.io', 'east'));
  const refusal =
    'the stored object is ClusterProperty cluster.clusterset.k8s.io, the new one is ClusterProperty clusterset.k8s.io';
  await part('write').getByText(refusal).waitFor();
  expect(await outcome('write')).toContain('Not evaluated');
});

test('the answer is an AdmissionReview; the JSON Patches are those of the mutating webhook and of the change', async () => {
  const json = async (name: string) => JSON.parse(await part('write').locator(`[data-json=${name}]`).innerText());
  await choose('write', 'good/inventorycluster-without-label.yaml');
  const label = { op: 'add', path: '/metadata/labels', value: { 'x-k8s.io/cluster-manager': 'ocm' } };
  expect(await json('mutation')).toEqual([label]);
  await choose('write', 'bad/clusterproperty-id-changed.yaml');
  expect(await json('change')).toEqual([{ op: 'replace', path: '/spec/value', value: 'west' }]);
  expect(await json('response')).toMatchObject({
    kind: 'AdmissionReview',
    response: { allowed: false, status: { code: 403 }, auditAnnotations: { decision: 'denied' } },
  });
});

test('a Feature’s life: the state moves when the write is allowed, and only then', async () => {
  const press = (text: string) => part('life').getByRole('button', { name: text, exact: true }).click();
  const seen: string[] = [];
  for (const text of [
    ...['Leap to On', 'TurningOn without tasks', 'Begin: TurningOn, with its tasks', 'Complete: On, with tasks left'],
    ...['Task MigrateRecords is done', 'A client reports Disabled', 'Complete: On, while a client reports Disabled'],
    ...['Clear the report without waiting', 'Ask the clients again, and wait 5 minutes', 'Complete: On, at once'],
    ...['Complete: On, 5 minutes later', 'Leap to Off', 'TurningOff against the configured value'],
    ...['Begin: TurningOff, with its tasks', 'Turn around', 'Task MigrateRecords is done', 'Turn around'],
    ...['Take off the last task first', 'Task DrainRecords is done', 'Add a task', 'Complete: Off'],
  ]) {
    await press(text);
    await part('life').locator('.note', { hasText: text }).waitFor();
    const state = await part('life').locator('.states [aria-current]').innerText();
    seen.push(`${await outcome('life')}: ${state}`);
  }
  expect(seen).toEqual([
    'denied Leap to On: Off',
    'denied TurningOn without tasks: Off',
    'allowed Begin: TurningOn, with its tasks: TurningOn',
    'denied Complete: On, with tasks left: TurningOn',
    'allowed Task MigrateRecords is done: TurningOn',
    'allowed A client reports Disabled: TurningOn',
    'denied Complete: On, while a client reports Disabled: TurningOn',
    'denied Clear the report without waiting: TurningOn',
    'allowed Ask the clients again, and wait 5 minutes: TurningOn',
    'denied Complete: On, at once: TurningOn',
    'allowed Complete: On, 5 minutes later: On',
    'denied Leap to Off: On',
    'denied TurningOff against the configured value: On',
    'allowed Begin: TurningOff, with its tasks: TurningOff',
    'allowed Turn around: TurningOn',
    'allowed Task MigrateRecords is done: TurningOn',
    'allowed Turn around: TurningOff',
    'denied Take off the last task first: TurningOff',
    'allowed Task DrainRecords is done: TurningOff',
    'denied Add a task: TurningOff',
    'allowed Complete: Off: Off',
  ]);
});

test('two clusters with one id: each value is marked in its editor', async () => {
  await choose('clusters', 'claim/id-unique-in-clusterset: not allowed');
  expect(await outcome('clusters')).toBe('denied');
  const denials = (await findingsIn('clusters')).filter((line) => line.startsWith('denied'));
  expect(denials.map((line) => line.replace(/:.*/, ''))).toEqual([
    'denied claim/id-unique-in-clusterset east',
    'denied claim/id-unique-in-clusterset west',
  ]);
  for (const name of ['first', 'second'])
    expect(await editor(name, 'clusters').locator('.cm-lintRange-error').allInnerTexts()).toEqual(['pier-7']);
  const nameOfSecond = part('clusters').getByLabel('Name of the second cluster');
  await nameOfSecond.fill('east');
  await part('clusters').getByText('the names of the clusters must differ').waitFor();
  await nameOfSecond.fill('west');
});

describe('a link', () => {
  test.each([
    ['rules/claim-id-syntax', 'write', 'claim/id-syntax: not allowed'],
    ['rules/claim-id-unique-in-clusterset', 'clusters', 'claim/id-unique-in-clusterset: not allowed'],
  ] as const)('on the page of a rule leads to its example: %s', async (path, name, example) => {
    const { page, faults } = await openPage(browser, site.address(path));
    await page.getByRole('link', { name: 'the one that is not allowed' }).click();
    await part(name, page).locator('.outcome.denied').waitFor();
    expect(await part(name, page).locator('.bar select').inputValue()).toBe(example);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('carries the example', async () => {
    await choose('write', 'bad/clusterclaim-id-syntax.yaml');
    await part('write').getByRole('button', { name: 'Copy link' }).click();
    const { page, faults } = await openPage(browser, await opened.page.evaluate('location.href'));
    await part('write', page).getByText('The example of the link.').waitFor();
    await part('write', page).locator('.outcome.denied').waitFor();
    expect(await part('write', page).locator('.findings a').allInnerTexts()).toEqual(['claim/id-syntax']);
    expect(await page.locator('[data-part=write] [data-editor=object] .cm-content').innerText()).toContain('East_1');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['write=%%', 'it is cut off or changed'],
    ['clusters=W10', 'its content is no JSON object'],
    [`write=${'A'.repeat(40_000)}`, 'it is longer than 32000 characters'],
    ['write=eyJvcGVyYXRpb24iOiJDT05ORUNUIn0', 'its field "operation" must be one of CREATE, UPDATE, DELETE'],
  ])('that is broken is reported: %.30s', async (fragment, message) => {
    const { page, faults } = await openPage(browser, site.address(`playground#${fragment}`));
    await page.getByText(`This link can't be read: ${message}`).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('of two long lists is evaluated: the patch replaces a list that is too long to compare', async () => {
    const text = (value: string) =>
      JSON.stringify({
        apiVersion: 'features.x-k8s.io/v1alpha1',
        kind: 'Feature',
        metadata: { name: 'a', namespace: 'b' },
        status: { transitionTasks: Array(800).fill(value) },
      });
    const value = { operation: 'UPDATE', subresource: 'status', object: text('1'), old: text('2') };
    const { page, faults } = await openPage(
      browser,
      site.address(`playground#${fragmentOf({ kind: 'write', value: { ...emptyWrite, ...value } })}`),
    );
    await part('write', page).locator('.outcome.allowed').waitFor();
    const change = JSON.parse(await part('write', page).locator('[data-json=change]').innerText());
    expect(change).toEqual([{ op: 'replace', path: '/status/transitionTasks', value: Array(800).fill('1') }]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('of markup shows it as text', async () => {
    const object = '<img src=x onerror=alert(1)>';
    const value = {
      operation: 'CREATE',
      subresource: '',
      object,
      old: '',
      state: '',
      configuration: '',
      user: object,
      groups: '',
      now: '',
    };
    const fragment = fragmentOf({ kind: 'write', value });
    const { page, faults } = await openPage(browser, site.address(`playground#${fragment}`));
    await part('write', page).locator('.outcome.unreadable').waitFor();
    expect(await part('write', page).locator('img').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
