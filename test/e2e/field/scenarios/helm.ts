/** Helm 3, which patches by what it knows, and Helm 4, which applies on the server; both can replace. */
import assert from 'node:assert/strict';
import type { Json } from '../../harness/index.ts';
import {
  claim,
  id,
  inventoryManifest,
  MANAGER_LABEL,
  membership,
  otherId,
  profileManifest,
  status,
  value,
  withMetadata,
} from '../objects.ts';
import { passes, refuses } from '../outcome.ts';
import { away, restarting, type ToolScenario, up } from '../scenario.ts';

const replacing = { 3: ['--force'], 4: ['--force-replace', '--server-side=false'] } as const;

/** As charts have it: the version of the chart in a label of every object. */
function labelledBy(version: string, ...objects: readonly Json[]): Json[] {
  return objects.map((object) =>
    withMetadata(object, { labels: { ...object.metadata.labels, 'helm.sh/chart': `fleet-${version}` } }),
  );
}

const each = (scenario: (version: 3 | 4) => ToolScenario): ToolScenario[] => ([3, 4] as const).map(scenario);

export const helm: readonly ToolScenario[] = [
  ...each((version) =>
    up(
      `Helm ${version}: \`install\`, \`upgrade\` and \`uninstall\` of both claims in one release`,
      'passes; but Helm writes objects of one kind at the same time, so `install` may warn that the id is missing, and `uninstall` may fail once on the id: run it again',
      async (field) => {
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: [id, membership] }));
        passes(
          await field.helm(version, 'upgrade', { version: '1.1.0', objects: labelledBy('1.1.0', id, membership) }),
        );
        const uninstall = ['uninstall', field.name, '--debug'];
        const first = await field.helmCommand(version, uninstall);
        if (first.code !== 0) {
          refuses(first, /claim\/id-present-in-clusterset/);
          passes(await field.helmCommand(version, uninstall));
        }
        assert.equal(await field.read(id), undefined);
        assert.equal(await field.read(membership), undefined);
      },
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`uninstall\` of two releases, first the membership, then the id`,
      'passes; the other way round it is refused (403)',
      async (field) => {
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: [id] }));
        await field.store(membership);
        const refused = await field.keeps(id, () => field.helmCommand(version, ['uninstall', field.name, '--debug']));
        refuses(refused, /claim\/id-present-in-clusterset/);
        passes(await field.kubectl('deployer', ['delete', 'clusterclaims.multicluster.x-k8s.io', 'clusterset.k8s.io']));
        passes(await field.helmCommand(version, ['uninstall', field.name]));
        assert.equal(await field.read(id), undefined);
      },
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade\` with another id of a member, then \`rollback\``,
      'refused (403); the release is marked failed, the id stays, and `rollback` passes',
      async (field) => {
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: [id, membership] }));
        const outcome = await field.keeps(id, () =>
          field.helm(version, 'upgrade', { version: '2.0.0', objects: [otherId, membership] }),
        );
        refuses(outcome, /claim\/id-immutable-in-clusterset/, /leave/i);
        passes(await field.keeps(id, () => field.helmCommand(version, ['rollback', field.name, '1'])));
      },
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: three times \`upgrade\`: without the membership, with another id, with the membership`,
      'passes',
      async (field) => {
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: [id, membership] }));
        for (const objects of [[id], [otherId], [otherId, membership]]) {
          passes(await field.updates(id, () => field.helm(version, 'upgrade', { version: '1.0.0', objects })));
        }
        assert.equal((await field.stored(id)).spec.value, 'b');
        await field.stored(membership);
      },
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade ${replacing[version].join(' ')}\`, inventory objects without the manager label`,
      'passes, every time; the label is put back, uid and status stay',
      async (field) => {
        const objects = (text: string) => [inventoryManifest(field, text), profileManifest(field, text)];
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: objects('one') }));
        for (const object of objects('one')) await field.store({ ...object, status });
        for (const text of ['two', 'three']) {
          const [first, second] = objects(text);
          const upgrade = () =>
            field.helm(version, 'upgrade', { version: '1.1.0', objects: objects(text) }, replacing[version]);
          passes(await field.updates(first, () => field.updates(second, upgrade)));
          for (const object of [first, second]) {
            const stored = await field.stored(object);
            assert.equal(stored.metadata.labels[MANAGER_LABEL], 'fleet');
            assert.equal(stored.spec.displayName, text);
          }
        }
      },
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade ${replacing[version].join(' ')}\` with another id of a member`,
      'refused (403); the id stays',
      async (field) => {
        passes(await field.helm(version, 'install', { version: '1.0.0', objects: [id, membership] }));
        const chart = { version: '2.0.0', objects: [otherId, membership] };
        refuses(
          await field.keeps(id, () => field.helm(version, 'upgrade', chart, replacing[version])),
          /claim\/id-immutable-in-clusterset/,
        );
      },
    ),
  ),
  restarting('Helm 4: `upgrade` with changed objects, several in a row', 'passes', async (field) => {
    const chart = (text: string) => ({ version: '1.0.0', objects: [profileManifest(field, text)] });
    passes(await field.helm(4, 'install', chart('one')));
    await field.throughout(async (round) => passes(await field.helm(4, 'upgrade', chart(`round ${round}`))));
  }),
  ...each((version) =>
    away(`Helm ${version}: \`upgrade\`, only labels and annotations change`, 'passes', {
      async before(field) {
        const objects = [profileManifest(field), claim(`${field.name}.example.com`, value('a'))];
        passes(await field.helm(version, 'install', { version: '1.0.0', objects }));
      },
      async run(field) {
        const objects = [profileManifest(field), claim(`${field.name}.example.com`, value('a'))];
        passes(await field.helm(version, 'upgrade', { version: '1.0.0', objects }));
        passes(await field.helm(version, 'upgrade', { version: '1.1.0', objects: labelledBy('1.1.0', ...objects) }));
        const stored = await field.stored(objects[0] as Json);
        assert.equal(stored.metadata.labels['helm.sh/chart'], 'fleet-1.1.0');
      },
    }),
  ),
  away(
    'Helm 4: `upgrade` with another value of a claim',
    'refused (500) until muster is back; the release is marked failed, the next `upgrade` fixes it',
    {
      async before(field) {
        const objects = [claim(`${field.name}.example.com`, value('a'))];
        passes(await field.helm(4, 'install', { version: '1.0.0', objects }));
      },
      async run(field) {
        const [one, two] = ['a', 'b'].map((text) => claim(`${field.name}.example.com`, value(text)));
        const outcome = await field.keeps(one, () => field.helm(4, 'upgrade', { version: '2.0.0', objects: [two] }));
        refuses(outcome, /failed calling webhook/);
        passes(await field.helm(4, 'upgrade', { version: '1.0.0', objects: [one] }));
      },
    },
  ),
];
