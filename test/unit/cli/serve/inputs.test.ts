/** The warnings of a configuration whose rules the server does not evaluate. */
import { expect, test } from '@jest/globals';
import { warningsOfIdleRules } from '../../../../src/cli/serve/inputs.ts';
import { defaultPolicy, type Policy } from '../../../../src/engine/index.ts';
import type { RuleId } from '../../../../src/rules/rule-id.generated.ts';

function denying(...ids: readonly RuleId[]): Policy {
  return { ...defaultPolicy, actions: new Map(ids.map((id) => [id, { webhook: 'deny' as const }])) };
}

test.each<[string, RuleId, boolean, RegExp | undefined]>([
  [
    'lists all objects of a kind',
    'inventory/unique-cluster-id',
    true,
    /^inventory\/unique-cluster-id denies nothing in a/,
  ],
  ['the same with files, which it lists', 'inventory/unique-cluster-id', false, undefined],
  ['is about no single write', 'placement/slices', true, /^placement\/slices denies nothing here: it compares many/],
  ['is about no single write, with files', 'placement/slices', false, /^placement\/slices denies nothing here/],
  ['compares clusters', 'export/conflict', false, /^export\/conflict denies nothing here: it compares clusters/],
  ['compares objects in a scan, and reads one by name', 'placement/profile-exists', true, undefined],
  ['compares objects in a scan, and lists two by a label', 'inventory/member-id-unique', true, undefined],
  ['compares objects in a scan, and evaluates one alone', 'placement/one-to-one', true, undefined],
  ['compares objects in a scan, and evaluates a deletion', 'claim/id-present', true, undefined],
])('a rule that %s: %s', (_title, id, isLive, warning) => {
  const warnings = warningsOfIdleRules(denying(id), isLive);
  expect(warnings).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)]);
});
