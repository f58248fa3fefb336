/** What inventory/condition-times says in CEL: each condition beside the stored one of its type. */
import type { CelExpressions, CelValidation } from './cel.ts';
import { isDateTime, member, readList, same } from './text.ts';

const STATUS = member('e', 'status');
const TIME = member('e', 'lastTransitionTime');
/** At the ends of what CEL calls a time a zone would lead beyond: those years are left alone. */
const readable = (time: string): string => `(${isDateTime(time)} && !${time}.matches('^(000[01]|9999)'))`;
/** The stored conditions of the type: one, or nothing is reported. */
const BEFORE = "variables.oldStatusConditionsList.filter(o, type(o) == map && 'type' in o && o.type == e.type)";
const OLD_STATUS = member('o', 'status');
const OLD_TIME = member('o', 'lastTransitionTime');
const SAME_STATUS = same(STATUS, OLD_STATUS, 8);
const SAME_TIME = `timestamp(${TIME}) == timestamp(${OLD_TIME})`;

const times = (messageId: 'kept' | 'moved'): CelValidation => {
  const wrong = messageId === 'kept' ? `!${SAME_STATUS} && ${SAME_TIME}` : `${SAME_STATUS} && !(${SAME_TIME})`;
  return {
    expression: `variables.statusConditionsList.all(e, type(e) != map || type(${member('e', 'type')}) != string || [${BEFORE}].all(b, size(b) != 1 || b.all(o, !${readable(TIME)} || !${readable(OLD_TIME)} || !(${wrong}))))`,
    field: 'status.conditions[].lastTransitionTime',
    messageId,
    data: { type: '…', status: '…' },
  };
};

export const CONDITION_TIMES: CelExpressions = {
  variables: readList(['status', 'conditions']),
  validations: [times('kept'), times('moved')],
};
