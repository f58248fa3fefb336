import type { JsonObject } from '../../base/json.ts';
import { specOf, statusOf } from '../../base/object.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { statusUpdateOf } from './feature-context.ts';
import { isStart } from './state-machine.ts';

export const rule = defineRule({
  id: 'feature/direction',
  ...STATUS_WRITES,
  ratchets: false,
  meta: {
    summary: 'A transition goes toward the value that is configured for the feature.',
    fix: 'Change the configured value (spec.desired or status.default) first, or leave status.state as it is.',
    level: 'MUST',
    source: 'KEP-3920 #server-flow',
    quote:
      "If the configured value for a feature (from the command line) doesn't match the current Feature state, it " +
      'will transition into the corresponding transitional state (TurningOn or TurningOff).',
    needs: ['object', 'oldObject'],
    why:
      'It applies when a transition begins, and compares the spec with the stored and the written status. The first ' +
      'state of an object is not evaluated: a backup that is restored may bring a transition that began earlier.',
    messages: {
      against:
        'the configured value is {{wanted}} ({{from}}), and {{state}} leads to the opposite; change the ' +
        'configured value first, or leave status.state as it is',
    },
  },
  scan: { skip: 'it is about a change; the configured value may have changed since' },
  cel: forFeatures([
    {
      expression:
        `!(variables.transition in ['enters', 'reverses']) || variables.oldStatusState == null || ` +
        `!(variables.configured in ['Enabled', 'Disabled']) || variables.configured == variables.target`,
      field: 'status.state',
      messageId: 'against',
      dataExpressions: { wanted: 'variables.configured', from: 'variables.configuredBy', state: 'variables.state' },
    },
  ]),
  check(context) {
    const { before, after, transition } = statusUpdateOf(context);
    if (!isStart(transition)) return [];
    // The transition of a backup that is restored began earlier, and the configured value may have changed since.
    if (before.state === undefined && !before.hasInvalidState) return [];
    const configured = configuredValue(context.object);
    const target = after.state === 'TurningOn' ? 'Enabled' : 'Disabled';
    if (configured === undefined || configured.wanted === target) return [];
    return [{ path: ['status', 'state'], messageId: 'against', data: { ...configured, state: after.state } }];
  },
});

/** Returns the configured value of a feature, and the field it is from; undefined if the object has none. */
function configuredValue(object: JsonObject): { wanted: string; from: string } | undefined {
  const status = statusOf(object);
  const source = status?.['source'];
  // An invalid value in spec.desired counts as set, and is not replaced by the default.
  const desired = source === 'Dynamic' ? (specOf(object)?.['desired'] ?? undefined) : undefined;
  const wanted = desired ?? status?.['default'];
  if ((source !== 'Default' && source !== 'Dynamic') || (wanted !== 'Enabled' && wanted !== 'Disabled'))
    return undefined;
  return { wanted, from: desired === undefined ? 'status.default' : 'spec.desired' };
}
