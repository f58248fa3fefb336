/** Runs `muster registrar`: reads the hub of the configuration, and shows or changes reservations. */
import { claimDialects } from '../../api/dialects.ts';
import { escapeControls, safeText, shellQuoted } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { AccessFlags } from '../../cluster/live/access-source.ts';
import type { ApiClient } from '../../cluster/live/client.ts';
import { describeCommandReadError, onlyClusterErrors } from '../../cluster/live/errors.ts';
import { createHub, type Hub } from '../../cluster/registrar/hub.ts';
import { identifyMember, syncOnce } from '../../cluster/registrar/registrar.ts';
import { type Reservation, reservationName } from '../../cluster/registrar/reservation.ts';
import { type CommandResult, type ReservingMember, release, takeover } from '../../cluster/registrar/reserve.ts';
import type { Deadline } from '../../engine/cluster-state.ts';
import { emit, parseOutputs, refuseInputs } from '../../report/emit.ts';
import { PLAIN_FORMATS } from '../../report/formats.ts';
import { jsonPieces } from '../../report/json.ts';
import type { ClusterIdentity } from '../../rules/rule.ts';
import { readHub } from '../hub.ts';
import { loadSettings, openClient } from '../shared.ts';
import { type IdentityText, identityText, reservationsJson, reservationsText, roundText } from './text.ts';

export type RegistrarAction = 'list' | 'sync' | 'release' | 'takeover';

export interface RegistrarFlags extends Pick<AccessFlags, 'kubeconfig' | 'context'> {
  readonly config?: string;
  readonly clusterSet?: string;
  readonly holder?: string;
  readonly apiGroup?: string;
  readonly output?: readonly string[];
}

/** The most milliseconds for all calls of one command. */
const LIMIT_MS = 20_000;

/**
 * Runs one action.
 * @returns the exit code: 0 done, 1 not done
 * @throws UsageError for bad usage, and where the hub or the cluster can't be used; ConfigError
 */
export async function registrarCommand(
  action: RegistrarAction,
  id: string | undefined,
  flags: RegistrarFlags,
): Promise<0 | 1> {
  const outputs = parseOutputs(flags.output, PLAIN_FORMATS, [flags.config]);
  const change = action === 'release' || action === 'takeover' ? changeOf(action, id, flags) : undefined;
  if (change === undefined && id !== undefined) {
    throw new UsageError(`muster registrar ${action} takes no id: leave "${safeText(id, 64)}" out`);
  }
  const client = await openHub(flags.config);
  try {
    refuseInputs(client.files, outputs);
    const hub = createHub(client);
    const deadline = { at: Date.now() + LIMIT_MS, signal: new AbortController().signal };
    if (change && action === 'release') return await releaseOne(hub, change, deadline);
    if (change) return await takeOver(hub, change, flags, deadline);
    if (action === 'sync') return await sync(hub, flags, deadline);
    const listed = await hub.list(deadline);
    if (listed.kind === 'unreachable') throw new UsageError(listed.reason);
    const { reservations } = listed;
    const text = () => reservationsText(reservations, hub.name);
    emit(outputs, { text, json: () => jsonPieces(reservationsJson(reservations)) });
    return 0;
  } finally {
    client.close();
  }
}

async function openHub(config: string | undefined): Promise<ApiClient> {
  if (!config) throw new UsageError('muster registrar needs --config FILE: its registrar names the hub');
  const loaded = await loadSettings(config);
  const access = loaded && (await readHub(config, loaded));
  if (access) return access.client;
  const example = 'registrar: { kubeconfig: hub.yaml, namespace: cluster-ids }';
  throw new UsageError(`${config} names no hub: add ${example}, or name another --config`);
}

/** The reservation that `release` and `takeover` are about. */
interface IdentityRequest extends IdentityText {
  /** The uid of the cluster that must hold it. */
  readonly holder: string;
}

function changeOf(action: RegistrarAction, id: string | undefined, flags: RegistrarFlags): IdentityRequest {
  const { clusterSet, holder, apiGroup } = flags;
  const needs = `muster registrar ${action} needs`;
  if (!id) throw new UsageError(`${needs} the id: muster registrar ${action} ID --cluster-set S --holder UID`);
  if (!clusterSet) throw new UsageError(`${needs} --cluster-set S, the ClusterSet of the id`);
  if (!holder) throw new UsageError(`${needs} --holder UID, who has to hold the id: muster registrar list shows it`);
  return { id, clusterSet, holder, apiGroup };
}

/**
 * Finds the identity that the flags name; undefined if no API has such a reservation.
 * @throws UsageError if two APIs have it and none is named
 */
async function identityAt(hub: Hub, change: IdentityRequest, deadline: Deadline): Promise<ClusterIdentity | undefined> {
  const { clusterSet, id, apiGroup: named } = change;
  if (named !== undefined) return { apiGroup: named, clusterSet, id };
  const identities = claimDialects.map(({ group }) => ({ apiGroup: group, clusterSet, id }));
  const found: ClusterIdentity[] = [];
  for (const identity of identities) {
    const result = await hub.get(reservationName(identity), deadline);
    if (result.kind === 'unreachable') throw new UsageError(result.reason);
    if (result.kind === 'found') found.push(identity);
  }
  if (found.length < 2) return found[0];
  const groups = found.map(({ apiGroup }) => `--api-group ${apiGroup}`).join(' or ');
  const [identity] = found;
  throw new UsageError(`${identityText(identity ?? change)} is reserved in ${found.length} APIs: name one, ${groups}`);
}

