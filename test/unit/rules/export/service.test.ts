/** An export needs its Service; what can't be known is silence. */
import { expect, test } from '@jest/globals';
import { service as serviceKind } from '../../../../src/api/supporting-kinds.ts';
import { DYING } from '../../../support/bases.ts';
import { type Clusters, comparisonOf, conflictsIn, messagesOf } from '../../../support/compared.ts';
import { exported, service } from '../../../support/services.ts';

const RULE = 'export/service';
const another = service({ '/metadata/name': 'api' });
const alias = service({ '/spec/type': 'ExternalName' });
const missing = `east ServiceExport shop/web: warn ${RULE} metadata.name`;
const isAlias = `east ServiceExport shop/web: warn ${RULE} spec.type`;

test.each<[string, Clusters, string[]]>([
  ['its Service', { east: [exported(), service()] }, []],
  ['no Service of that name', { east: [exported(), another] }, [missing]],
  [
    'one of that name in another namespace',
    { east: [exported(), service({ '/metadata/namespace': 'pay' })] },
    [missing],
  ],
  ['one of another cluster', { east: [exported(), another], west: [service()] }, [missing]],
  ['an alias', { east: [exported(), alias] }, [isAlias]],
  ['not one Service: they are elsewhere', { east: [exported()], west: [another] }, []],
])('%s', async (_, clusters, expected) => {
  expect(await conflictsIn(clusters, { rule: RULE })).toEqual(expected);
  if (!('west' in clusters))
    expect(await conflictsIn({ ...clusters, '': clusters['east'] ?? [], east: [] }, { rule: RULE })).toHaveLength(
      expected.length,
    );
});

test('what could not be read proves nothing', async () => {
  expect(await conflictsIn({ east: [exported(), another] }, { rule: RULE, unread: { east: [serviceKind] } })).toEqual(
    [],
  );
});

test('in a run of one cluster, too', async () => {
  expect(await conflictsIn({ east: [exported(), another] }, { rule: RULE, isAcross: false })).toEqual([missing]);
});

test.each<[string, Clusters['east'], string[]]>([
  ['was missing before', [exported(), another], []],
  ['was an alias', [exported(), alias], [missing]],
  ['was there', [exported(), service()], [missing]],
  ['was not exported', [another], [missing]],
])('a Service that is missing now and %s', async (_, before = [], expected) => {
  expect(await conflictsIn({ east: [exported(), another] }, { rule: RULE, before: { east: before } })).toEqual(
    expected,
  );
});

test('an export that the run deletes needs no Service while it waits for its finalizers', async () => {
  const before = { east: [exported(), service()] };
  const east = [exported(DYING), another];
  expect(await conflictsIn({ east }, { rule: RULE, before })).toEqual([]);
  expect(await conflictsIn({ east }, { rule: RULE, before: { east: [exported(DYING), service()] } })).toEqual([
    missing,
  ]);
  expect(await conflictsIn({ east }, { rule: RULE })).toEqual([missing]);
});

test('an alias is at its type, in the Service', () => {
  const [found] = comparisonOf({ east: [exported(), alias] }).finish();
  expect([...(found?.places.values() ?? [])]).toEqual(['east Service shop/web']);
});

test('messages begin with the reason of the condition', async () => {
  expect(await messagesOf({ east: [exported(), another] }, RULE)).toEqual([
    'NoService: there is no Service "shop/web" in this cluster, so nothing is exported; create it, or delete the export',
  ]);
  expect(await messagesOf({ east: [exported(DYING), another] }, RULE)).toEqual([
    expect.stringMatching(/^NoService: .* the export is being deleted: see what keeps its finalizers$/),
  ]);
  expect(await messagesOf({ east: [exported(), alias] }, RULE)).toEqual([
    expect.stringMatching(/^InvalidServiceType: .*"shop\/web"/),
  ]);
});
