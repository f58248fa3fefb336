/**
 * The default values of the chart: each is described, since values.yaml is their reference, and no description is of
 * none.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isMap, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml';

const text = readFileSync('charts/kube-muster/values.yaml', 'utf8');

/** A map with a description of its own is one value. The comment before a map's first key belongs to the map. */
function undescribed(map: YAMLMap, prefix = ''): string[] {
  return map.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<Scalar<string>, unknown>;
    const comment = key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
    if (/^ -- \S/m.test(comment ?? '')) return [];
    return isMap(value) ? undescribed(value, `${prefix}${key.value}.`) : [`${prefix}${key.value}`];
  });
}

test('each value has a comment that begins with "-- "', () => {
  expect(undescribed(parseDocument(text).contents as YAMLMap)).toEqual([]);
});
