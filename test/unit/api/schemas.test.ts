import { describe, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import {
  featureSpec,
  featureState,
  featureStatusScalars,
  featureUse,
  featureUseKeys,
  featureV1alpha1,
} from '../../../src/api/feature.ts';
import { kinds } from '../../../src/api/index.ts';
import { transitionOf } from '../../../src/rules/feature/state-machine.ts';
import { readStatus } from '../../../src/rules/feature/status.ts';

test('each dialect that is ours has a schema for each of its versions, and no other dialect has one', () => {
  const ours = dialects.filter((dialect) => dialect.ours);
  const wanted = ours.flatMap(({ name, versions }) => versions.map((version) => `${name}/${version}`));
  expect(kinds.map(({ dialect, version }) => `${dialect.name}/${version}`)).toEqual(wanted);
});

test('the fragments of a feature make up the whole', () => {
  const { spec, status } = featureV1alpha1.schema.properties ?? {};
  expect(Object.keys(spec?.properties ?? {})).toEqual(Object.keys(featureSpec.properties));
  const members = [...Object.keys(featureStatusScalars.properties), 'transitionTasks', 'uses'];
  expect(Object.keys(status?.properties ?? {}).sort()).toEqual(members.sort());
});

test('the keys of a use are required', () => {
  expect(featureUse.required).toEqual(expect.arrayContaining([...featureUseKeys]));
});

describe('what CEL says is what the rules say', () => {
  test('the table of a feature’s states', () => {
    const table = featureV1alpha1.schema['x-kubernetes-validations']?.map(({ rule }) => /\{'Off'.*?\}/.exec(rule)?.[0]);
    const next = JSON.parse((table?.find((text) => text) ?? '').replaceAll("'", '"')) as Record<string, string[]>;
    const life = (state: string) => readStatus({ status: { state } });
    const legal = featureState.map((from) => {
      const reached = featureState.filter(
        (to) => !['stays', 'illegal'].includes(transitionOf(life(from), life(to)) ?? 'illegal'),
      );
      return [from, reached.sort()];
    });
    expect(
      Object.entries(next)
        .map(([from, to]) => [from, [...to].sort()])
        .sort(),
    ).toEqual(legal.sort());
  });
});
