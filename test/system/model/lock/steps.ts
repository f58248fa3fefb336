/**
 * All that can happen next in a state of the model. Each step of the code under test is one here: a call is answered
 * in one step, since nothing
 * else can see whether its answer is still on the way. See docs/race-safety.md for the sources of what the API server
 * does.
 */
import { decided, type Progress, type Reviewer } from './reviewer.ts';
import {
  type Answer,
  type Budget,
  type Call,
  type Content,
  fresh,
  type LeaseRecord,
  MEMBERSHIP,
  type Name,
  type Request,
  type StoredObject,
  type SystemState,
  type Write,
} from './system-state.ts';

export interface Bounds {
  /**
   * Whether a user may do several writes at once. The digest of a writer tells them apart, so that it makes no
   * difference.
   */
  readonly sharedUsers?: boolean;
  /** The most requests at the same time. */
  readonly writers: number;
  readonly writes: readonly Write[];
  /** One API server, whose crash ends all requests; several, of which one crashes; or such that never crash. */
  readonly servers: 'one' | 'several' | 'lasting';
  /** Seconds since the start, by the API servers' clock, from one advance to the next. */
  readonly clock: readonly number[];
}

export interface Step {
  /** What happens, in the words of the step table, and to which request. */
  readonly label: string;
  readonly system: SystemState;
}

/** An API server ends a request after so many seconds (`--request-timeout`, at most). */
const REQUEST_SECONDS = 60;
/** And a call of a webhook after so many (`timeoutSeconds`, at most). */
const REVIEW_SECONDS = 30;

