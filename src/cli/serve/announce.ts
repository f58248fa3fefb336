/** Formats the output of a server that starts: its addresses, its cluster state and CA, and a command to try. */
import { escapeControls, shellQuoted } from '../../base/text.ts';
import { inUrl } from '../../server/lifecycle/listen.ts';
import type { ServerCertificate } from './certificate.ts';

interface Announcement {
  readonly at: { readonly host: string; readonly port: number };
  readonly opsPort: number;
  /** The cluster source, in a few words. */
  readonly source: string;
  readonly files: ServerCertificate;
  /** Who issues the certificates of callers, where they must show one. */
  readonly clientCaFile: string | undefined;
}

/** Returns two lines; only one if a command to try would need the user's CA or a caller's certificate. */
export function announce({ at: { host, port }, opsPort, source, files, clientCaFile }: Announcement): string {
  const { certFile, caFile } = files;
  const ca = caFile ?? `the one that issued ${certFile}`;
  const where = `https://${inUrl(host)}:${port} (ops: http://${inUrl(host)}:${opsPort})`;
  const callers = clientCaFile === undefined ? '' : `; callers: certificates under ${clientCaFile}`;
  const lines = [`muster listens on ${where}; view: ${source}; CA: ${ca}${callers}`];
  if (clientCaFile === undefined && caFile !== undefined) lines.push(`Try: ${tryLine(host, port, caFile)}`);
  return `${lines.map(escapeControls).join('\n')}\n`;
}

/** Returns the first line of `announce` as a line of the log. */
export function announceAsJson(announcement: Announcement): string {
  const [msg] = announce(announcement).split('\n');
  return `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg })}\n`;
}

/** Returns a command with a review that is denied, so that the answer shows something. */
function tryLine(host: string, port: number, caFile: string): string {
  const kind = { group: 'multicluster.x-k8s.io', version: 'v1alpha1', kind: 'ClusterClaim' };
  const name = 'id.k8s.io';
  const spec = { value: 'Not_A_Label' };
  const object = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, metadata: { name }, spec };
  const request = { uid: '1', kind, operation: 'CREATE', name, object };
  const review = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
  // Development certificates name only these hosts.
  const named = ['127.0.0.1', '::1', 'host.docker.internal'].includes(host) ? host : 'localhost';
  const url = `https://${inUrl(named)}:${port}/validate`;
  const post = `curl -sS --cacert ${shellQuoted(caFile)} -H 'Content-Type: application/json' -d '${review}' ${url}`;
  // Formatted by Node, which is installed: in one line of JSON, the finding is hard to see.
  return `${post} | node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(0)), null, 2)'`;
}
