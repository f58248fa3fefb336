import { at, type Path } from '../../base/json.ts';
import { listLiteral } from '../cel/expressions.ts';
import { forImports } from '../cel/service.ts';
import { defineRule } from '../rule.ts';
import { isHeadless, unlessEmpty } from './import-fields.ts';

const SESSION_AFFINITY: Path = ['spec', 'sessionAffinity'];
const VALUES = ['ClientIP', 'None'];

export const rule = defineRule({
  id: 'import/session-affinity',
  on: ['CREATE', 'UPDATE'],
  dialects: ['service-import'],
  meta: {
    summary: 'The session affinity of a ServiceImport is ClientIP or None.',
    fix: 'Set spec.sessionAffinity to ClientIP or None, or leave it out, which means None.',
    level: 'MUST',
    // Imports are written by a controller: if they were refused, users would have no service at all.
    pointLevels: { webhook: 'SHOULD' },
    basis: 'upstream',
    source: 'mcs-api v0.5.2, ServiceImportSpec.sessionAffinity',
    quote: 'Must be ClientIP or None.',
    why: 'The CRD belongs to another project and takes any text.',
    code: 422,
    messages: { value: 'must be ClientIP or None, got "{{value}}"; leave it out for None' },
  },
  cel: forImports([
    {
      expression:
        `variables.isHeadless || variables.specSessionAffinity == null || ` +
        `variables.specSessionAffinity in ${listLiteral(['', ...VALUES])} || ` +
        '(variables.specSessionAffinityStays && !variables.oldIsHeadless)',
      field: 'spec.sessionAffinity',
      messageId: 'value',
      dataExpressions: { value: 'variables.specSessionAffinity' },
    },
  ]),
  check({ object }) {
    const value = unlessEmpty(at(object, SESSION_AFFINITY));
    if (value === undefined || VALUES.some((one) => one === value) || isHeadless(object)) return [];
    return [{ path: SESSION_AFFINITY, messageId: 'value', data: { value } }];
  },
});