export function createSteps(reviewer: Reviewer, bounds: Bounds) {
  const { clock } = bounds;

  /** Lets the code run on after an answer, or from the start, and the API server act on the verdict. */
  async function advance(system: SystemState, request: Request, isNew: boolean): Promise<Step[]> {
    const lastRead = request.answers.at(-1);
    const isRead =
      isNew && lastRead !== undefined && 'lease' in lastRead.content && lastRead.content.lease.lock !== null;
    const now = clock[system.moment] ?? 0;
    const progress = await reviewer.next(request, isRead ? now : undefined);
    if (!isRead || progress.expired === undefined) return settle(system, request, progress);
    const { lock } = (lastRead.content as { lease: LeaseRecord }).lease;
    // The model leaves out what a replica has seen before. That is exact as long as the lock's own time decides.
    if (lock !== null && reviewer.remembers(lock, now, clock))
      throw new Error('what a replica has seen makes a difference');
    return settle(system, { ...request, answers: decided(request.answers, progress.expired) }, progress);
  }

  async function settle(
    system: SystemState,
    request: Request,
    { verdict, paused, pending }: Progress,
  ): Promise<Step[]> {
    if (paused && request.late) return [{ label: '', system: without(system, request) }];
    if (paused) {
      // Attempts but the last are alike: any number of them may follow. During the pause muster may notice that the
      // request has ended.
      const next = { ...request, answers: [], pending: [] };
      const steps = [...(await advance(system, next, false)), ...(await advance(system, { ...next, last: 1 }, false))];
      return request.orphan ? [...steps, ...(await advance(system, { ...next, last: 1, late: 1 }, false))] : steps;
    }
    if (verdict === undefined) return [{ label: '', system: withRequest(system, { ...request, pending }) }];
    const { last: _, late: __, ...rest } = request;
    if (verdict !== 'allowed' || request.orphan)
      return [{ label: request.orphan ? '' : ` → ${verdict}`, system: without(system, request) }];
    return [
      {
        label: ' → allowed',
        system: withRequest(system, { ...rest, phase: 'store', answers: [], pending: [] }),
      },
    ];
  }

  async function begin(system: SystemState, label: string, request: Request): Promise<Step[]> {
    const steps = await advance(system, { ...request, phase: 'review', answers: [], pending: [] }, false);
    return steps.map((step) => ({ ...step, label: `${label}${step.label}` }));
  }

  async function starts(system: SystemState, write: Write, user: string) {
    const { operation, name } = write;
    const fixed = { phase: 'review', answers: [], pending: [] } as const;
    const base = { ...write, ...fixed, user, id: system.made, born: system.moment };
    const label = `${base.id}: ${user} ${operation} ${name} ${write.value}`;
    if (operation === 'CREATE') {
      const [uid, next] = fresh(system, 'u');
      return begin({ ...next, made: system.made + 1 }, label, { ...base, uid });
    }
    const steps: Step[] = [];
    const stored = system.objects[name];
    const after = { ...system, made: system.made + 1 };
    if (stored) steps.push(...(await begin(after, label, { ...base, seen: stored })));
    const former = system.former[name];
    if (former && system.left.stale > 0 && former.version !== stored?.version)
      steps.push(...(await begin(spend(after, 'stale'), `${label}, of an old snapshot`, { ...base, seen: former })));
    return steps;
  }

  async function answers(system: SystemState, request: Request, call: Call): Promise<Step[]> {
    const label = `${request.id}: ${call.key}`;
    const steps: Step[] = [];
    const give = async (next: SystemState, content: Content, how: string) => {
      const answer: Answer = { key: call.key, content, ...(request.late && { late: 1 as const }) };
      const done = { ...request, answers: [...request.answers, answer], pending: [] };
      for (const step of await advance(next, done, true)) steps.push({ ...step, label: `${label}${how}${step.label}` });
    };
    const isCut = request.late !== undefined && call.bound !== undefined;
    const mayBeLost = isCut || system.left.lost > 0;
    const lossy = isCut ? system : { ...spend(system, 'lost'), disturbed: 1 as const };
    if (call.what === 'get-lease') {
      const date = Math.floor(clock[system.moment] ?? 0);
      await give(system, { lease: system.lease, date }, '');
    } else if (call.what !== 'put-lease') await give(system, { object: system.objects[call.what] ?? null }, '');
    if (call.what !== 'put-lease') {
      if (mayBeLost) await give(lossy, { lost: 1 }, ' is lost');
      return steps;
    }
    const [put, next, attempt] = named(system, call.lease as LeaseRecord);
    const name = attempt === undefined ? {} : { attempt };
    const written = store(next, put);
    if (written !== undefined) await give(written, { put: 'stored', version: written.lease.version, ...name }, '');
    else await give(next, { put: 'conflict', ...name }, ' finds a newer Lease');
    if (!mayBeLost) return steps;
    const [, lost] = named(lossy, call.lease as LeaseRecord);
    const content = { put: 'lost', ...name } as const;
    await give(lost, content, ' is lost before it arrives');
    const stored = store(lost, put);
    if (stored === undefined) return steps;
    await give(stored, content, ' is stored, and its answer is lost');
    if (!isCut) await give({ ...lost, stragglers: [...lost.stragglers, put] }, content, ' is lost, and arrives later');
    return steps;
  }

  /**
   * The API server stores what was allowed, if the object is as it was reviewed; if not, it reads it again and has
   * that reviewed.
   */
  async function commit(system: SystemState, request: Request): Promise<Step[]> {
    const { operation, name, seen, value } = request;
    const stored = system.objects[name] ?? null;
    const label = `${request.id}: is stored`;
    const done = without(system, request);
    if (operation === 'CREATE') {
      if (stored !== null) return [{ label: `${request.id}: exists already`, system: done }];
      const [version, next] = fresh(done, 'r');
      return [{ label, system: put(next, name, { uid: request.uid ?? '', version, value }) }];
    }
    if (stored === null) return [{ label: `${request.id}: is not found`, system: done }];
    if (stored.version !== seen?.version)
      return begin(system, `${request.id}: is read again`, { ...request, seen: stored });
    if (operation === 'DELETE' && stored.finalizer === undefined) return [{ label, system: put(done, name, null) }];
    if (operation === 'DELETE' && stored.going) return [{ label, system: done }];
    const [version, next] = fresh(done, 'r');
    const changed = operation === 'DELETE' ? { ...stored, going: 1 as const } : { ...stored, value };
    return [{ label, system: put(next, name, { ...changed, version }) }];
  }

  function put(system: SystemState, name: Name, object: StoredObject | null): SystemState {
    const former = system.left.stale > 0 ? system.former.with(name, system.objects[name] ?? null) : [];
    return { ...system, former, objects: system.objects.with(name, object) };
  }

  /**
   * The API server ends requests. muster notices, and ends their reads; a Lease that it has sent may be stored all
   * the same. Where it does not
   * notice, it goes on for nobody.
   */
  function drop(system: SystemState, ended: readonly Request[], isNoticed: boolean): SystemState {
    return ended.reduce<SystemState>(
      (rest, request) => {
        const isSending = request.pending.some(({ what }) => what === 'put-lease');
        if (request.phase === 'store' || (isNoticed && !isSending)) return without(rest, request);
        return withRequest(rest, { ...request, orphan: 1, ...(isNoticed && { late: 1 }) });
      },
      { ...system, disturbed: 1 },
    );
  }

  /**
   * A call of a webhook ends after 30 s, a request after 60 s. A replica that was stalled meanwhile notices nothing.
   */
  function ticks(system: SystemState): Step[] {
    const now = clock[system.moment + 1] ?? 0;
    const age = ({ born }: Request) => now - (clock[born] ?? 0);
    const ended = system.requests.filter(
      (one) => age(one) >= (one.phase === 'review' ? REVIEW_SECONDS : REQUEST_SECONDS),
    );
    const label = 'time passes';
    const after = ended.length === 0 ? system : drop(system, ended, true);
    const steps = [{ label, system: atMoment(after, system.moment + 1) }];
    if (system.left.crash === 0) return steps;
    for (const stalled of subsets(ended.filter((one) => one.phase === 'review' && !one.late))) {
      const others = ended.filter((one) => !stalled.includes(one));
      const stopped = drop(drop(spend(system, 'crash'), others, true), stalled, false);
      steps.push({
        label: `${label}, and muster stalls in ${numbers(stalled)}`,
        system: atMoment(stopped, system.moment + 1),
      });
    }
    return steps;
  }

  /** At the last moment it matters of a time only whether a lock of it has expired. */
  function atMoment(system: SystemState, moment: number): SystemState {
    if (moment < clock.length - 2) return { ...system, moment };
    const [now, before] = [clock[moment] ?? 0, clock[moment - 1] ?? 0].map(Math.floor);
    const text = JSON.stringify({ ...system, requests: system.requests.map((one) => ({ ...one, born: moment })) });
    return { ...JSON.parse(text.replaceAll(`"renewed":${before},`, `"renewed":${now},`)), moment };
  }

  /** Replicas end at once, with these reviews; what they have sent may still arrive. */
  function crash(system: SystemState, lost: readonly Request[]): Step[] {
    const base = lost.reduce(without, spend({ ...system, disturbed: 1 }, 'crash'));
    const label = `muster crashes in ${numbers(lost)}`;
    const steps = [{ label, system: base }];
    for (const { lease } of lost.flatMap(({ pending }) => pending)) {
      if (lease === undefined || lease.version !== system.lease.version) continue;
      const [sent, next] = named(base, lease);
      steps.push({
        label: `${label}, and its Lease arrives later`,
        system: { ...next, stragglers: [...base.stragglers, sent] },
      });
    }
    return steps;
  }

  function environment(system: SystemState): Step[] {
    const { left, requests } = system;
    const steps: Step[] = [];
    if (system.moment < clock.length - 2) steps.push(...ticks(system));
    if (left.crash > 0) {
      for (const some of subsets(requests.filter(({ phase }) => phase === 'review')))
        steps.push(...crash(system, some));
      const served = requests.filter(({ orphan }) => !orphan);
      const ended = { one: subsets(served).slice(-1), several: subsets(served), lasting: [] }[bounds.servers];
      for (const some of ended) {
        const label = `an API server crashes in ${numbers(some)}`;
        steps.push({ label, system: drop(spend(system, 'crash'), some, false) });
        if (some.some(({ phase }) => phase === 'review'))
          steps.push({ label: `${label}, and muster notices`, system: drop(spend(system, 'crash'), some, true) });
      }
    }
    system.objects.forEach((object, index) => {
      const name = index as Name;
      if (object?.going) steps.push({ label: `the finalizer of ${name} is removed`, system: put(system, name, null) });
      if (object === null || left.touch === 0) return;
      const [version, next] = fresh(spend(system, 'touch'), 'r');
      steps.push({ label: `the metadata of ${name} changes`, system: put(next, name, { ...object, version }) });
    });
    system.stragglers.forEach((lease, index) => {
      const rest = { ...system, stragglers: system.stragglers.toSpliced(index, 1) };
      steps.push({ label: 'a Lease arrives late', system: store(rest, lease) ?? rest });
    });
    return steps;
  }

  /**
   * The API server can't call muster, or gets no answer in time, and stores a leave all the same. Where it has called
   * it, muster may go on with the review, for nobody.
   */
  function failsOpen(system: SystemState, request: Request): Step[] {
    const { operation, name, orphan, id } = request;
    if (system.left.open === 0 || operation !== 'DELETE' || name !== MEMBERSHIP || orphan) return [];
    const label = `${id}: is stored without muster`;
    const after = spend({ ...system, disturbed: 1 }, 'open');
    const alone = withRequest(after, { ...request, phase: 'store', answers: [], pending: [] });
    const beside = { ...alone, made: system.made + 1 };
    const review = { ...request, id: system.made, orphan: 1 as const };
    const isSending = request.pending.some(({ what }) => what === 'put-lease');
    const reviews = isSending ? [review, { ...review, late: 1 as const }] : [review];
    return [
      { label, system: alone },
      ...reviews.map((one) => ({ label: `${label}, which goes on`, system: withRequest(beside, one) })),
    ];
  }

  async function ofRequest(system: SystemState, request: Request): Promise<Step[]> {
    const { phase, orphan, repeated } = request;
    const steps: Step[] = [];
    if (phase === 'store') steps.push(...(await commit(system, request)));
    else for (const call of request.pending) steps.push(...(await answers(system, request, call)));
    if (phase === 'review') steps.push(...failsOpen(system, request));
    if (phase === 'store' && system.left.lost > 0) {
      const lossy = spend(system, 'lost');
      steps.push({ label: `${request.id}: the verdict is lost`, system: drop(lossy, [request], true) });
      steps.push(
        ...(await begin(
          { ...lossy, disturbed: 1 },
          `${request.id}: the verdict is lost, and asked for again`,
          request,
        )),
      );
    }
    if (!orphan && !repeated && system.left.retry > 0) {
      const repeat = spend(withRequest({ ...system, disturbed: 1 }, { ...request, repeated: 1 }), 'retry');
      const { operation, name, value, user } = request;
      for (const step of await starts(repeat, { operation, name, value }, user))
        steps.push({ ...step, label: `${request.id} is repeated as ${step.label}` });
    }
    return steps;
  }

  return {
    async next(system: SystemState): Promise<Step[]> {
      const steps = environment(system);
      for (const request of system.requests) steps.push(...(await ofRequest(system, request)));
      if (system.left.start === 0 || system.requests.length >= bounds.writers) return steps;
      const after = spend(system, 'start');
      for (const write of bounds.writes)
        for (const [user, next] of users(after, write, bounds.sharedUsers === true))
          steps.push(...(await starts(next, write, user)));
      return steps;
    },
    starts,
    answers,
  };
}

