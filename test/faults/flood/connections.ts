/** The API server's connections to muster, as the kernel lists them: whether there were new ones in a flood. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Local ports of a process's TCP connections to a port of this machine. */
export function portsTo(pid: number, port: number): number[] {
  const own = socketsOf(pid);
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  // "sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …"
  const fields = rows.filter((row) => row.includes(remote)).map((row) => row.trim().split(/\s+/));
  const mine = fields.filter(([, , to, , , , , , , inode]) => to?.endsWith(remote) && own.has(inode ?? ''));
  return mine.map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
}

function socketsOf(pid: number): Set<string> {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
}

/** It may be closed between the listing and the look. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
