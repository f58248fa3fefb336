/** The recipes for Argo CD and Flux: in the order they say, and naming what there is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { newFolder } from '../../support/folder.ts';
import { MAIN } from '../../support/main.ts';
import { ran } from './repository.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it is about, and fails where they are not.
type Anything = any;
const read = (path: string): Anything[] => parseAllDocuments(readFileSync(path, 'utf8')).map((one) => one.toJS());
const installed = ['namespace', 'leases', 'rbac', 'config', 'workload', 'network', 'webhooks', 'certs'].flatMap(
  (name) => read(`manifests/base/${name}.yaml`),
);
const WAVE = 'argocd.argoproj.io/sync-wave';
let folder: string;

beforeAll(() => {
  folder = newFolder().path;
  writeFileSync(join(folder, 'none.yaml'), '');
});

/** The rules that find something, and the exit code at the first warning. */
function check(...args: readonly string[]): { code: number | null; rules: readonly string[] } {
  const { code, out } = ran(folder, ['node', MAIN, 'check', '--fail-on=warning', ...args]);
  return { code, rules: [...out.matchAll(/\[([a-z]+\/[a-z-]+)\]/g)].map(([, id = '']) => id) };
}

describe('Argo CD', () => {
  const claims = read('examples/integrations/argocd/claims.yaml');
  const applications = read('examples/integrations/argocd/applications.yaml');
  const put = (name: string, objects: readonly object[]) =>
    writeFileSync(join(folder, name), objects.map((one) => `---\n${stringify(one)}`).join(''));

  test('the first wave passes without a warning; the second one alone does not', () => {
    const byWave = [...claims].sort((a, b) => a.metadata.annotations[WAVE] - b.metadata.annotations[WAVE]);
    put('waves.yaml', byWave);
    put('second.yaml', byWave.slice(1));
    expect(check('waves.yaml', '--state=none.yaml')).toEqual({ code: 0, rules: [] });
    expect(check('second.yaml', '--state=none.yaml')).toEqual({ code: 1, rules: ['claim/clusterset-requires-id'] });
  });

  test('muster comes before them, from a folder and with an image that there are', () => {
    const [muster, identity] = applications;
    expect(Number(muster.metadata.annotations[WAVE])).toBeLessThan(Number(identity.metadata.annotations[WAVE]));
    expect(existsSync(join(muster.spec.source.path, 'kustomization.yaml'))).toBe(true);
    const [image = ''] = muster.spec.source.kustomize.images;
    expect(JSON.stringify(installed)).toContain(`"image":"${image.split('=')[0]}:`);
  });

  test('what it ignores is what muster writes: each is there, and none is missing', () => {
    const ignored: Anything[] = applications[0].spec.ignoreDifferences;
    const is = (one: Anything, object: Anything) =>
      one.kind === object.kind &&
      (one.group ?? '') === (object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '') &&
      (one.name ?? object.metadata.name) === object.metadata.name &&
      one.namespace === object.metadata.namespace;
    for (const one of ignored)
      expect({ one, found: installed.some((object) => is(one, object)) }).toEqual({ one, found: true });
    const written = /^(ValidatingWebhookConfiguration|MutatingWebhookConfiguration|Secret)$/;
    const left = installed
      .filter(({ kind }) => written.test(kind))
      .filter((object) => !ignored.some((one) => is(one, object)));
    expect(left).toEqual([]);
    // With RespectIgnoreDifferences, Argo CD would apply the data of the Secret as it last saw them.
    expect(applications[0].spec.syncPolicy.syncOptions).toEqual(['ServerSideApply=true']);
  });

  test('Leases, which it never applies, are left out, and a Job is replaced', () => {
    const [jobs, leases] = applications[0].spec.source.kustomize.patches;
    expect(jobs.target).toEqual({ kind: 'Job' });
    const [{ value }] = parse(jobs.patch);
    expect(value).toEqual({ 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' });
    expect(leases.target).toEqual({ kind: 'Lease' });
    expect(parse(leases.patch)).toMatchObject({ $patch: 'delete', kind: 'Lease' });
  });
});

describe('Flux', () => {
  const objects = read('examples/integrations/flux/kustomizations.yaml');
  const steps = objects.filter(({ kind }) => kind === 'Kustomization');
  const sources = objects.filter(({ kind }) => kind === 'GitRepository').map(({ metadata }) => metadata.name);

  test('muster, the id, the membership: each after the one before, and each waited for', () => {
    expect(steps.map(({ metadata }) => metadata.name)).toEqual(['muster', 'identity', 'membership']);
    expect(steps.map(({ spec }) => spec.dependsOn?.[0].name)).toEqual([undefined, 'muster', 'identity']);
    expect(steps.map(({ spec }) => spec.wait)).toEqual([true, true, true]);
    for (const { spec } of steps) expect(sources).toContain(spec.sourceRef.name);
    expect(existsSync(join(steps[0]?.spec.path, 'kustomization.yaml'))).toBe(true);
    expect(JSON.stringify(installed)).toContain(`"image":"${steps[0]?.spec.images[0].name}:`);
  });

  test('a refused id does not keep the membership from being deleted: it waits for what was applied, not for success', () => {
    const [{ readyExpr = '' }] = steps[2]?.spec.dependsOn ?? [];
    const [id] = read('examples/integrations/argocd/claims.yaml');
    expect(readyExpr).toContain(`'_${id.metadata.name}_${id.apiVersion.split('/')[0]}_${id.kind}'`);
    expect(readyExpr).not.toMatch(/conditions/);
  });

  test('a Job is replaced', () => {
    const [jobs] = steps[0]?.spec.patches ?? [];
    expect(jobs.target).toEqual({ kind: 'Job' });
    const [{ value }] = parse(jobs.patch);
    expect(value).toEqual({ 'kustomize.toolkit.fluxcd.io/force': 'Enabled' });
  });
});
