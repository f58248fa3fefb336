/** Helm 3, which patches by what it knows, and Helm 4, which applies on the server; both can replace. */
import type { Json } from '../../harness/index.ts';
import {
  id,
  inventoryManifest,
  membership,
  newClaim,
  otherId,
  ownClaim,
  profileManifest,
  status,
  withMetadata,
} from '../objects.ts';
import { away, restarting, type Scenario, up } from '../scenario.ts';
import {
  before,
  fails,
  has,
  hasLabel,
  hasOtherId,
  helm,
  isGone,
  kubectl,
  passes,
  refuses,
  refusesOtherId,
  step,
  store,
  throughout,
} from '../steps.ts';

type Version = 3 | 4;
const REPLACING = { 3: '--force', 4: '--force-replace --server-side=false' } as const;

const install = (version: Version, ...objects: readonly Json[]) =>
  passes(helm(version, 'install {field} {chart}', ...objects));
const upgrade = (version: Version, ...objects: readonly Json[]) => helm(version, 'upgrade {field} {chart}', ...objects);
const replace = (version: Version, ...objects: readonly Json[]) =>
  helm(version, `upgrade {field} {chart} ${REPLACING[version]}`, ...objects);
const uninstall = (version: Version) => helm(version, 'uninstall {field} --debug');

/** As charts have it: the version of the chart in a label of every object. */
const labelled = (object: Json) =>
  withMetadata(object, { labels: { ...object.metadata.labels, 'helm.sh/chart': 'fleet-1.1.0' } });

/** Helm deletes the objects of one kind at the same time: the second run finds the membership gone. */
const uninstallsInTwo = (version: Version) =>
  step(async (field) => {
    const { ok } = await uninstall(version)(field);
    if (!ok) await passes(uninstall(version)).run(field);
  });

const manifests = (text: string) => [inventoryManifest(text), profileManifest(text)];
const each = (scenario: (version: Version) => Scenario): Scenario[] => ([3, 4] as const).map(scenario);

export const helmScenarios: readonly Scenario[] = [
  ...each((version) =>
    up(
      `Helm ${version}: \`install\`, \`upgrade\` and \`uninstall\` of both claims in one release`,
      'passes; but Helm writes objects of one kind at the same time, so `install` may warn that the id is missing, and `uninstall` may fail once on the id: run it again',
      install(version, id, membership),
      passes(upgrade(version, labelled(id), labelled(membership))),
      uninstallsInTwo(version),
      isGone(id, membership),
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`uninstall\` of two releases, first the membership, then the id`,
      'passes; in the other order it is refused (403)',
      install(version, id),
      store(membership),
      refuses(uninstall(version), 'claim/id-present-in-clusterset', { keeps: [id] }),
      passes(kubectl('deployer', 'delete clusterclaims.multicluster.x-k8s.io clusterset.k8s.io')),
      passes(uninstall(version)),
      isGone(id),
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade\` with another id of a member, then \`rollback\``,
      'refused (403); the release is marked failed, the id stays, and `rollback` passes',
      install(version, id, membership),
      refusesOtherId(upgrade(version, otherId, membership)),
      passes(helm(version, 'rollback {field} 1'), { keeps: [id] }),
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: three times \`upgrade\`: without the membership, with another id, with the membership`,
      'passes',
      install(version, id, membership),
      ...[[id], [otherId], [otherId, membership]].map((objects) =>
        passes(upgrade(version, ...objects), { updates: [id] }),
      ),
      hasOtherId,
      has(membership, {}),
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade ${REPLACING[version]}\`, inventory objects without the manager label`,
      'passes, every time; the label is put back, uid and status stay',
      install(version, ...manifests('one')),
      store(...manifests('one').map((object) => ({ ...object, status }))),
      ...['two', 'three'].flatMap((displayName) => [
        passes(replace(version, ...manifests(displayName)), { updates: manifests('one') }),
        ...manifests(displayName).map((object) => hasLabel(object, { spec: { displayName } })),
      ]),
    ),
  ),
  ...each((version) =>
    up(
      `Helm ${version}: \`upgrade ${REPLACING[version]}\` with another id of a member`,
      'refused (403); the id stays',
      install(version, id, membership),
      refusesOtherId(replace(version, otherId, membership)),
    ),
  ),
  restarting(
    'Helm 4: `upgrade` with changed objects, several in a row',
    'passes',
    install(4, profileManifest('one')),
    throughout((round) => [passes(upgrade(4, profileManifest(`round ${round}`)))]),
  ),
  ...each((version) =>
    away(
      `Helm ${version}: \`upgrade\`, only labels and annotations change`,
      'passes',
      before(install(version, profileManifest(), ownClaim())),
      passes(upgrade(version, profileManifest(), ownClaim())),
      passes(upgrade(version, labelled(profileManifest()), labelled(ownClaim()))),
      has(profileManifest(), { metadata: { labels: { 'helm.sh/chart': 'fleet-1.1.0' } } }),
    ),
  ),
  away(
    'Helm 4: `upgrade` with another value of a claim and a new claim, then with a ClusterProfile without the manager label',
    'passes; then refused (500) until muster is back; the release is marked failed, the next `upgrade` fixes it',
    before(install(4, ownClaim())),
    passes(upgrade(4, ownClaim('b'), newClaim)),
    fails(upgrade(4, ownClaim('b'), newClaim, profileManifest()), { keeps: [ownClaim(), newClaim] }),
    passes(upgrade(4, ownClaim('b'), newClaim)),
  ),
];
