import { notInCel } from '../cel/expressions.ts';
import { defineRule, NAME } from '../rule.ts';

export const rule = defineRule({
  id: 'claim/qualified-name',
  on: ['CREATE'],
  meta: {
    summary: 'The name of a custom claim contains a domain, so that tools do not use the same name.',
    fix: 'Add a domain that you own to the name, such as region.example.com.',
    level: 'ADVICE',
    source: 'KEP-2149 #additional-claims',
    quote:
      'Implementers are free to add additional claims as they see fit, so long as they do not conflict with the ' +
      'well known claims.',
    why: 'A CRD can only refuse, not advise.',
    code: 422,
    messages: {
      bare:
        'should contain a domain, such as {{name}}.example.com, so that no two tools use the same name, got ' +
        '"{{name}}"',
    },
  },
  cel: notInCel.advice,
  check({ name }) {
    // The well-known names contain a domain, too.
    if (name === '' || name.includes('.')) return [];
    return [{ path: NAME, messageId: 'bare', data: { name } }];
  },
});
