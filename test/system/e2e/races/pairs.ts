/**
 * Pairs of writes sent at the same moment, each of which forbids the other, and the history of etcd that shows what was
 * stored.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApiAnswer,
  type ClaimDialect,
  type ControlPlane,
  DIALECTS,
  done,
  freeLock,
  type Identity,
  identityOf,
  type Json,
  until,
} from '../harness/index.ts';
import { tokenOf } from '../harness/users.ts';

export interface Tally {
  pairs: number;
  /** Pairs of which neither write was stored. */
  neither: number;
  /**
   * Writes without a rival that were refused, with the answer. On a slow machine, a lock that muster could not release
   * within 3 s refuses the next write: muster counts such a lock as leaked.
   */
  lonely: string[];
  /** Stored writes that the norm forbids, by the history of etcd. */
  violations: number;
}

/**
 * Races so many pairs of each kind in every dialect: a join against a change of the id, and against its deletion.
 * @param other another way to the same cluster, which the changes and deletions take
 */
export async function race(controlPlane: ControlPlane, each: number, other = controlPlane): Promise<Tally> {
  const tally: Tally = { pairs: 0, neither: 0, lonely: [], violations: 0 };
  await Promise.all(DIALECTS.map((dialect) => raceOne(controlPlane, other, dialect, each, tally)));
  return tally;
}

async function raceOne(
  controlPlane: ControlPlane,
  other: ControlPlane,
  dialect: ClaimDialect,
  each: number,
  tally: Tally,
): Promise<void> {
  const one = identityOf(dialect, controlPlane.api('jane'));
  const rival = identityOf(dialect, other.api('jane'));
  const history = await follow(controlPlane, dialect);
  const free = () => freeLock(controlPlane, dialect);
  await racePairs(one, (pair) => rival.changeId(`changed-${pair}`), each, tally, free);
  await racePairs(one, () => rival.deleteId(), each, tally, free);
  // The history is complete once a last mark is in it.
  const mark = `mark-${Date.now()}`;
  if ((await one.membership()).status === 200) done(await one.leave());
  done((await one.id()).status === 404 ? await one.createId(mark) : await one.changeId(mark));
  await until('the last mark', async () => history.events.some(({ value }) => value === mark));
  history.close();
  tally.violations += violationsIn(history.events, dialect).length;
}

async function racePairs(
  one: Identity,
  rival: (pair: number) => Promise<ApiAnswer>,
  count: number,
  tally: Tally,
  free: () => Promise<void>,
) {
  for (let pair = 0; pair < count; pair++) {
    // Rivals of a lock that could not be released would be refused until it expires.
    for (let tries = 1; !(await reset(one, `before-${pair}`, tally)) && tries < 5; tries++) await free();
    const answers = await Promise.all([delayed(one.join), delayed(() => rival(pair))]);
    tally.pairs += 1;
    if (!answers.some(isDone)) tally.neither += 1;
    for (const { status, body } of answers)
      if (status > 299 && status !== 403 && status !== 503) throw new Error(`${status} ${body.message}`);
  }
}

/**
 * Returns to an id without a membership. None of these writes has a rival, so none may be refused; returns whether none
 * was.
 */
async function reset(one: Identity, value: string, tally: Tally): Promise<boolean> {
  const before = tally.lonely.length;
  const lonely = async (what: string, write: Promise<ApiAnswer>) => {
    const answer = await write;
    if (!isDone(answer)) tally.lonely.push(`${what}: ${answer.status} ${answer.body.message}`);
  };
  if ((await one.membership()).status === 200) await lonely('leave', one.leave());
  if ((await one.id()).status === 200) await lonely('change', one.changeId(value));
  else await lonely('create', one.createId(value));
  return tally.lonely.length === before;
}

async function delayed(write: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  await sleep(Math.random() * 3);
  return write();
}

function isDone({ status }: ApiAnswer): boolean {
  return status < 300;
}

interface Event {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly name: string;
  readonly value: string;
  readonly revision: number;
}

/** Every stored write of a dialect's claims. */
interface History {
  readonly events: readonly Event[];
  close(): void;
}

async function follow(controlPlane: ControlPlane, dialect: ClaimDialect): Promise<History> {
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
    close: () => void sent.destroy(),
  };
}

function eventOf({ type, object }: Json): Event {
  const { name, resourceVersion } = object.metadata;
  return { type, name, value: object.spec?.value ?? '', revision: Number(resourceVersion) };
}

/** Returns the writes that the norm forbids: an id that was changed or deleted while the membership existed. */
function violationsIn(events: readonly Event[], { claim }: ClaimDialect): Event[] {
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
