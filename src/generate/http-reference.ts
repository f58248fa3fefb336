/** The reference of HTTP, docs/reference/http.md. Its responses are those that the code of the server makes of some reviews. */

import { mutationOf } from '../engine/manager-label.ts';
import type { ReviewRequest } from '../engine/review.ts';
import { createEngine, subjectOf, unknownView, viewOf } from '../index.ts';
import type { ClusterView, Operation } from '../rules/rule.ts';
import {
  encode,
  evaluated,
  failed,
  overdue,
  patched,
  type ReviewResponse,
  skipped,
  unreadable,
} from '../server/admission/respond.ts';
import type { Artifact } from './artifact.ts';
import { page } from './markdown.ts';

const ENDPOINTS = `| listener | endpoint | response |
|---|---|---|
| HTTPS, \`--port\` | \`POST /validate\` | 200 with an AdmissionReview: a verdict, never a patch |
| HTTPS, \`--port\` | \`POST /mutate\` | 200 with an AdmissionReview: allowed, with a patch where a label is needed |
| HTTP, \`--ops-port\` | \`GET /livez\` | 200 \`ok\` while the process serves |
| HTTP, \`--ops-port\` | \`GET /readyz\` | 200 \`ok\`, or 503 with each check on a line; \`?verbose\` lists the checks of a ready server too |
| HTTP, \`--ops-port\` | \`GET /metrics\` | 200 with the [metrics](metrics.md), in OpenMetrics where the \`Accept\` header asks for it |

\`/validate\` and \`/mutate\` read an AdmissionReview of \`admission.k8s.io/v1\`, with any \`Content-Type\`. \`?timeout=5s\`, which the API server adds, is the deadline of the verdict.`;

const OTHER = `After these, the API server follows the \`failurePolicy\` of the webhook.

| status | when |
|---|---|
| 404, 405 | another path; a method other than POST |
| 400, 408, 431 | the request is not HTTP, takes too long to arrive, or has headers that are too large |
| 503 with \`Retry-After: 1\` | too many requests at once ([limits](../operations.md#limits)) |`;

const ID = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterClaim',
  metadata: { name: 'id.k8s.io' },
  spec: { value: 'east-1' },
};
const MEMBERSHIP = { ...ID, metadata: { name: 'clusterset.k8s.io' }, spec: { value: 'harbor' } };
const INVENTORY_CLUSTER = {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'InventoryCluster',
  metadata: { name: 'east', namespace: 'fleet' },
  spec: { clusterManager: { name: 'depot' } },
};
const withValue = (value: string) => ({ ...ID, spec: { value } });

const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';
const REQUEST = requestFor(ID);

/** Returns the page. */
export async function httpReference(): Promise<Artifact> {
  const member = { oldObject: ID, operation: 'UPDATE' } as const;
  const joined = viewOf([ID, MEMBERSHIP]);
  const responses: readonly [title: string, text: string, response: ReviewResponse][] = [
    ['Allowed', 'No rule has a finding that denies.', await verdictOn(ID, joined)],
    [
      'Allowed, with a warning',
      'Here an id changes while the cluster is in no ClusterSet.',
      await verdictOn(withValue('east-2'), viewOf([ID]), member),
    ],
    [
      'Denied: 422',
      'The object is malformed. 409 (`AlreadyExists`) is the same for a name or an id that another object has.',
      await verdictOn(withValue('East 1'), joined),
    ],
    [
      'Denied: 403',
      'The write is not permitted. Any such finding makes the code 403, whatever the others are.',
      await verdictOn(withValue('east-2'), joined, member),
    ],
    [
      'Indeterminate: 503',
      "A rule that denies lacks information, here because the cluster can't be read. kubectl tries again.",
      await verdictOn(withValue('east-2'), unknownView, member),
    ],
    ['Overdue: 503', 'There is no verdict within the deadline of the request.', overdue(REQUEST)],
    ['Internal error: 500', 'A bug of muster. The log has the same reference.', failed(UID, '4f9a1c', REQUEST)],
    [
      'Unreadable: 400',
      'The body is not a valid AdmissionReview.',
      unreadable(UID, 'request.operation: expected one of CREATE, UPDATE, DELETE, CONNECT'),
    ],
    ['Not evaluated', 'No rule applies to this kind or subresource.', skipped(REQUEST)],
    ['Patched', 'Only on `/mutate`: `patch` is a JSON Patch in base64.', patchOf(INVENTORY_CLUSTER)],
  ];
  const sections = responses.flatMap(([title, text, response]) => [`### ${title}`, text, json(encode(response))]);
  return page('docs/reference/http.md', 'the responses of src/server/admission', [
    '# HTTP',
    ENDPOINTS,
    '## Verdicts',
    'Each of these is HTTP status 200. `status.code` is what the client of the API server gets.',
    ...sections,
    '## No verdict',
    OTHER,
  ]);
}

interface Write {
  readonly oldObject?: object;
  readonly operation?: Operation;
}

async function verdictOn(object: typeof ID, view: ClusterView, write: Write = {}): Promise<ReviewResponse> {
  const verdict = await createEngine({ point: 'webhook' }).evaluate(evaluable(object, write), view);
  return evaluated(requestFor(object), verdict);
}

function patchOf(object: typeof INVENTORY_CLUSTER): ReviewResponse {
  return patched(requestFor(object), mutationOf(evaluable(object, {})));
}

function evaluable(object: { readonly kind: string }, write: Write) {
  const subject = subjectOf(object, write);
  if (subject === undefined) throw new Error(`${object.kind} has no rules`);
  return subject;
}

function requestFor({
  apiVersion,
  kind,
  metadata,
}: Pick<typeof ID, 'apiVersion' | 'kind' | 'metadata'>): ReviewRequest {
  const [group = '', version = ''] = apiVersion.split('/');
  const { name } = metadata;
  const request = { group, version, kind, name, operation: 'CREATE', subresource: '', dryRun: false } as const;
  return { ...request, uid: UID, namespace: undefined, username: undefined };
}

function json(text: string): string {
  return `\`\`\`json\n${JSON.stringify(JSON.parse(text), undefined, 2)}\n\`\`\``;
}
