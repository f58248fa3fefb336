/** The rendered chart: what is committed is of this chart, and Helm is needed only for another one. */
import { appendFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readIfThere } from '../../../tools/generate/artifact.ts';
import { chartObjects } from '../../../tools/generate/chart-objects.ts';
import { newFolder } from '../../support/folder.ts';

const MODULE = 'src/manifests/chart-objects.generated.ts';
const { HELM } = process.env;
let root: string;

beforeAll(() => {
  root = newFolder().path;
  cpSync('charts', join(root, 'charts'), { recursive: true });
  mkdirSync(join(root, 'src/manifests'), { recursive: true });
  cpSync(MODULE, join(root, MODULE));
  process.env['HELM'] = '/nonexistent/helm';
});
afterAll(() => {
  if (HELM === undefined) delete process.env['HELM'];
  else process.env['HELM'] = HELM;
});

test('the module is of the chart in the checkout, which takes no Helm to tell', () => {
  expect(chartObjects(root)).toEqual({ path: MODULE, text: readIfThere(MODULE) });
});

test.each(['templates/workload/deployment.yaml', 'values.yaml', 'files/alerts.yaml'])(
  'a change of %s takes Helm, and says so',
  (file) => {
    appendFileSync(join(root, 'charts/kube-muster', file), '\n');
    expect(() => chartObjects(root)).toThrow('install Helm 3 or 4, or set HELM to its path, and run npm run generate');
    cpSync(join('charts/kube-muster', file), join(root, 'charts/kube-muster', file));
  },
);
