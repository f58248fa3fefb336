import type { Json } from '../../../../src/base/json.ts';
import { rule } from '../../../../src/rules/inventory/access-providers.ts';
import { inventory, profile, profileAlpha } from '../../../support/bases.ts';
import { type DenyCase, type RuleCase, testRule } from '../../../support/rule-tester.ts';

const ID = 'inventory/access-providers';
const READERS = 'since everybody who can read the profile can read it';
const MESSAGES = {
  key: `should contain no private key, ${READERS}; remove it and replace the key`,
  token: `should contain no token, ${READERS}; remove it and revoke the token`,
  member: `should contain no secret, ${READERS}; remove it and replace the secret`,
  environment: 'should not set an environment variable that changes which code a program loads; remove it',
  server: 'should be an http or https URL without credentials, such as https://api.example.com:6443',
  twice: 'the name of this provider is listed twice; keep one',
};

type Write = Pick<RuleCase, 'subresource' | 'old' | 'set'>;
const providers = (list: Json, member = 'accessProviders'): Write => ({
  subresource: 'status',
  old: {},
  set: { [`/status/${member}`]: list },
});
/** A provider with one extension, as its program reads it. */
const provider = (extension: Json, name = 'harbour'): Json => ({
  name,
  cluster: { server: 'https://api.example.com:6443', extensions: [{ name: 'exec', extension }] },
});
const holding = (extension: Json): Write => providers([provider(extension)]);
const at = (server: Json): Write => providers([{ name: 'harbour', cluster: { server } }]);

const EXTENSION = 'status.accessProviders[0].cluster.extensions[0].extension';
const SERVER = 'status.accessProviders[0].cluster.server';
const finds = (kind: keyof typeof MESSAGES, field: string): Pick<DenyCase, 'findings'> => ({
  findings: [['warn', field, MESSAGES[kind]]],
});
const inExtension = (kind: keyof typeof MESSAGES, field = '') => finds(kind, `${EXTENSION}${field}`);

// Made here, and of no use anywhere.
const QUIET = 'quiet-7f3a';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const pem = (label: string): string =>
  `-----BEGIN ${label}-----\n${base64(`${QUIET} ${'x'.repeat(90)}`)}\n-----END ${label}-----\n`;
const JWT = `${base64url('{"alg":"none"}')}.${base64url(`{"sub":"${QUIET}"}`)}.${base64url(QUIET)}`;
const UNSIGNED = `${base64url('{"alg":"none"}')}.${base64url(`{"sub":"${QUIET}"}`)}.`;
const KEYS = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'];

