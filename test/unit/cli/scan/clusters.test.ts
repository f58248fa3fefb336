/** A scan of several clusters compares them when all are read. */
import { expect, test } from '@jest/globals';
import { claim, muster, yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { newFolder } from '../../../support/folder.ts';

const folder = newFolder();

for (const name of ['east', 'west']) {
  folder.put(`${name}/set.yaml`, yaml(claim('clusterset.k8s.io', 'blue')));
  folder.put(`${name}/id.yaml`, yaml(claim('id.k8s.io', 'north-1')));
}
folder.put('warn.yaml', `${HEAD}rules: { claim/id-unique-in-clusterset: { scan: warn } }\n`);

const scan = (...args: string[]) => muster(['scan', ...args], { cwd: folder.path });
const TWO = ['--state', 'east=east', '--state', 'west=west'];

test('one id in two clusters is denied in both, with the place in the other', async () => {
  const { code, out } = await scan(...TWO, '-o', 'json');
  expect(code).toBe(1);
  const { results, clusters } = JSON.parse(out);
  const denied = results.filter(({ outcome }: { outcome: string }) => outcome === 'denied');
  const ruleId = 'claim/id-unique-in-clusterset';
  expect(denied).toMatchObject([
    {
      cluster: 'east',
      file: 'east/id.yaml',
      findings: [{ ruleId, related: [{ cluster: 'west', file: 'west/id.yaml' }] }],
    },
    {
      cluster: 'west',
      file: 'west/id.yaml',
      findings: [{ ruleId, related: [{ cluster: 'east', file: 'east/id.yaml' }] }],
    },
  ]);
  expect(clusters).toMatchObject([{ summary: { denied: 1 } }, { summary: { denied: 1 } }]);
});

test('the configured action holds', async () => {
  const { code, out } = await scan(...TWO, '--config', 'warn.yaml');
  expect(code).toBe(0);
  expect(out).toContain('warn [claim/id-unique-in-clusterset]');
  expect(out).toContain('4 evaluated: 4 allowed, 0 denied, 0 indeterminate; 2 warnings');
});

test('files of one cluster are not compared', async () => {
  expect((await scan('--state', 'east', '--state', 'east/id.yaml')).code).toBe(0);
});
