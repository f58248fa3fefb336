/** All that can happen next in a state of the registrar's model. A call is answered in one step. */
import type { Progress, Runner } from './runner.ts';
import {
  type Answer,
  type Call,
  type Content,
  fresh,
  type HubLease,
  type LockRecord,
  type Member,
  type Process,
  type StoredClaim,
  type Straggler,
  type World,
  type Write,
} from './world.ts';

export interface Bounds {
  /** Seconds since the start, from one advance to the next. */
  readonly clock: readonly number[];
  /** The most processes of a member at the same time. */
  readonly parallel: number;
  /** Each call of a member's own API server is a step; else such calls of a process that is alone there are none. */
  readonly fine?: boolean;
  /** Whether a member has a second replica, whose clock is ahead. */
  readonly skewed?: boolean;
}

export interface Step {
  readonly label: string;
  readonly world: World;
  /** What reached the hub, and its answer. */
  readonly asked?: { readonly call: Omit<Call, 'key'>; readonly content: Content };
}

/** An API server ends a request after so many seconds, and a call of a webhook after so many. */
const REQUEST_SECONDS = 60;
const REVIEW_SECONDS = 30;

export function createSteps(runner: Runner, { clock, parallel, fine, skewed }: Bounds) {
  const isLocal = ({ kind }: Call) => !kind.startsWith('hub');

  /** Lets the code run on, and the API server act on the verdict. */
  async function advance(world: World, at: number, index: number, label: string): Promise<Step> {
    const process = processOf(world, at, index);
    const progress = await runner.next(process, holderOf(at), world.now);
    const next = settle(world, at, index, progress);
    const [text, after, isOver] = next;
    if (isOver) return { label: `${label}${text}`, world: after };
    const member = memberOf(after, at);
    const call = processOf(after, at, index).pending.find(isLocal);
    if (fine || member.processes.length > 1 || call === undefined) return { label, world: after };
    // Nothing else can tell when a process that is alone calls its own API server.
    const [step] = answers(after, at, index, call);
    return advance(step?.world ?? after, at, index, label);
  }

  function settle(world: World, at: number, index: number, progress: Progress): [string, World, boolean] {
    const process = processOf(world, at, index);
    if (progress.verdict === undefined && !progress.done && !progress.paused)
      return ['', withProcess(world, at, index, { ...process, pending: progress.pending }), false];
    if (progress.verdict !== 'allowed' || process.orphan)
      return [` → ${progress.verdict ?? (progress.paused ? 'blocked' : 'done')}`, without(world, at, index), true];
    const { orphan: _, ...rest } = process;
    return [' → allowed', withProcess(world, at, index, { ...rest, allowed: 1, answers: [], pending: [] }), true];
  }

  /** The states after a call, without the run of the code: the first is that of a call in which nothing goes wrong. */
  function answers(world: World, at: number, index: number, call: Call): Step[] {
    const give = (next: World, content: Content): World => {
      const process = processOf(next, at, index);
      const answer: Answer = { key: call.key, content };
      const all = [...process.answers, answer].sort((a, b) => (a.key < b.key ? -1 : 1));
      const pending = process.pending.filter(({ key }) => key !== call.key);
      return withProcess(next, at, index, { ...process, answers: all, pending });
    };
    const steps: Step[] = [];
    const [content, after] = perform(world, at, call);
    const asked = isLocal(call) ? {} : { asked: { call, content } };
    steps.push({ label: '', world: give(after, content), ...asked });
    if (world.lost === 0 || call.kind.endsWith('lock')) return steps;
    const lossy = { ...world, lost: world.lost - 1 };
    steps.push({ label: ' is lost', world: give(lossy, { lost: 1 }) });
    if (!isWrite(call)) return steps;
    const [, stored] = perform(lossy, at, call);
    steps.push({ label: ' is done, and its answer is lost', world: give(stored, { lost: 1 }), ...asked });
    const late = { ...lossy, stragglers: [...lossy.stragglers, stragglerOf(call)] };
    steps.push({ label: ' is lost, and arrives later', world: give(late, { lost: 1 }) });
    return steps;
  }

  function perform(world: World, at: number, call: Call): [Content, World] {
    const member = memberOf(world, at);
    if (call.kind === 'get-lock') return [{ lock: member.lock, date: world.now }, world];
    if (call.kind === 'get-id') return [{ claim: member.id }, world];
    if (call.kind === 'get-set') return [{ claim: member.set }, world];
    if (call.kind !== 'put-lock') return onHub(world, call);
    if (call.lock?.version !== member.lock.version) return [{ conflict: 1 }, world];
    const [version, next] = fresh(world, 'r');
    const lock: LockRecord = { version, text: call.lock.text };
    return [{ written: lock }, withMember(next, at, { ...memberOf(next, at), lock })];
  }

  function environment(world: World): Step[] {
    const steps: Step[] = [];
    const later = clock.find((moment) => moment > world.now);
    if (later !== undefined) steps.push({ label: `time passes to ${later}`, world: atTime(world, later) });
    world.stragglers.forEach((straggler, index) => {
      const rest = { ...world, stragglers: world.stragglers.toSpliced(index, 1) };
      const [content, after] = onHub(rest, { key: '', ...straggler });
      steps.push({ label: `${straggler.kind} arrives late`, world: after, asked: { call: straggler, content } });
    });
    return steps;
  }

  /** API servers end requests: what is allowed and not stored by then never is. */
  function atTime(world: World, now: number): World {
    const members = world.members.map((member) => ({
      ...member,
      processes: member.processes.flatMap((process) => {
        const age = now - process.born;
        if (process.kind === 'round') return [process];
        if (process.allowed) return age <= REQUEST_SECONDS ? [process] : [];
        return age < REVIEW_SECONDS ? [process] : [{ ...process, orphan: 1 as const }];
      }),
    }));
    return { ...world, now, members };
  }

  async function ofMember(world: World, at: number): Promise<Step[]> {
    const member = memberOf(world, at);
    const steps: Step[] = [];
    const who = holderOf(at);
    for (const [index, process] of member.processes.entries()) {
      const what = process.write ? `${process.write.operation} ${process.write.name}` : 'round';
      const label = `${who} ${what}: `;
      if (process.allowed) {
        steps.push(...(await commit(world, at, index, label)));
        steps.push({ label: `${label}is never stored`, world: without(world, at, index) });
        continue;
      }
      for (const call of process.pending)
        for (const { label: outcome, world: after, ...asked } of answers(world, at, index, call))
          steps.push({ ...(await advance(after, at, index, `${label}${call.kind}${outcome}`)), ...asked });
      if (world.crash === 0) continue;
      const gone = { ...without(world, at, index), crash: world.crash - 1 };
      steps.push({ label: `${label}muster crashes`, world: gone });
      for (const call of process.pending.filter(isWrite)) {
        const late = { ...gone, stragglers: [...gone.stragglers, stragglerOf(call)] };
        steps.push({ label: `${label}muster crashes, and ${call.kind} arrives later`, world: late });
      }
    }
    if (member.processes.length >= parallel) return steps;
    const replicas = skewed ? ([0, 1] as const) : ([0] as const);
    for (const replica of replicas) {
      const base = { replica, born: world.now, answers: [], pending: [] } as const;
      const begin = (from: World, process: Process, label: string) =>
        advance(withProcess(from, at, member.processes.length, process), at, member.processes.length, label);
      const clockOf = replica === 1 ? ', its clock ahead' : '';
      if (member.rounds > 0 && !member.processes.some(({ kind }) => kind === 'round')) {
        const after = withMember(world, at, { ...member, rounds: member.rounds - 1 });
        steps.push(await begin(after, { kind: 'round', ...base }, `${who} begins a round${clockOf}`));
      }
      for (const [index, write] of member.todo.entries()) {
        if (member.todo.findIndex((one) => JSON.stringify(one) === JSON.stringify(write)) < index) continue;
        const after = withMember(world, at, { ...member, todo: member.todo.toSpliced(index, 1) });
        const label = `${who} begins ${write.operation} ${write.name} ${write.value}${clockOf}`;
        const started = requestOf(after, at, write);
        if (started) steps.push(await begin(started[1], { kind: 'review', ...base, ...started[0] }, label));
      }
    }
    return steps;
  }

  /** The request for a write; undefined where the API server has nothing to review. */
  function requestOf(
    world: World,
    at: number,
    write: Write,
  ): [Pick<Process, 'write' | 'uid' | 'seen'>, World] | undefined {
    const stored = memberOf(world, at)[write.name];
    if (write.operation !== 'CREATE') return stored === null ? undefined : [{ write, seen: stored }, world];
    if (stored !== null) return undefined;
    const [uid, next] = fresh(world, 'u');
    return [{ write, uid }, next];
  }

  async function commit(world: World, at: number, index: number, label: string): Promise<Step[]> {
    const { write, uid = '', seen, ...process } = processOf(world, at, index);
    if (write === undefined) return [];
    const { operation, name, value } = write;
    const stored = memberOf(world, at)[name];
    const done = without(world, at, index);
    const put = (next: World, claim: StoredClaim | null) =>
      withMember(next, at, { ...memberOf(next, at), [name]: claim });
    if (operation === 'CREATE') {
      if (stored !== null) return [{ label: `${label}exists already`, world: done }];
      const [version, next] = fresh(done, 'r');
      return [{ label: `${label}is stored`, world: put(next, { uid, version, value }) }];
    }
    if (stored === null) return [{ label: `${label}is not found`, world: done }];
    if (stored.version !== seen?.version) {
      const { allowed: _, ...rest } = process;
      const again = withProcess(world, at, index, { ...rest, write, seen: stored });
      return [await advance(again, at, index, `${label}is read again`)];
    }
    if (operation === 'DELETE') return [{ label: `${label}is stored`, world: put(done, null) }];
    const [version, next] = fresh(done, 'r');
    return [{ label: `${label}is stored`, world: put(next, { ...stored, version, value }) }];
  }

  return {
    async next(world: World): Promise<Step[]> {
      const steps = environment(world);
      for (const at of world.members.keys()) steps.push(...(await ofMember(world, at)));
      return steps;
    },
    /** Runs one process of a member to its end, in which nothing goes wrong. */
    async alone(world: World, at: number, what: Write | 'round'): Promise<{ world: World; end: string } | undefined> {
      const calm = { ...world, lost: 0, crash: 0 };
      const base = { replica: 0 as const, born: world.now, answers: [], pending: [] };
      const started = what === 'round' ? ([{}, calm] as const) : requestOf(calm, at, what);
      if (started === undefined) return undefined;
      const kind = what === 'round' ? 'round' : 'review';
      const count = memberOf(calm, at).processes.length;
      let step = await advance(withProcess(started[1], at, count, { kind, ...base, ...started[0] }), at, count, '');
      for (let calls = 0; calls < 50 && !step.label.includes('→'); calls++) {
        const call = processOf(step.world, at, count).pending[0];
        if (call === undefined) break;
        const [answered] = answers(step.world, at, count, call);
        step = await advance(answered?.world ?? step.world, at, count, '');
      }
      return { world: step.world, end: step.label.replace(/^.*→ /, '') };
    },
  };
}