/** Each row: what holds a secret, which kind is found, and where in the extension. */
const SECRETS: readonly (readonly [string, Json, keyof typeof MESSAGES, string])[] = [
  ...KEYS.map((label) => [`a PEM file: ${label}`, { key: pem(label) }, 'key', '.key'] as const),
  ...KEYS.map((label) => [`a PEM file in base64: ${label}`, { a: base64(pem(label)) }, 'key', '.a'] as const),
  ['a PEM file in base64 in lines', { a: base64(pem('PRIVATE KEY')).replace(/.{20}/g, '$&\n') }, 'key', '.a'],
  ['a PEM file in base64 after white space', { a: `\n  ${base64(pem('PRIVATE KEY'))}` }, 'key', '.a'],
  ['a PEM file deep down', { a: [{ b: [pem('PRIVATE KEY')] }] }, 'key', '.a[0].b[0]'],
  ['clientKeyData', { clientKeyData: base64(QUIET) }, 'member', '.clientKeyData'],
  ['a token that is a number', { token: 7373 }, 'member', '.token'],
  ['a Token', { Token: QUIET }, 'member', '.Token'],
  ['a password', { user: { username: 'u', password: QUIET } }, 'member', '.user.password'],
  ['a PASSWORD', { PASSWORD: QUIET }, 'member', '.PASSWORD'],
  ['an access token', { access_token: QUIET }, 'member', '.access_token'],
  ['an id token', { idToken: QUIET }, 'member', '.idToken'],
  ['a client secret', { clientSecret: QUIET }, 'member', '.clientSecret'],
  ['a bearer token', { header: `Authorization: Bearer ${QUIET}` }, 'token', '.header'],
  ['a user and a password', { header: `Authorization: Basic ${base64(`u:${QUIET}`)}` }, 'member', '.header'],
  [
    'them in an argument',
    { args: ['-H', `basic words, basic basic ${base64(`user:${QUIET}`)}`] },
    'member',
    '.args[1]',
  ],
  ['a token as the user, without a password', { a: [`Basic ${base64('7f3a:')}`] }, 'member', '.a[0]'],
  ['them as a value', { env: [{ name: 'A', value: `Basic ${base64(`me:${QUIET}`)}` }] }, 'member', '.env[0].value'],
  ['a JWT without a signature', { assertion: UNSIGNED }, 'token', '.assertion'],
  ['an argument with a token', { args: ['--login', `--token=${QUIET}`] }, 'member', '.args[1]'],
  ['a token after the name of its argument', { args: ['exec', '--token', QUIET] }, 'member', '.args[2]'],
  ['a password after its short name', { args: ['-password', QUIET, '-v'] }, 'member', '.args[1]'],
  ['a JWT that ends a sentence', { note: `It is ${JWT}.` }, 'token', '.note'],
  ['LD_PRELOAD', { LD_PRELOAD: `/${QUIET}.so` }, 'environment', '.LD_PRELOAD'],
  [
    'LD_PRELOAD as the first part of a name',
    { [`LD_PRELOAD=/${QUIET}.so:`]: 'x' },
    'environment',
    `[LD_PRELOAD=/${QUIET}.so:]`,
  ],
  ['LD_LIBRARY_PATH, empty', { LD_LIBRARY_PATH: '' }, 'environment', '.LD_LIBRARY_PATH'],
  ['DYLD_INSERT_LIBRARIES', { DYLD_INSERT_LIBRARIES: QUIET }, 'environment', '.DYLD_INSERT_LIBRARIES'],
  ['NODE_OPTIONS', { NODE_OPTIONS: `--require /${QUIET}` }, 'environment', '.NODE_OPTIONS'],
  ['PATH', { PATH: `/${QUIET}` }, 'environment', '.PATH'],
  [
    'PATH in a list of pairs',
    {
      env: [
        { name: 'A', value: 'b' },
        { name: 'PATH', value: QUIET },
      ],
    },
    'environment',
    '.env[1]',
  ],
  ['a URL with a password', { proxy: `http://u:${QUIET}@proxy.example.com:3128` }, 'member', '.proxy'],
  ['one in an argument', { args: [`--proxy=socks5://:${QUIET}@proxy`] }, 'member', '.args[0]'],
  ['a variable with a token', { env: { VAULT_TOKEN: QUIET } }, 'member', '.env.VAULT_TOKEN'],
  ['one in a list of pairs', { env: [{ name: 'GITHUB_TOKEN', value: QUIET }] }, 'member', '.env[0]'],
  ['a variable TOKEN in a list of pairs', { env: [{ name: 'TOKEN', value: QUIET }] }, 'member', '.env[0]'],
  ['a variable with a password in a list of texts', { env: ['A=b', `DB_PASSWORD=${QUIET}`] }, 'member', '.env[1]'],
  ['LD_AUDIT in a list of texts', { env: ['A=b', `LD_AUDIT=${QUIET}`] }, 'environment', '.env[1]'],
];

/** What only looks like a secret. */
const HARMLESS: readonly (readonly [string, Json])[] = [
  ['the name of a cluster', { clusterName: 'harbour-7k2' }],
  ['a certificate authority', { 'certificate-authority-data': base64(pem('CERTIFICATE')) }],
  ['a certificate', { ca: pem('CERTIFICATE') }],
  ['a word about private keys', { note: 'put the PRIVATE KEY into a Secret, after -----BEGIN' }],
  ['base64 cut short within a group of four', { data: 'LS0tLS1CRUdJTiBDRVJUX' }],
  ['a file with a token', { tokenFile: '/var/run/secrets/token' }],
  ['a file with a key', { 'client-key': '/etc/keys/client.pem', client_certificate: '/etc/c.pem' }],
  ['an argument without a token', { args: ['--token', '--verbose'], flags: ['--password', ''], names: ['--token'] }],
  ['the file after the name of its argument', { args: ['--token-file', '/var/run/token'] }],
  ['a file with a password', { passwordFile: '/etc/password' }],
  ['the lifetime of a token', { tokenTTL: '1h', 'token-expiration-seconds': 600 }],
  ['a reference to a Secret', { token: { secretRef: { namespace: 'fleet', name: 'harbour' } } }],
  ['a reference for a password', { password: { valueFrom: { secretKeyRef: { name: 'harbour', key: 'pw' } } } }],
  ['an empty token', { token: '', password: null }],
  ['a word about bearer authentication', { description: 'uses bearer authentication, or a bearer token' }],
  ['a word about basic authentication', { note: 'Basic authentication, as in Authorization: Basic credentials' }],
  ['basic and data without a colon', { note: `basic ${base64(QUIET)}` }],
  ['basic and five letters', { note: 'basic words' }],
  ['basic and a short word that has a colon, decoded', { note: 'Basic Only, or basic Okta' }],
  ['PATH inside a URL', { url: 'https://example.com/PATH/x?PATH=1&LD_PRELOAD=x' }],
  ['a lower path', { path: '/PATH', ld_preload: 'x' }],
  ['names that only begin alike', { LD: 'x', PATHS: 'x', MY_PATH: 'x', NODE_OPTIONS_FILE: 'x' }],
  ['a pair that only begins alike', { env: [{ name: 'PATHS', value: 'x' }, 'MY_PATH=x', 'export PATH'] }],
  ['a variable taken away', { PATH: null }],
  ['a URL with a user', { url: 'https://u@example.com', git: 'ssh://git@example.com:22/a:b' }],
  ['a URL with a port', { url: 'https://example.com:6443/a@b', list: 'https://a:1, https://b:2, c@d' }],
  [
    'a URL with the name of a password',
    { url: 'http://$(USER):$(PASSWORD)@proxy', other: `http://u:${'$'}{PASSWORD}@proxy` },
  ],
  ['a variable with the file of a token', { env: [{ name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: '/var/run/token' }] }],
  ['a variable without a token', { env: [{ name: 'TOKEN', value: '' }, { name: 'TOKEN' }, 'TOKEN=', 'MYTOKEN=x'] }],
  ['a token of another place', { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }] }],
  ['one part of a JWT', { kid: JWT.split('.')[0] ?? '' }],
  ['a name of three parts', { host: 'eyJ.eyJ.example', file: `a.${JWT}`, deep: `${JWT}.b.c` }],
  ['numbers and booleans', { a: 1, b: true, c: [0, false] }],
];

