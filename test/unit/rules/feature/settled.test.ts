/** What a scan says of features that are not settled. */
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/base/json.ts';
import { feature } from '../../../support/bases.ts';
import { tweaked } from '../../../support/rule-tester.ts';
import { scanAll } from '../../cli/scan/fixtures.ts';

const uses = (...values: readonly string[]) => values.map((enabled, index) => ({ version: `1.${index}`, enabled }));
const found = async (status: JsonObject | undefined) => {
  const { entries, errors } = await scanAll([tweaked(feature, { '/status': status })]);
  expect(errors).toEqual([]);
  return entries.flatMap(({ result }) =>
    result.findings
      .filter(({ ruleId }) => ruleId === 'feature/settled')
      .map(({ action, field, message }) => `${action} ${field}: ${message}`),
  );
};
const message = (state: string, tasks: string, old: string, versions: string) =>
  `the feature is ${state} (tasks left: ${tasks}; versions that use the old value, ${old}: ${versions}); wait until it is settled before an upgrade or a downgrade`;

test.each<[string, JsonObject | undefined]>([
  ['no status', undefined],
  ['no state', { uses: uses('Enabled') }],
  ['a state that there is not', { state: 'Undecided', transitionTasks: ['A'] }],
  ['a state with the name of a member of every object', { state: 'toString', uses: uses('Enabled') }],
  ['On, with uses of it', { state: 'On', uses: uses('Enabled', 'Enabled') }],
  ['Off, with uses of it', { state: 'Off', transitionTasks: [], uses: uses('Disabled') }],
])('says nothing of %s', async (_, status) => expect(await found(status)).toEqual([]));

test.each<[string, JsonObject, string]>([
  ['TurningOn', { state: 'TurningOn' }, `warn status.state: ${message('TurningOn', 'none', 'Disabled', 'none')}`],
  [
    'TurningOff with tasks and uses',
    { state: 'TurningOff', transitionTasks: ['A', 'WaitForUses'], uses: uses('Enabled', 'Disabled', 'Enabled') },
    `warn status.state: ${message('TurningOff', 'A, WaitForUses', 'Enabled', '1.0, 1.2')}`,
  ],
  [
    'On with uses of the old value',
    { state: 'On', uses: uses('Enabled', 'Disabled') },
    `warn status.uses: ${message('On', 'none', 'Disabled', '1.1')}`,
  ],
  [
    'Off with tasks',
    { state: 'Off', transitionTasks: ['A'] },
    `warn status.transitionTasks: ${message('Off', 'A', 'Enabled', 'none')}`,
  ],
  [
    'On with as many tasks as uses of the old value',
    { state: 'On', transitionTasks: ['A'], uses: uses('Disabled') },
    `warn status.transitionTasks: ${message('On', 'A', 'Disabled', '1.0')}`,
  ],
  [
    'as many as a message names',
    { state: 'TurningOn', transitionTasks: ['A', 'B', 'C', 'D'] },
    `warn status.state: ${message('TurningOn', 'A, B, C, D', 'Disabled', 'none')}`,
  ],
  [
    'a task that is not a text, and a use without a version',
    { state: 'TurningOff', transitionTasks: [1], uses: [{ enabled: 'Enabled' }] },
    `warn status.state: ${message('TurningOff', '…', 'Enabled', '…')}`,
  ],
  [
    'more than a message names',
    { state: 'TurningOn', transitionTasks: ['A', 'B', 'C', 'D', 'E', 'WaitForUses'] },
    `warn status.state: ${message('TurningOn', 'A, B, C, D and 2 more', 'Disabled', 'none')}`,
  ],
])('names %s', async (_, status, expected) => expect(await found(status)).toEqual([expected]));
