/**
 * Runs the code under test, one review or one round, up to its next calls: from the beginning each time, with the
 * answers that it has got so far. Nothing of it is replaced but the two API servers, the clock, and the pause.
 */
import { clusterClaim, type Dialect, lockLeaseName } from '../../../../src/api/dialects.ts';
import { at, type JsonObject, textAt } from '../../../../src/base/json.ts';
import { leasePath, newestOf, objectPath } from '../../../../src/cluster/live/api-paths.ts';
import type { ApiRequest, ApiResponse } from '../../../../src/cluster/live/client.ts';
import { subjectOf } from '../../../../src/engine/review.ts';
import type { Action, Subject } from '../../../../src/rules/rule.ts';
import { renamed } from '../lock/system-state.ts';
import type { Code } from './code.ts';
import type { Answer, Call, HubLease, LockRecord, Name, Process, StoredClaim } from './system-state.ts';

export interface Progress {
  readonly pending: readonly Call[];
  readonly verdict?: string;
  /** Of a round. */
  readonly done?: true;
  /** Another write has the lock: here, it is refused. */
  readonly paused?: true;
}

export interface Runner {
  readonly runs: () => number;
  /** @param now in seconds, by an accurate clock @param holder the member */
  next(process: Process, holder: string, now: number): Promise<Progress>;
}

export interface RunnerOptions {
  /** Of the webhook, by rule. */
  readonly actions: Readonly<Record<string, Action>>;
  /** Whether each round lists the reservations of all members, as the first one of a process does. */
  readonly listsAll: boolean;
}

/** In milliseconds, at second 0. */
const EPOCH = Date.parse('2026-01-01T00:00:00Z');
/** By so many seconds the clock of the second replica is ahead. */
const SKEW = 30;
const DIALECT: Dialect = clusterClaim;
const NAMES: Readonly<Record<Name, string>> = { id: 'id.k8s.io', set: 'clusterset.k8s.io' };
const NAMESPACE = 'muster-system';