/**
 * All choices of some of the requests. With two replicas or more, any of the reviews may be in the one that crashes,
 * and with two API servers any of the requests: so a state need not say which is where.
 */
function subsets(requests: readonly Request[]): (readonly Request[])[] {
  let sets: (readonly Request[])[] = [[]];
  for (const one of requests) sets = sets.concat(sets.map((set) => [...set, one]));
  return sets.slice(1);
}

function numbers(requests: readonly Request[]): string {
  return requests.map(({ id }) => id).join(' and ');
}

/** Users matter where they are the same: of the same write, or with `sharedUsers` of any. */
function users(system: SystemState, write: Write, isShared: boolean): (readonly [string, SystemState])[] {
  const holders = [...system.requests.map(holderOf), system.lease.lock?.holder ?? ''];
  const same = holders.filter((one) => one !== '' && (isShared || one.endsWith(holderOf({ ...write, user: '' }))));
  const known = [...new Set(same.map((one) => one.split(' ')[0] ?? ''))];
  return [...known.map((user): readonly [string, SystemState] => [user, system]), fresh(system, 'j')];
}

function holderOf({ user, operation, name, value }: Pick<Request, 'user' | 'operation' | 'name' | 'value'>): string {
  return `${user} ${operation} ${name} ${value}`;
}

