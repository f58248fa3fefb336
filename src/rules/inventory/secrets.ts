/**
 * Recognizes data that must not be published: keys, tokens, passwords, and environment variables that change which code
 * a program loads.
 */
import { isObject, type Json, type JsonObject, type Path } from '../../base/json.ts';

/** Where a secret is; never its value. */
export interface Secret {
  readonly path: Path;
  readonly kind: 'key' | 'token' | 'member' | 'environment';
}

/** Members whose value is always a secret. Case and punctuation of the name do not matter. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'clientkeydata',
  'token',
  'password',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'bearertoken',
  'clientsecret',
]);
/**
 * Names of environment variables that change which code a program loads. A program that gets a variable called `A=b:`
 * reads one called `A`.
 */
export const LOADER = /^(LD_\w+|DYLD_\w+|NODE_OPTIONS|PATH)(?:=|$)/;
/** A command-line argument with a secret. */
const ARGUMENT = /^--?(?:[a-z]+-)?(?:token|password|client-key-data|client-secret)=./i;
/** A command-line argument before one that is a secret. */
const ARGUMENT_NAME = /^--?(?:[a-z]+-)?(?:token|password|client-key-data|client-secret)$/i;
/** The name of an environment variable whose value is a secret, such as `VAULT_TOKEN`. */
const SECRET_VARIABLE = /^(?:[A-Z\d]+_)*(?:TOKEN|PASSWORD|CLIENT_SECRET)$/;
/** An environment variable as a list of texts has it, `A=b`: its name, and the first character of its value. */
const VARIABLE_SET = /^(\w+)=(.?)/;
/**
 * A URL with a user and a password. A password such as `$(PASSWORD)` is the name of a variable. The search starts only
 * at the beginning of a scheme, or it would take quadratic time.
 */
const URL_WITH_PASSWORD = /(?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s/?#:@]*:(?!\$[({])[^\s/?#@]+@/i;
const PEM_KEY = /-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----/;
/**
 * A JWT: three parts in base64url, of which the first two are JSON objects, so that they begin with `eyJ`. The search
 * starts only at the beginning of a word, or it would take quadratic time. A full stop may follow.
 */
const JWT = /(?<![\w.-])eyJ[\w-]+\.eyJ[\w-]*\.[\w-]*\.?(?![\w.-])/;
const BEARER = /\bbearer\s+(?=[\w.~+/-]*\d)[\w.~+/-]{6,}/i;
/**
 * A user and a password in base64, as in `Authorization: Basic …`: at least five characters, since a shorter word
 * may happen to have a colon, decoded, as `Only` and `Okta` have.
 */
const BASIC = /\bbasic\s+(?=([A-Za-z0-9+/]{7,1024}))/gi;
/** A user has no colon. With one in the first part, the search would take quadratic time. */
const USER_AND_PASSWORD = /^[\x20-9;-~]*:[\x20-~]*$/;
const BASE64_OF_PEM = 'LS0tLS1CRUdJTi';
/** The characters of base64 that are decoded: enough for the first line of a PEM file. */
const FIRST_LINE = 88;

/** The most secrets of a status that are listed: far more than a person reads. Each has a path of up to 200 steps. */
export const MOST_SECRETS = 256;

/** Returns the secrets below a value, in the order of the text; the first `most` of them. */
export function secretsIn(root: Json, at: Path, most = MOST_SECRETS): Secret[] {
  const secrets: Secret[] = [];
  const waiting: Member[] = [{ step: at.at(-1), value: root }];
  for (let next = waiting.pop(); next !== undefined && secrets.length < most; next = waiting.pop()) {
    const { value, before, step } = next;
    const kind = isArgumentOf(before, value) ? 'member' : kindOf(value, step);
    if (kind !== undefined) secrets.push({ path: [...at, ...stepsTo(next)], kind });
    else if (typeof value === 'object' && value !== null)
      // In reverse order, since the loop takes members from the end. Pushed one by one, since the number of arguments
      // of a call is limited.
      for (const member of membersOf(value, next).reverse()) waiting.push(member);
  }
  return secrets;
}

/** A value with its place. A path of its own for each of many thousand values, 200 levels deep, takes a second. */
interface Member {
  readonly value: Json;
  readonly step: string | number | undefined;
  /** The list or object that has it; undefined for the root. */
  readonly parent?: Member;
  /** In a list, the item before it. */
  readonly before?: Json | undefined;
}

function membersOf(value: object, parent: Member): Member[] {
  if (Array.isArray(value)) return value.map((item, step) => ({ value: item, step, parent, before: value[step - 1] }));
  return Object.entries(value).map(([step, member]) => ({ value: member as Json, step, parent }));
}

/** Returns the steps from the root to a value. */
function stepsTo(member: Member): Path {
  const steps: (string | number)[] = [];
  for (let { step, parent } = member; parent !== undefined && step !== undefined; { step, parent } = parent)
    steps.push(step);
  return steps.reverse();
}

/** Whether a text is the secret of the argument before it. */
function isArgumentOf(name: Json | undefined, value: Json): boolean {
  if (typeof name !== 'string' || typeof value !== 'string') return false;
  return ARGUMENT_NAME.test(name) && value !== '' && !value.startsWith('-');
}

function kindOf(value: Json, member: string | number | undefined): Secret['kind'] | undefined {
  if (typeof member === 'string') {
    if (LOADER.test(member) && value !== null) return 'environment';
    const isSecret = SECRET_VARIABLE.test(member) || SECRET_MEMBERS.has(member.toLowerCase().replace(/[-_.]/g, ''));
    if (isSecret && isFilled(value)) return 'member';
  }
  if (isObject(value)) return kindOfVariable(value);
  return typeof value === 'string' ? kindOfText(value) : undefined;
}

/** Judges an environment variable: `{ name: A, value: b }` in a list. */
function kindOfVariable({ name, value = null }: JsonObject): Secret['kind'] | undefined {
  if (typeof name !== 'string') return undefined;
  if (LOADER.test(name)) return 'environment';
  return SECRET_VARIABLE.test(name) && isFilled(value) ? 'member' : undefined;
}

/** Whether there is a value. An object counts as none: it is a reference to a secret. */
function isFilled(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function kindOfText(text: string): Secret['kind'] | undefined {
  if (PEM_KEY.test(text) || isEncodedKey(text)) return 'key';
  const [, name = '', value = ''] = VARIABLE_SET.exec(text) ?? [];
  const ofVariable = kindOfVariable({ name, value });
  if (ofVariable !== undefined) return ofVariable;
  if (ARGUMENT.test(text) || hasUserAndPassword(text) || URL_WITH_PASSWORD.test(text)) return 'member';
  return BEARER.test(text) || JWT.test(text) ? 'token' : undefined;
}

function isEncodedKey(text: string): boolean {
  const start = text.trimStart();
  if (!start.startsWith(BASE64_OF_PEM)) return false;
  return PEM_KEY.test(decoded(start.slice(0, FIRST_LINE).replace(/[^A-Za-z0-9+/]/g, '')));
}

/** Whether credentials follow the word `basic`: another word has no colon, decoded. */
function hasUserAndPassword(text: string): boolean {
  return [...text.matchAll(BASIC)].some(([, credentials = '']) => USER_AND_PASSWORD.test(decoded(credentials)));
}

/** Decodes base64 without padding. One last character is less than a byte, and is left out. */
function decoded(base64: string): string {
  return atob(base64.length % 4 === 1 ? base64.slice(0, -1) : base64);
}
