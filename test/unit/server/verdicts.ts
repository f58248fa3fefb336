/** Verdicts as the engine gives them, and decisions with them. */

import type { Json } from '../../../src/base/json.ts';
import type { Crash, Finding, Indeterminate, Verdict } from '../../../src/engine/index.ts';
import { type ReviewRequest, readAdmissionReview } from '../../../src/engine/review.ts';
import { evaluated } from '../../../src/server/admission/respond.ts';
import type { Decision } from '../../../src/server/observer.ts';
import { type Fields, requestOf, reviewWith, UID } from '../../support/reviews.ts';

export const request: ReviewRequest = {
  uid: UID,
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterClaim',
  operation: 'CREATE',
  subresource: '',
  name: 'id.k8s.io',
  namespace: undefined,
  username: 'jane',
  dryRun: false,
};

export const about = { name: 'id.k8s.io', group: 'multicluster.x-k8s.io', kind: 'ClusterClaim' };

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    ruleId: 'claim/id-syntax',
    level: 'MUST',
    action: 'deny',
    path: ['spec', 'value'],
    field: 'spec.value',
    message: 'must be a label',
    code: 422,
    ...over,
  };
}

export const warning = (over: Partial<Finding> = {}): Finding =>
  finding({ ruleId: 'claim/id-length', level: 'SHOULD', action: 'warn', message: 'should be shorter', ...over });

export const unknown: Indeterminate = {
  ruleId: 'claim/id-present-in-clusterset',
  level: 'MUST',
  field: '',
  message: 'nothing is known of other objects',
};

export function crash(over: Partial<Crash> = {}): Crash {
  return { ruleId: 'claim/value', reference: 'ab12cd34', error: new Error('secret detail'), denies: true, ...over };
}

export function verdict(over: Partial<Verdict> = {}): Verdict {
  return { outcome: 'allowed', findings: [], indeterminate: [], crashes: [], silentUnknowns: [], ...over };
}

/** The decision on a request, with the answer to its verdict: allowed, unless a test says otherwise. */
export function decisionOf(sent: Fields = requestOf(), over: Partial<Decision> = {}): Decision {
  const reading = readAdmissionReview({ ...reviewWith(), request: sent } as Json);
  const found = over.verdict ?? verdict();
  return {
    path: 'validate',
    outcome: 'allowed',
    response: evaluated(request, found),
    request: reading.request,
    subject: reading.kind === 'evaluate' ? reading.subject : undefined,
    verdict: found,
    ...over,
  };
}