/** Gives the attempt of a Lease its name when it is sent. */
function named(system: SystemState, lease: LeaseRecord): readonly [LeaseRecord, SystemState, string | undefined] {
  if (lease.lock?.attempt !== '~a!') return [lease, system, undefined];
  const [attempt, next] = fresh(system, 'a');
  return [{ ...lease, lock: { ...lease.lock, attempt } }, next, attempt];
}

/**
 * Stores a Lease under compare-and-swap; undefined: it was written since. Those on the way can't succeed any more
 * then.
 */
function store(system: SystemState, lease: LeaseRecord): SystemState | undefined {
  if (lease.version !== system.lease.version) return undefined;
  const [version, next] = fresh(system, 'r');
  return { ...next, lease: { version, lock: lease.lock }, stragglers: [] };
}

function withRequest(system: SystemState, request: Request): SystemState {
  const index = system.requests.findIndex(({ id }) => id === request.id);
  const requests = index < 0 ? [...system.requests, request] : system.requests.with(index, request);
  return { ...system, requests };
}

function without(system: SystemState, { id }: Request): SystemState {
  return { ...system, requests: system.requests.filter((one) => one.id !== id) };
}

function spend(system: SystemState, part: keyof Budget): SystemState {
  const left = { ...system.left, [part]: system.left[part] - 1 };
  return { ...system, left, former: left.stale > 0 ? system.former : [] };
}