export function createRunner(code: Code, { actions, listsAll }: RunnerOptions): Runner {
  const known = new Map<string, Progress>();
  const { defaultPolicy } = code;
  const policy = {
    ...defaultPolicy,
    actions: new Map(Object.entries(actions).map(([id, webhook]) => [id, { webhook }])),
    settings: {
      ...defaultPolicy.settings,
      registrar: { kubeconfig: 'hub.yaml', namespace: 'ids', whenUnreachable: 'deny' as const },
    },
  };
  const engine = code.createEngine({ policy, point: 'webhook', live: true, clock: () => EPOCH });
  const deadline = { at: Number.MAX_SAFE_INTEGER, signal: new AbortController().signal };

  async function run(process: Process, holder: string, now: number): Promise<Progress> {
    const pending: Call[] = [];
    const end: { verdict?: string; done?: true; paused?: true } = {};
    const failures: unknown[] = [];
    const counts = new Map<string, number>();
    const clock = () => EPOCH + (now + process.replica * SKEW) * 1000;
    const answerTo = (call: Omit<Call, 'key'>): Answer | undefined => {
      const what = `${call.kind} ${call.name ?? ''}`.trim();
      const count = (counts.get(what) ?? 0) + 1;
      counts.set(what, count);
      const key = `${what}#${count}`;
      const answer = process.answers.find((one) => one.key === key);
      if (answer === undefined) pending.push({ key, ...call });
      return answer;
    };
    const respond = (request: ApiRequest, call: Omit<Call, 'key'>): Promise<ApiResponse> => {
      const answer = answerTo(call);
      if (answer === undefined) return new Promise(() => {});
      const { content } = answer;
      const ok = (body: JsonObject, date = EPOCH) => Promise.resolve({ body, date });
      const name = request.path.split('?')[0]?.split('/').at(-1) ?? '';
      if ('conflict' in content) return Promise.reject(code.statusError(409, undefined, request));
      // A list that times out is asked for again, after a while.
      if ('lost' in content)
        return Promise.reject(new code.ClusterError(call.kind === 'hub-list' ? 'forbidden' : 'timeout', 'no answer'));
      if ('leases' in content) {
        const list = {
          apiVersion: 'coordination.k8s.io/v1',
          kind: 'LeaseList',
          metadata: {},
          items: content.leases.map(leaseOf),
        };
        return ok(list);
      }
      if ('lock' in content) return ok(lockBody(content.lock), EPOCH + Math.floor(content.date) * 1000);
      if ('claim' in content && content.claim !== null) return ok(claimOf(name, content.claim));
      if ('lease' in content && content.lease !== null) return ok(leaseOf(content.lease));
      if ('written' in content) return ok(writtenBody(request, content.written));
      if ('done' in content) return ok({ kind: 'Status', status: 'Success' });
      return Promise.reject(code.statusError(404, { kind: 'Status', details: { name } }, request));
    };
    const member = (request: ApiRequest): Promise<ApiResponse> => {
      const { method, path } = request;
      const discovered = discovery(path);
      if (discovered !== undefined) return Promise.resolve({ body: discovered, date: EPOCH });
      if (path === leasePath(NAMESPACE, DIALECT)) {
        if (method === 'GET') return respond(request, { kind: 'get-lock' });
        return respond(request, { kind: 'put-lock', lock: lockOf(request.body as JsonObject) });
      }
      for (const name of ['id', 'set'] as const)
        if (path === objectPath({ dialect: DIALECT, name: NAMES[name] }, newestOf(DIALECT)))
          return respond(request, { kind: `get-${name}` });
      return Promise.reject(code.statusError(404, undefined, request));
    };
    const hub = (request: ApiRequest): Promise<ApiResponse> => {
      const { method, path, body } = request;
      const last = path.split('/').at(-1) ?? '';
      if (method === 'GET' && last.startsWith('leases')) {
        const selector = new URLSearchParams(last.split('?')[1]).get('labelSelector');
        const holder = selector?.split('=')[1];
        return respond(request, { kind: 'hub-list', ...(holder !== undefined && { holder }) });
      }
      if (method === 'GET') return respond(request, { kind: 'hub-get', name: last });
      if (method === 'DELETE') {
        const uid = textAt(body as JsonObject, ['preconditions', 'uid']);
        const version = textAt(body as JsonObject, ['preconditions', 'resourceVersion']);
        const lease = { ...nothing, name: last, uid: uid ?? '', version: version ?? '' };
        const isBare = uid === undefined || version === undefined;
        return respond(request, { kind: 'hub-delete', name: last, lease, ...(isBare && { bare: 1 }) });
      }
      const lease = recordOf(body as JsonObject);
      const kind = method === 'POST' ? 'hub-create' : 'hub-update';
      return respond(request, { kind, name: lease.name, lease });
    };
    const client = (call: typeof member) => ({ server: 'https://model', namespace: NAMESPACE, close: () => {}, call });
    const options = { hub: code.createHub(client(hub)), holder: async () => holder, clock };
    const registrar = code.createRegistrar(options);
    const pause = (): Promise<unknown> => {
      end.paused = true;
      return new Promise(() => {});
    };
    if (process.kind === 'round')
      void code.syncOnce({ ...options, client: client(member), listsAll }, deadline).then(
        () => {
          end.done = true;
        },
        (error) => failures.push(error),
      );
    else {
      const state = code.createLiveClusterState({ client: client(member), pause, registrar: () => registrar });
      void Promise.resolve(state.evaluate(subjectIn(process), engine, deadline)).then(
        ({ outcome }) => {
          end.verdict = outcome;
        },
        (error) => failures.push(error),
      );
    }
    // All that has been resolved runs before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (failures.length > 0) throw failures[0];
    const isOver = end.verdict !== undefined || end.done || end.paused;
    if (!isOver && pending.length === 0)
      throw new Error(`the code waits for what is no step of the model, in ${JSON.stringify(process)}`);
    return { pending: isOver ? [] : pending, ...end };
  }

  /** What was sent, under its new version: the code knows its attempts by names that it makes up. */
  function writtenBody({ body }: ApiRequest, written: HubLease | LockRecord): JsonObject {
    if (!('text' in written)) return leaseOf(written);
    const sent = body as JsonObject;
    return { ...sent, metadata: { ...(sent['metadata'] as JsonObject), resourceVersion: written.version } };
  }

  function leaseOf({ what, holder, unlabeled, renewed, confirmed, uid, version }: HubLease): JsonObject {
    const [clusterSet = '', id = ''] = what.split('/');
    const identity = { apiGroup: DIALECT.group, clusterSet, id };
    const lease = code.newReservation(identity, { holder, now: EPOCH + renewed * 1000, confirmed: confirmed === 1 });
    const metadata = {
      ...(lease['metadata'] as JsonObject),
      uid,
      resourceVersion: version,
      ...(unlabeled && { labels: {} }),
    };
    return { ...lease, metadata };
  }

  function recordOf(lease: JsonObject): HubLease {
    const reservation = code.reservationIn(lease);
    if (reservation === undefined) throw new Error(`no reservation: ${JSON.stringify(lease)}`);
    const { name, clusterSet, id, holder = '', renewed = 0, confirmed } = reservation;
    const isLabeled = textAt(lease, ['metadata', 'labels', 'muster/holder']) === holder;
    return {
      name,
      what: `${clusterSet}/${id}`,
      holder,
      ...(!isLabeled && { unlabeled: 1 as const }),
      renewed: (renewed - EPOCH) / 1000,
      ...(confirmed && { confirmed: 1 as const }),
      uid: textAt(lease, ['metadata', 'uid']) ?? '',
      version: textAt(lease, ['metadata', 'resourceVersion']) ?? '',
    };
  }

  return {
    runs: () => known.size,
    async next(process, holder, now) {
      const local = renamed(JSON.stringify([process, holder, now]));
      let progress = known.get(local.text);
      if (progress === undefined) {
        const [own] = JSON.parse(local.text);
        progress = await run(own, holder, now);
        known.set(local.text, progress);
      }
      if (progress.pending.length === 0) return progress;
      const back = new Map([...local.names].map(([from, to]) => [to, from]));
      const pending = JSON.stringify(progress.pending).replace(/~[ru]\d+/g, (token) => back.get(token) ?? token);
      return { ...progress, pending: JSON.parse(pending) };
    },
  };
}

