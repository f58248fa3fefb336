/**
 * Writes X.509 v3 certificates in DER (RFC 5280). node-forge encodes the structures; keys and signatures are those of node:crypto. Import this module
 * lazily: the encoder takes 40 ms to load, and a server with good certificates never needs it.
 */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

export interface Certificate {
  /** The common name; nothing compares it but the link from leaf to CA. */
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly issuerPublicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** DNS names and IP addresses of a server; a CA has none. */
  readonly names: readonly string[];
  readonly ca: boolean;
  /** For a caller to show, rather than a server. */
  readonly client?: boolean;
}

/** Encodes and signs (ECDSA with SHA-256) a certificate; returns its PEM. */
export function signCertificate(certificate: Certificate, issuerPrivateKey: KeyObject): string {
  const toBeSigned = tbsCertificate(certificate);
  const signature = sign('sha256', der(toBeSigned), issuerPrivateKey);
  const whole = der(sequence(toBeSigned, algorithm(), primitive(Type.BITSTRING, Buffer.of(0), signature)));
  return forge.pem.encode({ type: 'CERTIFICATE', body: whole.toString('latin1') }).replaceAll('\r\n', '\n');
}

const { asn1 } = forge;
const { Type } = asn1;
const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
type Node = forge.asn1.Asn1;

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};

// Two bytes of a BIT STRING: how many bits at its end are unused, and the named bits from the left.
const KEY_CERT_SIGN = Buffer.of(2, 0b0000_0100);
const DIGITAL_SIGNATURE = Buffer.of(7, 0b1000_0000);
// GeneralName's context tags.
const DNS_NAME = 2;
const IP_ADDRESS = 7;
const TRUE = Buffer.of(0xff);
const VERSION_3 = Buffer.of(2); // counted from 0

function tbsCertificate(of: Certificate): Node {
  return sequence(
    constructed(0, primitive(Type.INTEGER, VERSION_3)),
    primitive(Type.INTEGER, serial()),
    algorithm(),
    name(of.issuer),
    sequence(time(of.notBefore), time(of.notAfter)),
    name(of.subject),
    asn1.fromDer(spki(of.publicKey).toString('latin1')),
    constructed(3, sequence(...extensions(of))),
  );
}

/** Those that strict verifiers ask for (OpenSSL's X509_V_FLAG_X509_STRICT, Python since 3.13), and no more. */
function extensions(of: Certificate): Node[] {
  const both = [
    extension(OID.basicConstraints, true, sequence(...(of.ca ? [primitive(Type.BOOLEAN, TRUE)] : []))),
    extension(OID.keyUsage, true, primitive(Type.BITSTRING, of.ca ? KEY_CERT_SIGN : DIGITAL_SIGNATURE)),
    extension(OID.subjectKeyIdentifier, false, primitive(Type.OCTETSTRING, keyIdentifier(of.publicKey))),
    extension(OID.authorityKeyIdentifier, false, sequence(tagged(0, keyIdentifier(of.issuerPublicKey)))),
  ];
  if (of.ca) return both;
  return [
    ...both,
    extension(OID.extKeyUsage, false, sequence(oid(of.client ? OID.clientAuth : OID.serverAuth))),
    ...(of.names.length > 0 ? [extension(OID.subjectAltName, false, sequence(...of.names.map(generalName)))] : []),
  ];
}

function extension(id: string, critical: boolean, value: Node): Node {
  // "Not critical" is the default, and DER leaves defaults out.
  const flag = critical ? [primitive(Type.BOOLEAN, TRUE)] : [];
  return sequence(oid(id), ...flag, primitive(Type.OCTETSTRING, der(value)));
}

/** ECDSA's algorithm identifier has no parameters, not even NULL (RFC 5758, 3.2). */
function algorithm(): Node {
  return sequence(oid(OID.ecdsaWithSha256));
}

function name(common: string): Node {
  const attribute = sequence(oid(OID.commonName), primitive(Type.UTF8, Buffer.from(common)));
  return sequence(asn1.create(UNIVERSAL, Type.SET, true, [attribute]));
}

function time(date: Date): Node {
  // Two digits of a year until 2049, four after (RFC 5280, 4.1.2.5).
  if (date.getUTCFullYear() < 2050) return asn1.create(UNIVERSAL, Type.UTCTIME, false, asn1.dateToUtcTime(date));
  return asn1.create(UNIVERSAL, Type.GENERALIZEDTIME, false, String(asn1.dateToGeneralizedTime(date)));
}

function generalName(entry: string): Node {
  return isIP(entry) === 0 ? tagged(DNS_NAME, Buffer.from(entry)) : tagged(IP_ADDRESS, addressBytes(entry));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes an embedded IPv4 address in hexadecimal, and one "::" at most.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  const hex = [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0'));
  return Buffer.from(hex.join(''), 'hex');
}

/** 126 random bits; the first byte keeps the number positive and free of a leading zero, as DER wants it. */
function serial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** RFC 7093, 2: the first 160 bits of the SHA-256 of the key. Any value serves that links a CA to what it signed. */
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

function tagged(tag: number, bytes: Buffer): Node {
  return asn1.create(CONTEXT_SPECIFIC, tag, false, bytes.toString('latin1'));
}

function constructed(tag: number, node: Node): Node {
  return asn1.create(CONTEXT_SPECIFIC, tag, true, [node]);
}
