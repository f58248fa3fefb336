import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/cluster-manager-label.ts';
import type { Action } from '../../../../src/rules/rule.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { finds, testRule } from '../../../support/rule-tester.ts';

const LABEL = '/metadata/labels/x-k8s.io~1cluster-manager';
const NAME = '/spec/clusterManager/name';
const is = (value: Json | undefined) => ({ set: { [LABEL]: value } });
const found = (message: string, action: Action = 'deny') =>
  finds('metadata.labels[x-k8s.io/cluster-manager]', message, action);
const missing = (name = 'harbour', action?: Action) =>
  found(
    `is missing; add the label x-k8s.io/cluster-manager with the value "${name}" (spec.clusterManager.name)`,
    action,
  );
/** Upstream's conformance tests ask for equality only where the label is present. */
const absent = missing('harbour', 'warn');
const differs = (shown: string, action?: Action, name = 'harbour') =>
  found(
    `must be "${name}" as in spec.clusterManager.name, got ${shown}; set the label x-k8s.io/cluster-manager to "${name}"`,
    action,
  );

testRule(rule, inventory, {
  allow: [
    { name: 'a ClusterProfile', base: profile },
    { name: 'a name that no label can hold, likewise', set: { [NAME]: 'no good', [LABEL]: undefined } },
  ],
  deny: [
    { name: 'an older wrong one taken away', old: { [LABEL]: 'x' }, ...is(undefined), ...missing() },
    {
      name: 'another name, whose label stays: not told to follow it, since another rule may refuse it',
      old: {},
      set: { [NAME]: 'a' },
      ...found(
        'must be the same as spec.clusterManager.name, "a", got "harbour", the stored name; keep that name, ' +
          'or change both',
      ),
    },
    { name: 'another name and label', old: {}, set: { [NAME]: 'a', [LABEL]: 'b' }, ...differs('"b"', 'deny', 'a') },
    { name: 'a ClusterProfile without labels', base: profile, set: { '/metadata/labels': undefined }, ...absent },
    { name: 'a ClusterProfile with null', base: profileAlpha, ...is(null), ...absent },
  ],
});