async function releaseOne(hub: Hub, change: IdentityRequest, deadline: Deadline): Promise<0 | 1> {
  const identity = await identityAt(hub, change, deadline);
  const result = identity ? await release(hub, identity, change.holder, deadline) : ABSENT;
  return printOutcome(result, change, `released ${identityText(identity ?? change)}: another cluster may join with it`);
}

async function takeOver(hub: Hub, change: IdentityRequest, flags: RegistrarFlags, deadline: Deadline): Promise<0 | 1> {
  return withMember(flags, deadline, async (_, member) => {
    const identity = await identityAt(hub, change, deadline);
    const ends = { from: change.holder, to: member };
    const result = identity ? await takeover(hub, identity, ends, deadline) : ABSENT;
    const what = identityText(identity ?? change);
    const next = 'unless it is a member already, let it join within 120 s';
    return printOutcome(result, change, `this cluster (${member.holder}) holds ${what} now: ${next}`);
  });
}

const ABSENT: CommandResult = { kind: 'absent' };

/** Prints the outcome of a change, and returns the exit code. */
function printOutcome(result: CommandResult, change: IdentityRequest, done: string): 0 | 1 {
  if (result.kind === 'unreachable') throw new UsageError(result.reason);
  if (result.kind === 'done') {
    process.stdout.write(`${done}\n`);
    return 0;
  }
  reportNotDone(whyNot(result, change));
  return 1;
}

function reportNotDone(why: string): void {
  process.stderr.write(`not done: ${escapeControls(why)}\n`);
}

function whyNot(result: Exclude<CommandResult, { kind: 'unreachable' }>, change: IdentityRequest): string {
  const what = identityText(change);
  if (result.kind === 'other-holder') {
    const { holder, since } = result.reservation;
    if (holder === undefined) return namelessText(result.reservation, what);
    const when = since === undefined ? '' : ` since ${safeText(since, 64)}`;
    const fix = 'if that cluster is gone, name it with --holder';
    return `${safeText(holder, 64)} holds ${what}${when}, not ${safeText(change.holder, 64)}: ${fix}`;
  }
  if (result.kind === 'changed') return `${what} was written at the same moment: run the command again`;
  return `nobody holds ${what}: muster registrar list shows what is reserved`;
}

async function sync(hub: Hub, flags: RegistrarFlags, deadline: Deadline): Promise<0 | 1> {
  return withMember(flags, deadline, async (client, { holder, now }) => {
    const options = { hub, client, holder: () => Promise.resolve(holder), clock: now, listsAll: true };
    const result = await syncOnce(options, deadline);
    process.stdout.write(roundText(result));
    for (const { identity, reservation } of result.conflicts) {
      reportNotDone(conflictText(identity, reservation, flags));
    }
    if (result.problems.length > 0) throw new UsageError(result.problems.join('; '));
    return result.conflicts.length === 0 ? 0 : 1;
  });
}

function namelessText({ name }: Reservation, what: string): string {
  return `the Lease ${name} of ${what} names no holder: delete it on the hub`;
}

function conflictText(identity: ClusterIdentity, reservation: Reservation, flags: RegistrarFlags): string {
  const { holder } = reservation;
  const what = `${identityText(identity)}, with which this cluster is a member`;
  if (holder === undefined) return namelessText(reservation, `${what},`);
  const takeoverFlags = {
    '--cluster-set': identity.clusterSet,
    '--api-group': identity.apiGroup,
    '--holder': holder,
    '--config': flags.config,
    '--kubeconfig': flags.kubeconfig,
    '--context': flags.context,
  };
  const takeover = ['muster registrar takeover', shellQuoted(identity.id)];
  for (const [flag, text] of Object.entries(takeoverFlags)) if (text) takeover.push(flag, shellQuoted(text));
  const who = `${safeText(holder, 64)} holds ${what}`;
  return `${who}: give one of the two another id, or, if that cluster is gone: ${takeover.join(' ')}`;
}

/**
 * Runs `use` with a client of the member, the uid under which it holds reservations, and the clock of its API server:
 * that of this machine may be wrong, and then a reservation would be released too early. @throws UsageError
 */
async function withMember(
  flags: RegistrarFlags,
  deadline: Deadline,
  use: (client: ApiClient, member: ReservingMember) => Promise<0 | 1>,
): Promise<0 | 1> {
  const client = await openClient(flags);
  const { holder, clock } = identifyMember(client);
  try {
    const uid = await holder(deadline).catch((error: unknown) => {
      throw new UsageError(describeCommandReadError('get', 'the namespace kube-system', onlyClusterErrors(error)));
    });
    return await use(client, { holder: uid, now: clock });
  } finally {
    client.close();
  }
}
