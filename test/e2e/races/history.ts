/** The history of a dialect's claims: every stored write, ordered by the revision of etcd. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { ClaimDialect, ControlPlane, Json } from '../harness/index.ts';
import { tokenOf } from '../harness/users.ts';

export interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  readonly value: string;
  readonly revision: number;
}

export interface History {
  readonly events: readonly Event[];
  /** Waits until the events hold what is expected. */
  until(holds: (events: readonly Event[]) => boolean): Promise<void>;
  close(): void;
}

export async function follow(controlPlane: ControlPlane, dialect: ClaimDialect): Promise<History> {
  const events: Event[] = [];
  const { group, versions, plural } = dialect;
  const path = `/apis/${group}/${versions.at(-1)}/${plural}`;
  const { body } = await controlPlane.api('admin').call('GET', path);
  const from = body.metadata.resourceVersion;
  const sent = request(`${controlPlane.url}${path}?watch=true&resourceVersion=${from}`, {
    ca: readFileSync(controlPlane.caFile),
    headers: { authorization: `Bearer ${tokenOf('admin')}` },
    agent: false,
  });
  sent.on('error', () => {});
  sent.once('response', (message) => {
    let rest = '';
    message.setEncoding('utf8');
    message.on('error', () => {});
    message.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') events.push(eventOf(JSON.parse(line)));
    });
  });
  sent.end();
  return {
    events,
    async until(holds) {
      const end = Date.now() + 10_000;
      while (!holds(events)) {
        if (Date.now() > end) throw new Error(`not seen within 10 s: ${JSON.stringify(events.slice(-5))}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    close: () => void sent.destroy(),
  };
}

function eventOf({ type, object }: Json): Event {
  const { name, resourceVersion } = object.metadata;
  return { type, name, value: object.spec?.value ?? '', revision: Number(resourceVersion) };
}

/** Returns the writes that the norm forbids: an id that was changed or deleted while the membership existed. */
export function violationsIn(events: readonly Event[], { claim }: ClaimDialect): Event[] {
  let member = false;
  const ids = new Map<string, string>();
  const violations: Event[] = [];
  for (const event of [...events].sort((a, b) => a.revision - b.revision)) {
    const { name, type, value } = event;
    if (name === claim.membershipName) member = type !== 'DELETED';
    if (!claim.idNames.includes(name)) continue;
    const changed = type === 'MODIFIED' && ids.get(name) !== value;
    if (member && (type === 'DELETED' || changed)) violations.push(event);
    if (type === 'DELETED') ids.delete(name);
    else ids.set(name, value);
  }
  return violations;
}