export function holderOf(at: number): string {
  return `m${at}`;
}

export function isWrite({ kind }: Pick<Call, 'kind'>): boolean {
  return ['hub-create', 'hub-update', 'hub-delete'].includes(kind);
}

function stragglerOf({ kind, name, lease, bare }: Call): Straggler {
  return { kind, ...(name && { name }), ...(lease && { lease }), ...(bare && { bare }) };
}

/** What etcd does: creates what does not exist, and writes or deletes the version that was named. */
function onHub(world: World, { kind, name = '', lease, bare }: Call): [Content, World] {
  const found = world.hub.find((one) => one.name === name);
  const others = world.hub.filter((one) => one.name !== name);
  if (kind === 'hub-list') return [{ leases: world.hub }, world];
  if (kind === 'hub-get') return [{ lease: found ?? null }, world];
  const isSame = found?.uid === lease?.uid && found?.version === lease?.version;
  if (kind === 'hub-delete') {
    if (found === undefined) return [{ lease: null }, world];
    return isSame || bare ? [{ done: 1 }, { ...world, hub: others }] : [{ conflict: 1 }, world];
  }
  if (lease === undefined) throw new Error(`${kind} without a Lease`);
  if (kind === 'hub-update' && found === undefined) return [{ lease: null }, world];
  if (kind === 'hub-create' ? found !== undefined : !isSame) return [{ conflict: 1 }, world];
  const [version, next] = fresh(world, 'r');
  const [uid, last] = kind === 'hub-create' ? fresh(next, 'u') : [lease.uid, next];
  const written: HubLease = { ...lease, uid, version };
  return [{ written }, { ...last, hub: [...others, written] }];
}

function memberOf(world: World, at: number): Member {
  const member = world.members[at];
  if (member === undefined) throw new Error('no such member');
  return member;
}

function processOf(world: World, at: number, index: number): Process {
  const process = memberOf(world, at).processes[index];
  if (process === undefined) throw new Error('no such process');
  return process;
}

function withMember(world: World, at: number, member: Member): World {
  return { ...world, members: world.members.with(at, member) };
}

function withProcess(world: World, at: number, index: number, process: Process): World {
  const member = memberOf(world, at);
  const processes = [...member.processes];
  processes[index] = process;
  return withMember(world, at, { ...member, processes });
}

function without(world: World, at: number, index: number): World {
  const member = memberOf(world, at);
  return withMember(world, at, { ...member, processes: member.processes.toSpliced(index, 1) });
}
