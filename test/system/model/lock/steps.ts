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
  type Name,
  type Request,
  type StoredObject,
  type World,
  type Write,
} from './world.ts';

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
  readonly world: World;
}

/** An API server ends a request after so many seconds (`--request-timeout`, at most). */
const REQUEST_SECONDS = 60;
/** And a call of a webhook after so many (`timeoutSeconds`, at most). */
const REVIEW_SECONDS = 30;

export function createSteps(reviewer: Reviewer, bounds: Bounds) {
  const { clock } = bounds;

  /** Lets the code run on after an answer, or from the start, and the API server act on the verdict. */
  async function advance(world: World, request: Request, isNew: boolean): Promise<Step[]> {
    const lastRead = request.answers.at(-1);
    const isRead =
      isNew && lastRead !== undefined && 'lease' in lastRead.content && lastRead.content.lease.lock !== null;
    const now = clock[world.moment] ?? 0;
    const progress = await reviewer.next(request, isRead ? now : undefined);
    if (!isRead || progress.expired === undefined) return settle(world, request, progress);
    const { lock } = (lastRead.content as { lease: LeaseRecord }).lease;
    // The model leaves out what a replica has seen before. That is exact as long as the lock's own time decides.
    if (lock !== null && reviewer.remembers(lock, now, clock))
      throw new Error('what a replica has seen makes a difference');
    return settle(world, { ...request, answers: decided(request.answers, progress.expired) }, progress);
  }

  async function settle(world: World, request: Request, { verdict, paused, pending }: Progress): Promise<Step[]> {
    if (paused && request.late) return [{ label: '', world: without(world, request) }];
    if (paused) {
      // Attempts but the last are alike: any number of them may follow. During the pause muster may notice that the
      // request has ended.
      const next = { ...request, answers: [], pending: [] };
      const steps = [...(await advance(world, next, false)), ...(await advance(world, { ...next, last: 1 }, false))];
      return request.orphan ? [...steps, ...(await advance(world, { ...next, last: 1, late: 1 }, false))] : steps;
    }
    if (verdict === undefined) return [{ label: '', world: withRequest(world, { ...request, pending }) }];
    const { last: _, late: __, ...rest } = request;
    if (verdict !== 'allowed' || request.orphan)
      return [{ label: request.orphan ? '' : ` → ${verdict}`, world: without(world, request) }];
    return [
      {
        label: ' → allowed',
        world: withRequest(world, { ...rest, phase: 'store', answers: [], pending: [] }),
      },
    ];
  }

  async function begin(world: World, label: string, request: Request): Promise<Step[]> {
    const steps = await advance(world, { ...request, phase: 'review', answers: [], pending: [] }, false);
    return steps.map((step) => ({ ...step, label: `${label}${step.label}` }));
  }

  async function starts(world: World, write: Write, user: string) {
    const { operation, name } = write;
    const fixed = { phase: 'review', answers: [], pending: [] } as const;
    const base = { ...write, ...fixed, user, id: world.made, born: world.moment };
    const label = `${base.id}: ${user} ${operation} ${name} ${write.value}`;
    if (operation === 'CREATE') {
      const [uid, next] = fresh(world, 'u');
      return begin({ ...next, made: world.made + 1 }, label, { ...base, uid });
    }
    const steps: Step[] = [];
    const stored = world.objects[name];
    const after = { ...world, made: world.made + 1 };
    if (stored) steps.push(...(await begin(after, label, { ...base, seen: stored })));
    const former = world.former[name];
    if (former && world.left.stale > 0 && former.version !== stored?.version)
      steps.push(...(await begin(spend(after, 'stale'), `${label}, of an old snapshot`, { ...base, seen: former })));
    return steps;
  }

  async function answers(world: World, request: Request, call: Call): Promise<Step[]> {
    const label = `${request.id}: ${call.key}`;
    const steps: Step[] = [];
    const give = async (next: World, content: Content, how: string) => {
      const answer: Answer = { key: call.key, content, ...(request.late && { late: 1 as const }) };
      const done = { ...request, answers: [...request.answers, answer], pending: [] };
      for (const step of await advance(next, done, true)) steps.push({ ...step, label: `${label}${how}${step.label}` });
    };
    const isCut = request.late !== undefined && call.bound !== undefined;
    const mayBeLost = isCut || world.left.lost > 0;
    const lossy = isCut ? world : { ...spend(world, 'lost'), disturbed: 1 as const };
    if (call.what === 'get-lease') {
      const date = Math.floor(clock[world.moment] ?? 0);
      await give(world, { lease: world.lease, date }, '');
    } else if (call.what !== 'put-lease') await give(world, { object: world.objects[call.what] ?? null }, '');
    if (call.what !== 'put-lease') {
      if (mayBeLost) await give(lossy, { lost: 1 }, ' is lost');
      return steps;
    }
    const [put, next, attempt] = named(world, call.lease as LeaseRecord);
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
  async function commit(world: World, request: Request): Promise<Step[]> {
    const { operation, name, seen, value } = request;
    const stored = world.objects[name] ?? null;
    const label = `${request.id}: is stored`;
    const done = without(world, request);
    if (operation === 'CREATE') {
      if (stored !== null) return [{ label: `${request.id}: exists already`, world: done }];
      const [version, next] = fresh(done, 'r');
      return [{ label, world: put(next, name, { uid: request.uid ?? '', version, value }) }];
    }
    if (stored === null) return [{ label: `${request.id}: is not found`, world: done }];
    if (stored.version !== seen?.version)
      return begin(world, `${request.id}: is read again`, { ...request, seen: stored });
    if (operation === 'DELETE' && stored.finalizer === undefined) return [{ label, world: put(done, name, null) }];
    if (operation === 'DELETE' && stored.going) return [{ label, world: done }];
    const [version, next] = fresh(done, 'r');
    const changed = operation === 'DELETE' ? { ...stored, going: 1 as const } : { ...stored, value };
    return [{ label, world: put(next, name, { ...changed, version }) }];
  }

  function put(world: World, name: Name, object: StoredObject | null): World {
    const former = world.left.stale > 0 ? world.former.with(name, world.objects[name] ?? null) : [];
    return { ...world, former, objects: world.objects.with(name, object) };
  }

  /**
   * The API server ends requests. muster notices, and ends their reads; a Lease that it has sent may be stored all
   * the same. Where it does not
   * notice, it goes on for nobody.
   */
  function drop(world: World, ended: readonly Request[], isNoticed: boolean): World {
    return ended.reduce<World>(
      (rest, request) => {
        const isSending = request.pending.some(({ what }) => what === 'put-lease');
        if (request.phase === 'store' || (isNoticed && !isSending)) return without(rest, request);
        return withRequest(rest, { ...request, orphan: 1, ...(isNoticed && { late: 1 }) });
      },
      { ...world, disturbed: 1 },
    );
  }

  /**
   * A call of a webhook ends after 30 s, a request after 60 s. A replica that was stalled meanwhile notices nothing.
   */
  function ticks(world: World): Step[] {
    const now = clock[world.moment + 1] ?? 0;
    const age = ({ born }: Request) => now - (clock[born] ?? 0);
    const ended = world.requests.filter(
      (one) => age(one) >= (one.phase === 'review' ? REVIEW_SECONDS : REQUEST_SECONDS),
    );
    const label = 'time passes';
    const after = ended.length === 0 ? world : drop(world, ended, true);
    const steps = [{ label, world: atMoment(after, world.moment + 1) }];
    if (world.left.crash === 0) return steps;
    for (const stalled of subsets(ended.filter((one) => one.phase === 'review' && !one.late))) {
      const others = ended.filter((one) => !stalled.includes(one));
      const stopped = drop(drop(spend(world, 'crash'), others, true), stalled, false);
      steps.push({
        label: `${label}, and muster stalls in ${numbers(stalled)}`,
        world: atMoment(stopped, world.moment + 1),
      });
    }
    return steps;
  }

  /** At the last moment it matters of a time only whether a lock of it has expired. */
  function atMoment(world: World, moment: number): World {
    if (moment < clock.length - 2) return { ...world, moment };
    const [now, before] = [clock[moment] ?? 0, clock[moment - 1] ?? 0].map(Math.floor);
    const text = JSON.stringify({ ...world, requests: world.requests.map((one) => ({ ...one, born: moment })) });
    return { ...JSON.parse(text.replaceAll(`"renewed":${before},`, `"renewed":${now},`)), moment };
  }

  /** Replicas end at once, with these reviews; what they have sent may still arrive. */
  function crash(world: World, lost: readonly Request[]): Step[] {
    const base = lost.reduce(without, spend({ ...world, disturbed: 1 }, 'crash'));
    const label = `muster crashes in ${numbers(lost)}`;
    const steps = [{ label, world: base }];
    for (const { lease } of lost.flatMap(({ pending }) => pending)) {
      if (lease === undefined || lease.version !== world.lease.version) continue;
      const [sent, next] = named(base, lease);
      steps.push({
        label: `${label}, and its Lease arrives later`,
        world: { ...next, stragglers: [...base.stragglers, sent] },
      });
    }
    return steps;
  }

  function environment(world: World): Step[] {
    const { left, requests } = world;
    const steps: Step[] = [];
    if (world.moment < clock.length - 2) steps.push(...ticks(world));
    if (left.crash > 0) {
      for (const some of subsets(requests.filter(({ phase }) => phase === 'review'))) steps.push(...crash(world, some));
      const served = requests.filter(({ orphan }) => !orphan);
      const ended = { one: subsets(served).slice(-1), several: subsets(served), lasting: [] }[bounds.servers];
      for (const some of ended) {
        const label = `an API server crashes in ${numbers(some)}`;
        steps.push({ label, world: drop(spend(world, 'crash'), some, false) });
        if (some.some(({ phase }) => phase === 'review'))
          steps.push({ label: `${label}, and muster notices`, world: drop(spend(world, 'crash'), some, true) });
      }
    }
    world.objects.forEach((object, index) => {
      const name = index as Name;
      if (object?.going) steps.push({ label: `the finalizer of ${name} is removed`, world: put(world, name, null) });
      if (object === null || left.touch === 0) return;
      const [version, next] = fresh(spend(world, 'touch'), 'r');
      steps.push({ label: `the metadata of ${name} changes`, world: put(next, name, { ...object, version }) });
    });
    world.stragglers.forEach((lease, index) => {
      const rest = { ...world, stragglers: world.stragglers.toSpliced(index, 1) };
      steps.push({ label: 'a Lease arrives late', world: store(rest, lease) ?? rest });
    });
    return steps;
  }

  async function ofRequest(world: World, request: Request): Promise<Step[]> {
    const { phase, orphan, repeated } = request;
    const steps: Step[] = [];
    if (phase === 'store') steps.push(...(await commit(world, request)));
    else for (const call of request.pending) steps.push(...(await answers(world, request, call)));
    if (phase === 'store' && world.left.lost > 0) {
      const lossy = spend(world, 'lost');
      steps.push({ label: `${request.id}: the verdict is lost`, world: drop(lossy, [request], true) });
      steps.push(
        ...(await begin(
          { ...lossy, disturbed: 1 },
          `${request.id}: the verdict is lost, and asked for again`,
          request,
        )),
      );
    }
    if (!orphan && !repeated && world.left.retry > 0) {
      const repeat = spend(withRequest({ ...world, disturbed: 1 }, { ...request, repeated: 1 }), 'retry');
      const { operation, name, value, user } = request;
      for (const step of await starts(repeat, { operation, name, value }, user))
        steps.push({ ...step, label: `${request.id} is repeated as ${step.label}` });
    }
    return steps;
  }

  return {
    async next(world: World): Promise<Step[]> {
      const steps = environment(world);
      for (const request of world.requests) steps.push(...(await ofRequest(world, request)));
      if (world.left.start === 0 || world.requests.length >= bounds.writers) return steps;
      const after = spend(world, 'start');
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
function users(world: World, write: Write, isShared: boolean): (readonly [string, World])[] {
  const holders = [...world.requests.map(holderOf), world.lease.lock?.holder ?? ''];
  const same = holders.filter((one) => one !== '' && (isShared || one.endsWith(holderOf({ ...write, user: '' }))));
  const known = [...new Set(same.map((one) => one.split(' ')[0] ?? ''))];
  return [...known.map((user): readonly [string, World] => [user, world]), fresh(world, 'j')];
}

function holderOf({ user, operation, name, value }: Pick<Request, 'user' | 'operation' | 'name' | 'value'>): string {
  return `${user} ${operation} ${name} ${value}`;
}

/** Gives the attempt of a Lease its name when it is sent. */
function named(world: World, lease: LeaseRecord): readonly [LeaseRecord, World, string | undefined] {
  if (lease.lock?.attempt !== '~a!') return [lease, world, undefined];
  const [attempt, next] = fresh(world, 'a');
  return [{ ...lease, lock: { ...lease.lock, attempt } }, next, attempt];
}

/**
 * Stores a Lease under compare-and-swap; undefined: it was written since. Those on the way can't succeed any more
 * then.
 */
function store(world: World, lease: LeaseRecord): World | undefined {
  if (lease.version !== world.lease.version) return undefined;
  const [version, next] = fresh(world, 'r');
  return { ...next, lease: { version, lock: lease.lock }, stragglers: [] };
}

function withRequest(world: World, request: Request): World {
  const index = world.requests.findIndex(({ id }) => id === request.id);
  const requests = index < 0 ? [...world.requests, request] : world.requests.with(index, request);
  return { ...world, requests };
}

function without(world: World, { id }: Request): World {
  return { ...world, requests: world.requests.filter((one) => one.id !== id) };
}

function spend(world: World, part: keyof Budget): World {
  const left = { ...world.left, [part]: world.left[part] - 1 };
  return { ...world, left, former: left.stale > 0 ? world.former : [] };
}
