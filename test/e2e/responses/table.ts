/** Odd answers of a webhook, and what the API server makes of each: under Fail, and under Ignore where that differs. */
import type { Json } from '../harness/index.ts';
import type { Path } from './registration.ts';
import { review, reviewOf, type Script, sendJson } from './scripted-webhook.ts';

export interface Outcome {
  readonly status: number;
  readonly message?: RegExp | string;
  readonly reason?: string;
  readonly details?: Json;
  /** Default: none. */
  readonly warnings?: readonly string[];
  /** Calls of the webhook; default 1. */
  readonly calls?: number;
}

export interface OddAnswer {
  readonly title: string;
  readonly path?: Path;
  readonly script: Script;
  readonly fail: Outcome;
  /** Default: as under Fail. */
  readonly ignore?: Outcome;
}

const admitted: Outcome = { status: 201 };
/** Not a verdict: refused under Fail, admitted under Ignore. */
const failure = (message: RegExp, more: Partial<Outcome> = {}) => ({
  fail: { status: 500, reason: 'InternalError', message, ...more },
  ignore: admitted,
});
const deny = (status: Json, more: Json = {}) => review({ allowed: false, status, ...more });
const denial: Json = { allowed: false, status: { code: 403, message: 'no' } };
const http =
  (status: number, headers: Record<string, string> = {}): Script =>
  (call, response) =>
    sendJson(response, status, reviewOf({ uid: call.request.uid, ...denial }), headers);
/** So often the one, then admitted. */
const first =
  (times: number, odd: Script): Script =>
  (call, response) =>
    (call.count <= times ? odd : review({ allowed: true }))(call, response);
const raw =
  (text: string): Script =>
  (_, response) =>
    sendJson(response, 200, text);
const warn = (...warnings: string[]) => review({ allowed: true, warnings });
const patch = (operations: Json) => Buffer.from(JSON.stringify(operations)).toString('base64');
const addLabel = patch([{ op: 'add', path: '/metadata/labels/added', value: 'yes' }]);

export const answers: readonly OddAnswer[] = [
  {
    title: '`allowed` missing: a denial without explanation',
    script: review({}),
    fail: { status: 400, message: /denied the request without explanation$/ },
  },
  { title: 'another uid', script: review({ uid: 'other', allowed: true }), ...failure(/uid/) },
  {
    title: 'no response in the review',
    script: raw(JSON.stringify({ ...reviewOf({}), response: undefined })),
    ...failure(/response/),
  },
  { title: 'HTTP 403 with a denial in it: no verdict', script: http(403), ...failure(/failed calling webhook/) },
  { title: 'HTTP 400 with a denial in it: no verdict', script: http(400), ...failure(/failed calling webhook/) },
  { title: 'HTTP 500: not tried again', script: http(500), ...failure(/failed calling webhook/) },
  { title: 'HTTP 503: not tried again', script: http(503), ...failure(/failed calling webhook/) },
  { title: 'HTTP 429: not tried again', script: http(429), ...failure(/failed calling webhook/) },
  ...[429, 500, 503].map((status) => ({
    title: `HTTP ${status} with Retry-After: tried again`,
    script: first(1, http(status, { 'retry-after': '1' })),
    fail: { ...admitted, calls: 2 },
  })),
  { title: 'HTTP 201 with a denial in it: a verdict', script: http(201), fail: { status: 403, message: /: no$/ } },
  { title: 'an empty body', script: raw(''), ...failure(/failed calling webhook/) },
  {
    title: 'half a body',
    script: (call, response) =>
      raw(JSON.stringify(reviewOf({ uid: call.request.uid, allowed: true })).slice(0, -9))(call, response),
    ...failure(/failed calling webhook/),
  },
  {
    title: 'another apiVersion than asked for',
    script: (call, response) =>
      sendJson(response, 200, {
        ...reviewOf({ uid: call.request.uid, allowed: true }),
        apiVersion: 'admission.k8s.io/v1beta1',
      }),
    ...failure(/failed calling webhook|expected/),
  },
  {
    title: 'no apiVersion and kind',
    script: (call, response) => sendJson(response, 200, { response: { uid: call.request.uid, allowed: true } }),
    ...failure(/failed calling webhook/),
  },
  {
    title: 'a closed connection',
    script: (_, response) => void response.destroy(),
    ...failure(/EOF|connection reset/),
  },
  { title: 'no answer in time', script: () => {}, ...failure(/context deadline exceeded|timeout/i) },
  {
    title: 'a patch from the validating path',
    script: review({ allowed: true, patch: addLabel, patchType: 'JSONPatch' }),
    ...failure(/may not/),
  },
  {
    title: 'a patch without patchType',
    path: 'mutate',
    script: review({ allowed: true, patch: addLabel }),
    ...failure(/patchType/),
  },
  {
    title: 'a patchType without a patch',
    path: 'mutate',
    script: review({ allowed: true, patchType: 'JSONPatch' }),
    ...failure(/patch/),
  },
  {
    title: 'a patch that can not be applied: refused, even under Ignore',
    path: 'mutate',
    script: review({ allowed: true, patchType: 'JSONPatch', patch: patch([{ op: 'remove', path: '/none' }]) }),
    fail: { status: 500, message: /remove/ },
  },
  {
    title: 'code, reason and details are kept; the message is prefixed',
    script: deny({
      code: 403,
      reason: 'Forbidden',
      message: 'why',
      details: { kind: 'k', causes: [{ field: 'spec.x', message: 'm' }] },
    }),
    fail: {
      status: 403,
      reason: 'Forbidden',
      message: 'admission webhook "POLICY.validate.script" denied the request: why',
      details: { kind: 'k', causes: [{ field: 'spec.x', message: 'm' }] },
    },
  },
  {
    title: 'a denial with a code below 400',
    script: deny({ code: 200, message: 'why' }),
    fail: { status: 400, message: /: why$/ },
  },
  {
    title: 'control characters in a message come through',
    script: deny({ code: 403, message: 'a\u001b[31mb\nc' }),
    fail: {
      status: 403,
      message: 'admission webhook "POLICY.validate.script" denied the request: a\u001b[31mb\nc',
    },
  },
  {
    title: 'warnings are shown with a denial too',
    script: deny({ code: 403, message: 'why' }, { warnings: ['careful'] }),
    fail: { status: 403, message: /: why$/, warnings: ['careful'] },
  },
  {
    title: 'a prefix "Warning:" stays, and reads twice',
    script: warn('Warning: careful'),
    fail: { ...admitted, warnings: ['Warning: careful'] },
  },
  {
    title: 'a control character drops that warning, silently',
    script: warn('a\u0001b', 'kept'),
    fail: { ...admitted, warnings: ['kept'] },
  },
  {
    title: 'the same warning twice is shown once',
    script: warn('again', 'again'),
    fail: { ...admitted, warnings: ['again'] },
  },
  {
    title: 'a long warning is kept whole while all are within 4096 runes',
    script: warn('ä'.repeat(1000)),
    fail: { ...admitted, warnings: ['ä'.repeat(1000)] },
  },
  {
    title: 'above 4096 runes in all, each is cut to 256 runes',
    script: warn(...['a', 'ä', '…', 'b', 'c'].map((letter) => letter.repeat(1000))),
    fail: { ...admitted, warnings: ['a', 'ä', '…', 'b', 'c'].map((letter) => letter.repeat(256)) },
  },
];
