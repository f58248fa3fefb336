/**
 * Layouts of repositories, as the documentation of Flux, Argo CD, kustomize, Helm and Open Cluster Management shows
 * them.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { run } from '../../../support/command-line.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

async function check(name: string, ...paths: string[]) {
  const root = `${HERE}${name}/`;
  const short = (text: string) => text.replaceAll(root, '').replaceAll(`${HERE}${name}`, '.');
  const skipped: string[] = [];
  const named = (paths.length > 0 ? paths : ['']).map((path) => root + path);
  const { report, notes } = await runCheck(
    run({ paths: named, listSkipped: (line) => void skipped.push(short(line)) }),
  );
  return {
    evaluated: report.results.map(({ file, name: object }) => `${short(file ?? '')} ${object}`),
    skipped: skipped.map((line) => line.replace(/:1:1: note: skipped:|:\d+:\d+: note: skipped:/, '')),
    notes: notes.map(short).filter((note) => !note.includes('note: not evaluated')),
    errors: report.errors.map(({ file, message }) => `${relative(root, file ?? '')}: ${message}`),
    count: report.summary.skipped,
  };
}

interface Expected {
  readonly evaluated: readonly string[];
  /** Files with the reason; those of other kinds are counted in `others`. */
  readonly skipped: readonly string[];
  readonly others?: number;
  /** Folders that a note names, and the command in it. */
  readonly notes?: readonly string[];
}

const ID = 'cluster.clusterset.k8s.io';
const kustomization = 'it says how to build a kustomization';
const ofChart = (what: string, chart: string) => `it is ${what} of the Helm chart ${chart}`;
const build = (folder: string) =>
  `${folder}: note: a kustomization, not rendered: kustomize build ${folder} | muster check -, or --render`;
const template = (folder: string) =>
  `${folder}: note: a Helm chart, not rendered: helm template --include-crds ${folder} | muster check -, or --render`;

