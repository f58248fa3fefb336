import { at, isUnquoted, type Path } from '../../base/json.ts';
import { matches } from '../cel/expressions.ts';
import { forInventory } from '../cel/inventory.ts';
import { defineRule, STATUS_WRITES } from '../rule.ts';
import { neverFreezesStatus } from './inventory-fields.ts';

const VERSION: Path = ['status', 'version', 'kubernetes'];
/**
 * At least a major and a minor version. Vendors may append text (`-gke.100`, `+k3s1`, `28+`) without a separator at its
 * end.
 */
const READS = /^v?\d{1,9}(\.\d{1,9})+([-+~][0-9A-Za-z.+~_-]*)?(?<=[0-9A-Za-z+])$/;
const LONGEST = 256;

/** The same in RE2, which has no lookbehind. */
const VERSION_PATTERN = '^v?[0-9]{1,9}([.][0-9]{1,9})+([+]|[-+~][0-9A-Za-z.+~_-]*[0-9A-Za-z+])?$';

export const rule = defineRule({
  id: 'inventory/version',
  ...STATUS_WRITES,
  meta: {
    summary: 'The Kubernetes version of a cluster looks like a version.',
    fix: 'Write the version that the cluster\'s API server reports, as a string: "v1.31.2".',
    level: 'SHOULD',
    source: 'KEP-4322 #version',
    quote:
      'Versions of the kubernetes can let consumers understand the capability of the kubernetes, such as what ' +
      'API is supported.',
    why: 'A health report must not be refused for an odd version, and a CRD can only refuse.',
    code: 422,
    messages: {
      unreadable: 'should be a version, such as 1.31.2 or v1.31.2-gke.100, got "{{value}}"',
      unquoted: 'should be a version as a string, got {{value}}; put it in quotes (YAML reads an unquoted 1.30 as 1.3)',
    },
  },
  cel: forInventory([
    {
      expression:
        `variables.version == null || ${matches('variables.version', VERSION_PATTERN, LONGEST)} || ` +
        'variables.versionStays',
      field: 'status.version.kubernetes',
      messageId: 'unreadable',
      dataExpressions: { value: 'variables.version' },
    },
  ]),
  capAction: neverFreezesStatus,
  check({ object }) {
    const value = at(object, VERSION);
    if (value === undefined || (typeof value === 'string' && value.length <= LONGEST && READS.test(value))) return [];
    return [{ path: VERSION, messageId: isUnquoted(value) ? 'unquoted' : 'unreadable', data: { value } }];
  },
});
