/**
 * What `muster demo` prints for each write is what the real kubectl prints, with a real API server and muster behind
 * it.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { examples } from '../../../src/cli/demo/examples.generated.ts';
import { muster } from '../../support/command-line.ts';
import { newNamespace } from '../../support/objects.ts';
import { type Guarded, startGuarded } from './harness/index.ts';

let guarded: Guarded;
/** What the demo prints below each command. */
let printed: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  guarded = await startGuarded({ crds: 'published' });
  const { controlPlane } = guarded;
  await controlPlane.apply(...['fleet', 'networking', 'shop'].map(newNamespace));
  for (const flags of [[], ['--subresource=status']]) {
    const file = flags.length === 0 ? 'examples/cluster' : 'examples/cluster/features.yaml';
    const { code, stderr } = await controlPlane.kubectl('admin', ['apply', '--server-side', ...flags, '-f', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  const { out } = await muster(['demo'], { cwd: '.' });
  const blocks = out.split('\n\n').map((block) => block.split('\n').map((line) => line.trim()));
  printed = new Map(blocks.map(([, command = '', ...lines]) => [command, lines]));
});
afterAll(() => guarded?.stop());

test.each(examples.map(({ file }) => file))('%s', async (file) => {
  const [command = '', lines = []] = [...printed].find(([one]) => one.endsWith(file)) ?? [];
  const [, , ...args] = command.split(' ');
  // Dry, so that each write meets the same cluster.
  const { stdout, stderr } = await guarded.controlPlane.kubectl('admin', [...args, '--dry-run=server']);
  const shown = `${stderr}${stdout}`.replace(' (server dry run)', '').trim().split('\n');
  expect(shown).toEqual(lines.filter((line) => !line.startsWith('(added by muster')));
});
