import { notInCel } from '../cel/expressions.ts';
import { defineRule } from '../rule.ts';
import { compareExports } from '../service/conflicts.ts';
import { isMetadata } from '../service/derivation.ts';
import { outcomePhrases } from '../service/outcomes.ts';

export const rule = defineRule({
  id: 'export/conflict',
  // Each API server holds the Service of its own cluster, so no write can be refused for another's.
  on: [],
  dialects: ['service-export'],
  comparison: compareExports((property) => !isMetadata(property)),
  meta: {
    summary: 'The Services that clusters export under one name are consumed in the same way.',
    fix:
      'Give the Services of all clusters the same value. If they are different services, export them under ' +
      'different names.',
    level: 'MUST',
    basis: 'upstream',
    source: 'multi-cluster services of KEP-1645 #global-properties',
    quote: 'They directly impact service consumption and must be consistent across all child services.',
    needs: ['object', 'cluster'],
    why: 'Each API server sees the Service of its own cluster; check and scan compare those of several clusters.',
    messages: {
      differs:
        '{{reason}}: must be the same in all clusters that export the service, got {{value}}, but {{others}}; ' +
        '{{outcomes}}',
      other: 'the other value: {{value}}',
    },
    phrases: outcomePhrases,
    pairs: {
      TypeConflict: ['ports: [{ port: 80 }]', '{ clusterIP: None, ports: [{ port: 80 }] }'],
      PortConflict: ['ports: [{ name: http, port: 80 }]', 'ports: [{ name: http, port: 8080 }]'],
      SessionAffinityConflict: ['sessionAffinity: None', 'sessionAffinity: ClientIP'],
      SessionAffinityConfigConflict: [
        '{ sessionAffinity: ClientIP, sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } }',
        '{ sessionAffinity: ClientIP, sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }',
      ],
      InternalTrafficPolicyConflict: ['internalTrafficPolicy: Cluster', 'internalTrafficPolicy: Local'],
      TrafficDistributionConflict: ['{}', 'trafficDistribution: PreferSameZone'],
      IPFamilyConflict: ['ipFamilies: [IPv4]', 'ipFamilies: [IPv6]'],
    },
  },
  cel: notInCel.clusters,
});
