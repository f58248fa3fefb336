import { isObject, type Json, type JsonObject, listOf, textOf } from '../../base/json.ts';
import { statusOf } from '../../base/object.ts';
import { defineRule, type RuleResult, STATUS_WRITES } from '../rule.ts';
import { neverFreezesStatus } from './inventory-fields.ts';
import { MOST_SECRETS, secretsIn } from './secrets.ts';

/** The field, and the name that it had in v1alpha1. */
const MEMBERS = ['accessProviders', 'credentialProviders'];

export const rule = defineRule({
  id: 'inventory/access-providers',
  ...STATUS_WRITES,
  dialects: ['cluster-profile'],
  meta: {
    summary: 'Access providers contain no secrets, no dangerous environment and only valid server addresses.',
    fix:
      'Remove the secret, replace it where it is used, and have an exec plugin obtain the credentials. Write ' +
      'servers as https://HOST:PORT, and list each provider once.',
    level: 'SHOULD',
    basis: 'upstream',
    source: 'cluster-inventory-api, KEP-4322 #standardizing-the-provider-definition (commit 3a8eb262)',
    quote: 'It also cannot contain any data considered a secret',
    why: 'The data of a provider is free-form, and the CRD belongs to another project.',
    code: 422,
    messages: {
      key:
        'should contain no private key, since everybody who can read the profile can read it; remove it and ' +
        'replace the key',
      token:
        'should contain no token, since everybody who can read the profile can read it; remove it and revoke the token',
      member:
        'should contain no secret, since everybody who can read the profile can read it; remove it and replace ' +
        'the secret',
      environment: 'should not set an environment variable that changes which code a program loads; remove it',
      server: 'should be an http or https URL without credentials, such as https://api.example.com:6443',
      twice: 'the name of this provider is listed twice; keep one',
    },
  },
  cel: { reason: 'a search: the data of a provider is free-form, and CEL has no recursion' },
  capAction: neverFreezesStatus,
  check: ({ object }) => problemsIn(object),
});

/** Whether the access providers of an object may hold a secret, whatever is configured and was there before. */
export function mayHoldSecret(object: JsonObject): boolean {
  return problemsIn(object).some((problem) => 'messageId' in problem && problem.messageId !== 'twice');
}

function problemsIn(object: JsonObject): RuleResult[] {
  const status = statusOf(object);
  if (status === undefined) return [];
  const secretLimit = { left: MOST_SECRETS };
  return MEMBERS.flatMap((member) => problemsOf(listOf(status[member]), member, secretLimit));
}

/** @param secretLimit how many more secrets are reported, of all providers of the object together */
function problemsOf(providers: readonly Json[], member: string, secretLimit: { left: number }): RuleResult[] {
  const names = new Set<string>();
  return providers.flatMap((provider, index) => {
    const path = ['status', member, index];
    if (!isObject(provider)) return [];
    const { cluster } = provider;
    const found: RuleResult[] = [];
    const name = textOf(provider['name']);
    if (name !== undefined && names.has(name)) found.push({ path: [...path, 'name'], messageId: 'twice' });
    if (name !== undefined) names.add(name);
    const server = isObject(cluster) ? (cluster['server'] ?? '') : '';
    if (server !== '' && !isAddress(server)) found.push({ path: [...path, 'cluster', 'server'], messageId: 'server' });
    const secrets = secretsIn(provider, path, secretLimit.left);
    secretLimit.left -= secrets.length;
    return found.concat(secrets.map((secret) => ({ path: secret.path, messageId: secret.kind })));
  });
}

/** The longest address that is parsed. */
const LONGEST = 2048;

function isAddress(server: Json): boolean {
  if (typeof server !== 'string' || server.length > LONGEST || !/^https?:\/\/[^\s/?#]/i.test(server)) return false;
  const url = URL.parse(server);
  return url !== null && url.username === '' && url.password === '';
}