const layouts: readonly (readonly [title: string, folder: string, expected: Expected])[] = [
  [
    'kustomize: the base is evaluated as it is, patches of overlays are not',
    'kustomize-overlays',
    {
      evaluated: [`base/claims.yaml ${ID}`],
      skipped: [
        `base/kustomization.yaml ${kustomization}`,
        'overlays/east/id.yaml the kustomization in overlays/east lists it as patches',
        `overlays/east/kustomization.yaml ${kustomization}`,
        'overlays/west/id.yaml the kustomization in overlays/west lists it as patches',
        `overlays/west/kustomization.yaml ${kustomization}`,
      ],
      others: 1,
      notes: [build('overlays/east'), build('overlays/west')],
    },
  ],
  [
    'kustomize: a component with all that it lists, generators, transformers and the older fields; a file without an extension',
    'kustomize-components',
    {
      evaluated: [`overlays/dev/id.yaml ${ID}`],
      skipped: [
        `base/kustomization.yml ${kustomization}`,
        'components/membership/data/settings.json the kustomization in components/membership lists it as configMapGenerator',
        'components/membership/deployment-patch.yaml the kustomization in components/membership lists it as patchesStrategicMerge',
        `components/membership/kustomization.yaml ${kustomization}`,
        'components/membership/membership.yaml the kustomization in components/membership lists it as resources',
        `overlays/dev/Kustomization ${kustomization}`,
        'overlays/dev/labels.yaml the kustomization in overlays/dev lists it as transformers',
        'overlays/dev/plugin.yaml the kustomization in overlays/dev lists it as generators',
        'overlays/dev/replacement.yaml the kustomization in overlays/dev lists it as replacements',
        'overlays/dev/replicas.yaml the kustomization in overlays/dev lists it as patchesJson6902',
      ],
      others: 1,
      notes: [build('overlays/dev')],
    },
  ],
  [
    'Flux, one repository for all: its own Kustomization objects are ordinary',
    'flux-monorepo',
    {
      evaluated: [`clusters/production/claims.yaml ${ID}`, 'clusters/staging/claims.yaml region.example.com'],
      skipped: [
        `apps/base/kustomization.yaml ${kustomization}`,
        `apps/production/kustomization.yaml ${kustomization}`,
        'apps/production/release-values.yaml the kustomization in apps/production lists it as patches',
        `apps/staging/kustomization.yaml ${kustomization}`,
        'apps/staging/release-values.yaml the kustomization in apps/staging lists it as patches',
        `clusters/production/flux-system/kustomization.yaml ${kustomization}`,
        `clusters/staging/flux-system/kustomization.yaml ${kustomization}`,
      ],
      others: 6,
      notes: [
        build('apps/production'),
        build('apps/staging'),
        build('clusters/production/flux-system'),
        build('clusters/staging/flux-system'),
      ],
    },
  ],
  [
    "Flux: kustomization.yaml with Flux's own kind lists no files",
    'flux-kustomization-file',
    { evaluated: [`claims/claims.yaml ${ID}`], skipped: [], others: 1 },
  ],
  [
    'Argo CD: an app of apps is a chart',
    'argocd-app-of-apps',
    {
      evaluated: [`guestbook/claims.yaml ${ID}`],
      skipped: [
        `apps/Chart.yaml ${ofChart('the Chart.yaml', 'apps')}`,
        `apps/templates/guestbook.yaml ${ofChart('a template', 'apps')}`,
        `apps/values.yaml ${ofChart('values', 'apps')}`,
      ],
      notes: [template('apps')],
    },
  ],
  [
    'Argo CD: an ApplicationSet with files of a git generator',
    'argocd-applicationset',
    {
      evaluated: [`apps/claims/id.yaml ${ID}`],
      skipped: [],
      others: 3,
    },
  ],
  [
    'Helm: a chart with values, a schema, a dependency and templates elsewhere; its CRDs are manifests',
    'helm-chart',
    {
      evaluated: [],
      skipped: [
        `fleet/Chart.yaml ${ofChart('the Chart.yaml', 'fleet')}`,
        `fleet/charts/names/Chart.yaml ${ofChart('the Chart.yaml', 'fleet/charts/names')}`,
        `fleet/charts/names/templates/names.yaml ${ofChart('a template', 'fleet/charts/names')}`,
        `fleet/ci/east-values.yaml ${ofChart('values', 'fleet')}`,
        'fleet/dashboards/claims.yaml it is a template in a Helm chart',
        `fleet/templates/claims.yaml ${ofChart('a template', 'fleet')}`,
        `fleet/templates/tests/job.yaml ${ofChart('a template', 'fleet')}`,
        `fleet/values.schema.json ${ofChart('values', 'fleet')}`,
        `fleet/values.yaml ${ofChart('values', 'fleet')}`,
      ],
      others: 1,
      notes: [template('fleet')],
    },
  ],
  [
    'Helm: charts beside the values of each environment, and a library',
    'helm-environments',
    {
      evaluated: [],
      skipped: [
        `charts/claims/Chart.yaml ${ofChart('the Chart.yaml', 'charts/claims')}`,
        `charts/claims/templates/id.yaml ${ofChart('a template', 'charts/claims')}`,
        `charts/claims/values.yaml ${ofChart('values', 'charts/claims')}`,
        `charts/common/Chart.yaml ${ofChart('the Chart.yaml', 'charts/common')}`,
        `charts/common/templates/_claim.yaml ${ofChart('a template', 'charts/common')}`,
      ],
      others: 2,
      notes: [template('charts/claims'), 'charts/common: note: a library chart: check the charts that use it'],
    },
  ],
  [
    'Open Cluster Management: the input of a policy generator is a manifest, the generator is not',
    'ocm-policies',
    {
      evaluated: ['policies/input/claim.yaml id.k8s.io'],
      skipped: [
        'policies/generator.yml the kustomization in policies lists it as generators',
        `policies/kustomization.yml ${kustomization}`,
      ],
      others: 2,
      notes: [build('policies')],
    },
  ],
  [
    'Open Cluster Management: an export of claims is a list, and so is any kind with items',
    'ocm-export',
    {
      evaluated: [
        'bundle.yaml clusterset.k8s.io',
        'claims.yaml id.k8s.io',
        'claims.yaml platform.open-cluster-management.io',
      ],
      skipped: [],
      others: 1,
    },
  ],
];

/** What is counted in `others`. */
const OTHERS = / it names no kind that muster evaluates$|: muster does not evaluate this kind$/;

test.each(layouts)('%s', async (_, folder, { evaluated, skipped, others = 0, notes = [] }) => {
  const checked = await check(folder);
  const parts = checked.skipped.filter((line) => !OTHERS.test(line));
  expect({ ...checked, skipped: parts }).toEqual({
    evaluated,
    skipped,
    notes,
    errors: [],
    count: skipped.length + others,
  });
});

test.each([
  [
    'kustomize-overlays',
    'overlays/east/id.yaml',
    'the kustomization in overlays/east lists it as patches',
    build('overlays/east'),
  ],
  ['helm-chart', 'fleet/templates/claims.yaml', ofChart('a template', 'fleet'), template('fleet')],
])('%s: %s is a part also if it is named alone', async (folder, file, reason, note) => {
  const { evaluated, skipped, notes } = await check(folder, file);
  expect({ evaluated, skipped, notes }).toEqual({ evaluated: [], skipped: [`${file} ${reason}`], notes: [note] });
});

test('a base that is named alone is not rendered for the sake of its overlays', async () => {
  const { evaluated, notes } = await check('kustomize-overlays', 'base');
  expect({ evaluated, notes }).toEqual({ evaluated: [`base/claims.yaml ${ID}`], notes: [build('base')] });
});
