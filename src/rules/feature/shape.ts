import { featureSpec, featureStatusScalars, featureUse, featureUseKeys, transitionTask } from '../../api/feature.ts';
import { specOf } from '../../base/object.ts';
import { celOfShapes, OMITTED_FROM_LISTS } from '../cel/shape-validations.ts';
import { defineRule, type Shape } from '../rule.ts';

const SHAPES: readonly Shape[] = [
  // The API server prunes or refuses unknown fields of the spec. In `muster check`, the rule reports them (below).
  { subresource: '', at: ['spec'], schema: { ...featureSpec, additionalProperties: true } },
  { subresource: 'status', at: ['status'], schema: featureStatusScalars },
  { subresource: 'status', at: ['status', 'transitionTasks'], schema: transitionTask, each: { keys: [] } },
  { subresource: 'status', at: ['status', 'uses'], schema: featureUse, each: { keys: featureUseKeys } },
];

export const rule = defineRule({
  id: 'feature/shape',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
  meta: {
    summary: 'Every field of a Feature has the right type and one of the allowed values.',
    fix:
      'Correct the field to the type or value that the message names. Quote On and Off in YAML: kubectl reads them ' +
      'as booleans.',
    level: 'MUST',
    source: 'KEP-3920 #api',
    quote: 'There will be at least four states: On, Off, TurningOn, and TurningOff.',
    why: 'The CRD has this too; the rule is for check, and for clusters whose CRD is less strict.',
    code: 422,
    messages: {
      type: 'must be {{expected}}, got {{found}}',
      'type:unquoted': 'must be {{expected}}, got {{found}}; put it in quotes',
      enum: 'must be one of {{allowed}}, got "{{value}}"',
      'enum:boolean':
        'must be one of {{allowed}}, got {{found}}: YAML reads an unquoted On, Off, yes or no as a boolean; put ' +
        'it in quotes',
      format: 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z, got "{{value}}"',
      required: 'is missing; every entry of uses has version, enabled and reportTime',
      duplicate: 'the list has two entries for {{value}} (version and enabled); keep one',
      unknown: 'is not a field of a feature; remove it, or correct its name (the only field is desired)',
    },
  },
  cel: { omits: OMITTED_FROM_LISTS, byDialect: { feature: celOfShapes(SHAPES) } },
  shapes: SHAPES,
  check({ object, point, subresource }) {
    if (point !== 'check' || subresource !== '') return [];
    const spec = specOf(object);
    if (spec === undefined) return [];
    const unknown = Object.keys(spec).filter(
      (key) => !Object.hasOwn(featureSpec.properties, key) && spec[key] !== null,
    );
    return unknown.map((key) => ({ path: ['spec', key], messageId: 'unknown' }));
  },
});
