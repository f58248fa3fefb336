/**
 * Writes X.509 v3 certificates in DER (RFC 5280). node-forge encodes the structures; keys and signatures are those of
 * node:crypto. Import this module lazily: the encoder takes 40 ms to load, and a server with valid certificates never
 * needs it.
 */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

export interface Certificate {
  /** The common name, in letters, digits and spaces. It only links the leaf to its CA. */
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** DNS names and IP addresses of a server; a CA has none. */
  readonly names: readonly string[];
  readonly ca: boolean;
  /** Whether it is for a client rather than a server. */
  readonly client?: boolean;
}

/** Encodes and signs (ECDSA with SHA-256) a certificate; returns its PEM. */
export function signCertificate(certificate: Certificate, issuerPrivateKey: KeyObject): string {
  const toBeSigned = tbsCertificate(certificate);
  const signature = sign('sha256', der(toBeSigned), issuerPrivateKey);
  const whole = der(sequence(toBeSigned, algorithm(), primitive(Type.BITSTRING, Buffer.of(0), signature)));
  return forge.pem.encode({ type: 'CERTIFICATE', body: whole.toString('latin1') }).replaceAll('\r\n', '\n');
}

const { asn1, pki } = forge;
const { Type } = asn1;
const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
type Node = forge.asn1.Asn1;

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
// GeneralName's context tags.
const DNS_NAME = 2;
const IP_ADDRESS = 7;
const VERSION_3 = Buffer.of(2); // counted from 0

function tbsCertificate(of: Certificate): Node {
  const draft = pki.createCertificate();
  draft.setExtensions(extensions(of));
  return sequence(
    tagged(0, primitive(Type.INTEGER, VERSION_3)),
    primitive(Type.INTEGER, serial()),
    algorithm(),
    name(of.issuer),
    sequence(time(of.notBefore), time(of.notAfter)),
    name(of.subject),
    asn1.fromDer(spki(of.publicKey).toString('latin1')),
    tagged(3, sequence(...draft.extensions.map(extension))),
  );
}

/** Returns the extensions that strict verifiers require (OpenSSL's X509_V_FLAG_X509_STRICT, Python since 3.13). */
function extensions({ ca, client = false, names, publicKey, issuerPublicKey }: Certificate): object[] {
  const both = [
    { name: 'basicConstraints', critical: true, cA: ca },
    { name: 'keyUsage', critical: true, keyCertSign: ca, digitalSignature: !ca },
    { name: 'subjectKeyIdentifier', value: primitive(Type.OCTETSTRING, keyIdentifier(publicKey)) },
    { name: 'authorityKeyIdentifier', keyIdentifier: keyIdentifier(issuerPublicKey).toString('latin1') },
  ];
  if (ca) return both;
  const altNames = names.map((entry) =>
    isIP(entry) === 0 ? { type: DNS_NAME, value: entry } : { type: IP_ADDRESS, ip: plainAddress(entry) },
  );
  const usage = { name: 'extKeyUsage', clientAuth: client, serverAuth: !client };
  return [...both, usage, ...(altNames.length > 0 ? [{ name: 'subjectAltName', altNames }] : [])];
}

function extension({ id, critical, value }: { id: string; critical?: boolean; value: Node }): Node {
  // "Not critical" is the default, and DER leaves defaults out.
  const flag = critical ? [primitive(Type.BOOLEAN, Buffer.of(0xff))] : [];
  return sequence(oid(id), ...flag, primitive(Type.OCTETSTRING, der(value)));
}

/** ECDSA's algorithm identifier has no parameters, not even NULL (RFC 5758, 3.2). */
const algorithm = () => sequence(oid(ECDSA_WITH_SHA256));
const name = (value: string): Node => pki.distinguishedNameToAsn1({ attributes: [{ type: COMMON_NAME, value }] });

function time(date: Date): Node {
  // Two digits of a year until 2049, four after (RFC 5280, 4.1.2.5).
  if (date.getUTCFullYear() < 2050) return asn1.create(UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date));
  return asn1.create(UNIVERSAL, Type.GENERALIZEDTIME, false, String(asn1.dateToGeneralizedTime(date)));
}

/** Returns an address without an embedded IPv4 address, which node-forge does not read. */
function plainAddress(address: string): string {
  return isIP(address) === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Returns 126 random bits. The first byte makes the number positive, without a leading zero, as DER requires. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/**
 * Returns the first 160 bits of the SHA-256 of the key (RFC 7093, 2), which link a CA to the certificates it signed.
 */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha256').update(spki(key)).digest().subarray(0, 20);
}

function spki(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

// node-forge takes and returns "binary strings", one character a byte.

function der(node: Node): Buffer {
  return Buffer.from(asn1.toDer(node).getBytes(), 'latin1');
}

function oid(dotted: string): Node {
  return asn1.create(UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());
}

function primitive(type: forge.asn1.Type, ...bytes: Buffer[]): Node {
  return asn1.create(UNIVERSAL, type, false, Buffer.concat(bytes).toString('latin1'));
}

function sequence(...nodes: Node[]): Node {
  return asn1.create(UNIVERSAL, Type.SEQUENCE, true, nodes);
}

function tagged(tag: number, node: Node): Node {
  return asn1.create(CONTEXT_SPECIFIC, tag, true, [node]);
}
