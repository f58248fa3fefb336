/** Runs the registrar of a server: the reservations for reviews, and the loop that confirms and releases them. */
import { claimDialects } from '../../api/dialects.ts';
import { textAt } from '../../base/json.ts';
import { formatTime } from '../../base/syntax.ts';
import { safeText, shorten } from '../../base/text.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { createClusterReader } from '../../cluster/live/reader.ts';
import { createHub, type Hub } from '../../cluster/registrar/hub.ts';
import { type RegistrarLoop, startLoop } from '../../cluster/registrar/loop.ts';
import { createRegistrar, identifyMember, type Registrar, syncOnce } from '../../cluster/registrar/registrar.ts';
import type { RegistrarConflict, RoundResult } from '../../cluster/registrar/round.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { SERVER } from '../../manifests/names.ts';
import type { Log } from '../../server/log/log.ts';
import type { Metrics } from '../../server/ops/metrics.ts';
import { LONGEST_MESSAGE, type ObjectEvent, writeEvent } from '../event.ts';
import type { HubAccess } from '../hub.ts';
import { connectHub } from './hub-connection.ts';

/** The registrar of a server, which is active while the configuration names a hub. */
export interface ServerRegistrar {
  /** Returns the registrar for a review; undefined while none is configured. */
  current(): Registrar | undefined;
  /** Replaces the hub by that of a new configuration. */
  use(access: HubAccess | undefined): void;
  /** Returns why the kubeconfig of the hub on disk is refused; undefined while it is the one in use. */
  fileProblem(): string | undefined;
  /** Returns the problems of the last round. */
  problems(): readonly string[];
  /** Resolves once a read of the kubeconfig under way has ended. */
  close(): Promise<void>;
}

interface ServerRegistrarOptions {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'registrar'>;
  /** The client of this cluster. */
  readonly client: ApiClient;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two Events of a conflict. A round finds it every half minute; an Event is kept for an hour. */
const BETWEEN_EVENTS_MS = 10 * 60_000;

/** Starts with the hub of the first configuration. Without a hub, nothing runs and nothing is registered. */
export function startRegistrar(first: HubAccess | undefined, options: ServerRegistrarOptions): ServerRegistrar {
  const { log, metrics, client, onError } = options;
  const member = identifyMember(client);
  const roundLog = createRoundLog(options);
  let loop: RegistrarLoop | undefined;
  const connection = connectHub(first, log, metrics, (hubClient) => {
    const hub = createHub(hubClient);
    const registrar = createRegistrar({ hub, ...member, observer: metrics.registrar(), onJoin: () => loop?.joined() });
    return { hub, registrar };
  });
  /**
   * The hub of which one round has read all reservations. Later rounds read only those with the label of this cluster,
   * also while each of them has a problem, such as a missing right.
   */
  let searched: Hub | undefined;
  const round = async (deadline: Deadline): Promise<void> => {
    const hub = connection.current()?.hub;
    if (hub === undefined) return;
    const options = { hub, client, ...member, observer: metrics.registrar(), listsAll: hub !== searched };
    const result = await syncOnce(options, deadline);
    if (result.unlabeled === 0 || result.problems.length === 0) searched = hub;
    await roundLog.add(result);
  };
  const follow = () => {
    if (connection.current() !== undefined) loop ??= startLoop({ round, onError });
    else {
      loop?.close();
      loop = undefined;
      roundLog.forget();
    }
  };
  follow();
  return {
    current: () => connection.current()?.registrar,
    use(access) {
      connection.use(access);
      follow();
    },
    fileProblem: connection.problem,
    problems: roundLog.problems,
    close() {
      loop?.close();
      return connection.close();
    },
  };
}

/** Logs and counts the problems and conflicts of rounds. One that lasts is logged once. */
function createRoundLog({ log, metrics, client }: ServerRegistrarOptions) {
  let problems: readonly string[] = [];
  /** The conflicts of the latest rounds, with the times of their last Events. */
  const lasting = new Map<string, number>();
  const forget = () => {
    problems = [];
    lasting.clear();
  };
  const reportConflict = async (conflict: RegistrarConflict): Promise<void> => {
    const message = conflictText(conflict);
    const last = lasting.get(message);
    if (last === undefined) log.error(`the registrar: ${message}`);
    if (last !== undefined && Date.now() - last < BETWEEN_EVENTS_MS) return;
    lasting.set(message, Date.now());
    await writeConflictEvent(client, conflict, message).catch((error: Error) => {
      log.warn(`an Event of a conflict could not be written: ${error.message}`);
    });
  };
  return {
    problems: () => problems.map((problem) => `the registrar: ${problem}`),
    forget,
    async add(result: RoundResult): Promise<void> {
      if (result.unconfirmed !== undefined) metrics.registrar().unconfirmed(result.unconfirmed);
      const isNew = result.problems.join('\n') !== problems.join('\n');
      if (isNew) for (const problem of result.problems) log.warn(`the registrar: ${problem}`);
      if (isNew && result.problems.length === 0) log.info('the registrar is in order again');
      problems = result.problems;
      // If something could not be read, a conflict may still exist.
      if (result.problems.length === 0) {
        const now = new Set(result.conflicts.map(conflictText));
        for (const text of lasting.keys()) if (!now.has(text)) lasting.delete(text);
      }
      for (const conflict of result.conflicts) {
        metrics.registrar().conflict();
        await reportConflict(conflict);
      }
    },
  };
}

function conflictText({ identity, reservation }: RegistrarConflict): string {
  const shown = (text: string) => safeText(text, 64);
  const { name, holder, since = 'an unknown time' } = reservation;
  const clusterSet = `this cluster is a member of the ClusterSet "${shown(identity.clusterSet)}"`;
  const member = `${clusterSet} with the id "${shown(identity.id)}"`;
  if (holder === undefined) return `${member}, whose Lease ${shown(name)} names no holder: delete it on the hub`;
  return (
    `${member}, which the cluster ${shown(holder)} holds since ${shown(since)}: give one of the two another id ` +
    '(delete its membership, change the id, join again), or, if that cluster is gone, run muster registrar takeover'
  );
}

/** Writes an Event on the membership, where kubectl describe shows it. */
async function writeConflictEvent(client: ApiClient, { identity }: RegistrarConflict, message: string): Promise<void> {
  const dialect = claimDialects.find(({ group }) => group === identity.apiGroup);
  if (dialect === undefined) return;
  const name = dialect.claim.membershipName;
  const membership = await createClusterReader(client).get({ dialect, name });
  const object = membership.known ? membership.value : undefined;
  if (object === undefined) return;
  const time = formatTime(Date.now());
  const event: ObjectEvent = {
    component: SERVER,
    reason: 'IdReserved',
    involvedObject: {
      apiVersion: textAt(object, ['apiVersion']),
      kind: dialect.kind,
      name,
      uid: textAt(object, ['metadata', 'uid']),
    },
    identity: [name, identity],
    fixed: { firstTimestamp: time },
  };
  await writeEvent(client, event, { message: shorten(message, LONGEST_MESSAGE), lastTimestamp: time }, false);
}
