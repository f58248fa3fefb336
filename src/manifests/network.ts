/** NetworkPolicies: connections to muster's pods, and from them. */
import { type Component, type Manifest, manifest, selectorOf } from './manifest.ts';
import { SERVER } from './names.ts';

/** The API server's ports as clusters have them, behind its Service and on its hosts: 443, 6443, 8443, 16443. */
const API_SERVER = [443, 6443, 8443, 16443].map((port) => ({ port, protocol: 'TCP' }));
const DNS = ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol }));

/** Returns the server's policy. */
export function serverTraffic(namespace: string): Manifest {
  return traffic(SERVER, namespace, 'server', [
    // API servers call from addresses that no selector can name.
    { ports: [{ port: 'https', protocol: 'TCP' }] },
    // The kubelet's probes come from the pod's own node, which no policy stops.
    {
      from: [
        { podSelector: {} },
        { namespaceSelector: {}, podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } },
      ],
      ports: [{ port: 'ops', protocol: 'TCP' }],
    },
  ]);
}

/** Returns a policy that lets a component's pods call the API server and DNS alone; without `ingress` nothing may call them. */
export function traffic(name: string, namespace: string, component: Component, ingress: object[] = []): Manifest {
  const spec = {
    podSelector: { matchLabels: selectorOf(component) },
    policyTypes: ['Ingress', 'Egress'],
    ...(ingress.length > 0 ? { ingress } : {}),
    egress: [{ ports: API_SERVER }, { to: [{ namespaceSelector: {} }], ports: DNS }],
  };
  return manifest(['networking.k8s.io/v1', 'NetworkPolicy'], { name, namespace, component }, { spec });
}