testRule(rule, profile, {
  allow: [
    ...HARMLESS.map(([name, extension]) => ({ name, ...holding(extension) })),
    { name: 'entries that are none, likewise', ...providers([null, 'PATH=x', ['a']]) },
    { name: 'no status', subresource: 'status', old: {}, set: { '/status': undefined } },
    { name: 'entries without a name', ...providers([{ cluster: {} }, { name: null }, {}]) },
    { name: 'http', ...at('http://api.example.com:8080/prefix') },
    { name: 'the longest server', ...at(`https://example.com/${'x'.repeat(2028)}`) },
    { name: 'an InventoryCluster, which has no such field', base: inventory, ...holding({ token: QUIET }) },
  ],
  deny: [
    ...SECRETS.map(([name, extension, kind, field]) => ({ name, ...holding(extension), ...inExtension(kind, field) })),
    {
      name: 'two secrets, in the order of the text',
      ...holding({ a: JWT, b: [{ token: QUIET }], c: pem('PRIVATE KEY') }),
      findings: [
        ['warn', `${EXTENSION}.a`, MESSAGES.token],
        ['warn', `${EXTENSION}.b[0].token`, MESSAGES.member],
        ['warn', `${EXTENSION}.c`, MESSAGES.key],
      ],
    },
    {
      name: 'a secret beside a server that is none and a name that stands twice',
      ...providers([provider({}), { name: 'harbour', cluster: { server: QUIET }, token: QUIET }]),
      findings: [
        ['warn', 'status.accessProviders[1].name', MESSAGES.twice],
        ['warn', 'status.accessProviders[1].cluster.server', MESSAGES.server],
        ['warn', 'status.accessProviders[1].token', MESSAGES.member],
      ],
    },
    { name: 'a host that is none', ...at('https://exa mple.com'), ...finds('server', SERVER) },
    { name: 'a list for the server', ...at(['https://example.com']), ...finds('server', SERVER) },
    { name: 'a user', ...at(`https://${QUIET}@example.com`), ...finds('server', SERVER) },
    { name: 'a password in the server', ...at(`https://:${QUIET}@example.com`), ...finds('server', SERVER) },
    {
      name: 'a password in the URL of the proxy',
      ...providers([
        { name: 'harbour', cluster: { server: 'https://a.example.com', 'proxy-url': `http://u:${QUIET}@proxy` } },
      ]),
      ...finds('member', 'status.accessProviders[0].cluster.proxy-url'),
    },
    { name: 'a server too long', ...at(`https://example.com/${'x'.repeat(2029)}`), ...finds('server', SERVER) },
    {
      name: 'the older name of the list',
      base: profileAlpha,
      ...providers([provider({ token: QUIET })], 'credentialProviders'),
      ...finds('member', 'status.credentialProviders[0].cluster.extensions[0].extension.token'),
    },
    {
      name: 'both lists',
      subresource: 'status',
      old: {},
      set: { '/status/credentialProviders': [{ token: QUIET }], '/status/accessProviders': [{ password: QUIET }] },
      findings: [
        ['warn', 'status.accessProviders[0].password', MESSAGES.member],
        ['warn', 'status.credentialProviders[0].token', MESSAGES.member],
      ],
    },
    {
      name: 'a warning where configured to deny: health reports must not freeze',
      ...holding({ token: QUIET }),
      actions: { [ID]: 'deny' },
      ...inExtension('member', '.token'),
    },
  ],
});
