import type { Path } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule } from '../rule.ts';

const STATE: Path = ['status', 'state'];
const STABILITY: Path = ['status', 'stability'];

export const rule = defineRule({
  id: 'feature/preserved',
  on: ['DELETE'],
  ratchets: false,
  meta: {
    summary: 'A Feature is not deleted while it is on, in transition or unknown to this version.',
    fix:
      'Turn the feature off and wait until its state is Off, then delete it. Keep the object of a feature that ' +
      'this version does not know.',
    level: 'SHOULD',
    source: 'KEP-3920 #server-flow',
    quote:
      "If a Feature object exists for a feature the server doesn't know about -- due to an upgrade or downgrade " +
      '-- it will be preserved for a number of versions.',
    needs: ['oldObject'],
    why: 'CEL in a CRD is not evaluated on deletions.',
    messages: {
      state: 'the feature is {{state}}, and deleting it loses its state and tasks; delete it once it is Off',
      unavailable:
        'the feature is unavailable in this version, and deleting it loses its state; keep it for a number of versions',
    },
  },
  cel: forFeatures([
    {
      expression: "!(variables.oldStatusState in ['On', 'TurningOn', 'TurningOff'])",
      field: 'status.state',
      messageId: 'state',
      dataExpressions: { state: 'variables.oldStatusState' },
    },
    {
      expression:
        "variables.oldStatusState in ['On', 'TurningOn', 'TurningOff'] || variables.oldStatusStability != " +
        "'Unavailable'",
      field: 'status.stability',
      messageId: 'unavailable',
    },
  ]),
  check({ object }) {
    const status = statusOf(object);
    const state = status?.['state'];
    if (state === 'On' || state === 'TurningOn' || state === 'TurningOff')
      return [{ path: STATE, messageId: 'state', data: { state } }];
    if (status?.['stability'] === 'Unavailable') return [{ path: STABILITY, messageId: 'unavailable' }];
    return [];
  },
});
