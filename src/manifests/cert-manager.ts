/** The objects with which cert-manager replaces `muster certs`: a CA that signs one certificate, in the same Secret. */
import { type Manifest, manifest } from './manifest.ts';
import { SERVER, TLS_SECRET } from './names.ts';

const CA = `${SERVER}-ca`;
const API = 'cert-manager.io/v1';

/** Returns Issuers and Certificates, in the order to apply them. */
export function certManager(namespace: string): readonly Manifest[] {
  const object = (kind: string, name: string, spec: object) =>
    manifest([API, kind], { name, namespace, component: 'server' }, { spec });
  const key = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' };
  return [
    object('Issuer', `${SERVER}-self-signed`, { selfSigned: {} }),
    object('Certificate', CA, {
      isCA: true,
      commonName: CA,
      secretName: CA,
      duration: '87600h',
      privateKey: { ...key, rotationPolicy: 'Never' },
      issuerRef: { name: `${SERVER}-self-signed`, kind: 'Issuer' },
    }),
    object('Issuer', CA, { ca: { secretName: CA } }),
    object('Certificate', SERVER, {
      secretName: TLS_SECRET,
      duration: '2160h',
      renewBefore: '720h',
      // The name by which an API server calls a Service.
      dnsNames: [`${SERVER}.${namespace}.svc`, `${SERVER}.${namespace}.svc.cluster.local`],
      usages: ['server auth', 'digital signature'],
      privateKey: key,
      issuerRef: { name: CA, kind: 'Issuer' },
    }),
  ];
}