const nothing: HubLease = { name: '', what: '', holder: '', renewed: 0, uid: '', version: '' };

/** The cluster serves one kind of claims. */
function discovery(path: string): JsonObject | undefined {
  // Other kinds are not served, so that the code asks whether an API server is there.
  if (path === '/version') return {};
  const [, apis, group, version, ...rest] = path.split('/');
  if (apis !== 'apis' || group !== DIALECT.group || rest.length > 0) return undefined;
  if (version === undefined) return { versions: DIALECT.versions.map((one) => ({ version: one })) };
  return version === newestOf(DIALECT) ? { resources: [{ name: DIALECT.plural }] } : undefined;
}

function claimOf(name: string, { uid, version, value }: StoredClaim): JsonObject {
  return {
    apiVersion: `${DIALECT.group}/${newestOf(DIALECT)}`,
    kind: DIALECT.kind,
    metadata: { name, ...(uid !== '' && { uid }), ...(version !== '' && { resourceVersion: version }) },
    spec: { value },
  };
}

function lockBody({ version, text }: LockRecord): JsonObject {
  const { annotations, spec } = JSON.parse(text);
  const metadata = { name: lockLeaseName(DIALECT), resourceVersion: version, annotations };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
}

/** Who made the attempt does not matter here: no answer of the member's API server is lost. */
function lockOf(body: JsonObject): LockRecord {
  const made = at(body, ['metadata', 'annotations']) as JsonObject | undefined;
  const annotations = { ...made, ...(made?.['lock.muster/attempt'] && { 'lock.muster/attempt': 'one' }) };
  const spec = at(body, ['spec']) as JsonObject;
  return {
    version: textAt(body, ['metadata', 'resourceVersion']) ?? '',
    text: JSON.stringify({ annotations, spec }),
  };
}

function subjectIn({ write, uid = '', seen }: Process): Subject {
  if (write === undefined) throw new Error('a round has no subject');
  const { operation, value } = write;
  const name = NAMES[write.name];
  const stored = seen && claimOf(name, seen);
  const written = claimOf(name, { ...(seen ?? { uid, version: '' }), value });
  const object = operation === 'DELETE' && stored ? stored : written;
  const identity = { username: 'jane', groups: [] };
  return subjectOf(
    { dialect: DIALECT, name },
    { version: newestOf(DIALECT), operation, object, oldObject: stored, identity },
  );
}
