import { MEMBER_ID_LABEL } from '../../api/labels.ts';
import { at } from '../../base/json.ts';
import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { MEMBER_ID_PATH } from './inventory-fields.ts';

export const rule = defineRule({
  id: 'inventory/member-id-present',
  on: ['CREATE'],
  dialects: ['cluster-profile'],
  meta: {
    summary: 'A ClusterProfile has the label multicluster.x-k8s.io/inventory-member-id when it is created.',
    fix: 'Have the cluster manager set the label to the id that the platform administrator gave the member cluster.',
    level: 'SHOULD',
    pointLevels: { webhook: 'ADVICE' },
    source: 'KEP-4322 #uniqueness-of-the-clusterprofile-object (commit 3a8eb262)',
    quote:
      'Cluster managers SHOULD add the `multicluster.x-k8s.io/inventory-member-id` label when they create a ' +
      'ClusterProfile, using a value coordinated by the platform administrator.',
    why: "CEL in a CRD does not see an object's labels, and a CRD can only refuse, not warn.",
    messages: {
      missing:
        'should be set; add the label {{label}} with the id of the member cluster, the same in each namespace ' +
        'that lists it',
    },
  },
  cel: notInCel.advice,
  // inventory/member-id reports an empty label.
  check: ({ object }) =>
    at(object, MEMBER_ID_PATH) === undefined
      ? [{ path: MEMBER_ID_PATH, messageId: 'missing', data: { label: MEMBER_ID_LABEL } }]
      : [],
});
