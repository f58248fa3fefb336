import { type Path, textAt } from '../../base/json.ts';
import { isDnsSubdomain } from '../../base/syntax.ts';
import { isDnsSubdomain as celSubdomain } from '../cel/expressions.ts';
import { forFeatures } from '../cel/feature.ts';
import { defineRule, type RuleResult, STATUS_WRITES } from '../rule.ts';

const CLASS: Path = ['status', 'class'];
const NAME: Path = ['status', 'name'];
const CEL_DOMAIN =
  `(size(variables.statusClass) <= 253 && variables.statusClass.contains('.') && ` +
  `${celSubdomain('variables.statusClass.lowerAscii()')})`;

export const rule = defineRule({
  id: 'feature/class-and-name',
  ...STATUS_WRITES,
  meta: {
    summary: 'The status of a Feature repeats its namespace as class and its name as name.',
    fix:
      "Set status.class to the namespace (or to a domain, for a third party's feature) and status.name to the name " +
      'of the object.',
    level: 'SHOULD',
    source: 'KEP-3920 #api-type (commit cc13a7dde)',
    quote: '`class` should match `metadata.namespace`.',
    why: "CEL in a CRD does not see an object's namespace.",
    code: 422,
    messages: {
      class: 'should be the namespace "{{namespace}}" (or the domain of a third party), got "{{value}}"',
      name: 'should be the name "{{name}}" (upper or lower case), got "{{value}}"',
    },
  },
  cel: forFeatures([
    {
      expression:
        'type(variables.statusClass) != string || variables.statusClass == object.metadata.namespace || ' +
        `${CEL_DOMAIN} || variables.statusClassStays`,
      field: 'status.class',
      messageId: 'class',
      dataExpressions: { namespace: 'object.metadata.namespace', value: 'variables.statusClass' },
    },
    {
      expression:
        'type(variables.statusName) != string || variables.statusName.lowerAscii() == object.metadata.name || ' +
        'variables.statusNameStays',
      field: 'status.name',
      messageId: 'name',
      dataExpressions: { name: 'object.metadata.name', value: 'variables.statusName' },
    },
  ]),
  check({ object, name, namespace }) {
    const classOf = textAt(object, CLASS);
    const called = textAt(object, NAME);
    const strange = classOf !== undefined && classOf !== namespace && !isDomainName(classOf);
    // Features have names such as OpenAPIV3, and names of objects are in lower case.
    const misnamed = called !== undefined && called !== name && called.toLowerCase() !== name.toLowerCase();
    const found: RuleResult[] = [];
    if (strange) found.push({ path: CLASS, messageId: 'class', data: { namespace, value: classOf } });
    if (misnamed) found.push({ path: NAME, messageId: 'name', data: { name, value: called } });
    return found;
  },
});

/** Whether a text is a domain name, in any case. It has a dot, so it can't be the name of a namespace. */
function isDomainName(text: string): boolean {
  return text.includes('.') && isDnsSubdomain(text.toLowerCase());
}
