/** All that can happen next in a state of the registrar's model. A call is answered in one step. */
import type { Progress, Runner } from './runner.ts';
import {
  type Answer,
  type Call,
  type Content,
  fresh,
  type HubLease,
  holderOf,
  type LockRecord,
  type Member,
  type Process,
  type StoredClaim,
  type Straggler,
  type SystemState,
  type Write,
} from './system-state.ts';

export interface Bounds {
  /** Seconds since the start, from one advance to the next. */
  readonly clock: readonly number[];
  /** The most processes of a member at the same time. */
  readonly parallel: number;
  /** Each call of a member's own API server is a step; else such calls of a process that is alone there are none. */
  readonly fine?: boolean;
  /** Whether a member has a second replica, whose clock is ahead. */
  readonly skewed?: boolean;
  /** Whether a leave may be stored without muster: its webhook fails open. */
  readonly open?: boolean;
}

export interface Step {
  readonly label: string;
  readonly system: SystemState;
  /** What reached the hub, and its answer. */
  readonly asked?: { readonly call: Omit<Call, 'key'>; readonly content: Content };
}

/** An API server ends a request after so many seconds, and a call of a webhook after so many. */
const REQUEST_SECONDS = 60;
const REVIEW_SECONDS = 30;

export function createSteps(runner: Runner, { clock, parallel, fine, skewed, open }: Bounds) {
  const isLocal = ({ kind }: Call) => !kind.startsWith('hub');

  /** Lets the code run on, and the API server act on the verdict. */
  async function advance(system: SystemState, at: number, index: number, label: string): Promise<Step> {
    const process = processOf(system, at, index);
    const progress = await runner.next(process, holderOf(at), system.now);
    const next = settle(system, at, index, progress);
    const [text, after, isOver] = next;
    if (isOver) return { label: `${label}${text}`, system: after };
    const member = memberOf(after, at);
    const call = processOf(after, at, index).pending.find(isLocal);
    if (fine || member.processes.length > 1 || call === undefined) return { label, system: after };
    // Nothing else can tell when a process that is alone calls its own API server.
    const [step] = answers(after, at, index, call);
    return advance(step?.system ?? after, at, index, label);
  }

  function settle(system: SystemState, at: number, index: number, progress: Progress): [string, SystemState, boolean] {
    const process = processOf(system, at, index);
    if (progress.verdict === undefined && !progress.done && !progress.paused)
      return ['', withProcess(system, at, index, { ...process, pending: progress.pending }), false];
    if (progress.verdict !== 'allowed' || process.orphan)
      return [` → ${progress.verdict ?? (progress.paused ? 'blocked' : 'done')}`, without(system, at, index), true];
    const { orphan: _, ...rest } = process;
    return [' → allowed', withProcess(system, at, index, { ...rest, allowed: 1, answers: [], pending: [] }), true];
  }

  /** The states after a call, without the run of the code: the first is that of a call in which nothing goes wrong. */
  function answers(system: SystemState, at: number, index: number, call: Call): Step[] {
    const give = (next: SystemState, content: Content): SystemState => {
      const process = processOf(next, at, index);
      const answer: Answer = { key: call.key, content };
      const all = [...process.answers, answer].sort((a, b) => (a.key < b.key ? -1 : 1));
      const pending = process.pending.filter(({ key }) => key !== call.key);
      return withProcess(next, at, index, { ...process, answers: all, pending });
    };
    const steps: Step[] = [];
    const [content, after] = perform(system, at, call);
    const asked = isLocal(call) ? {} : { asked: { call, content } };
    steps.push({ label: '', system: give(after, content), ...asked });
    if (system.lost === 0 || call.kind.endsWith('lock')) return steps;
    const lossy = { ...system, lost: system.lost - 1 };
    steps.push({ label: ' is lost', system: give(lossy, { lost: 1 }) });
    if (!isWrite(call)) return steps;
    const [, stored] = perform(lossy, at, call);
    steps.push({ label: ' is done, and its answer is lost', system: give(stored, { lost: 1 }), ...asked });
    const late = { ...lossy, stragglers: [...lossy.stragglers, stragglerOf(call)] };
    steps.push({ label: ' is lost, and arrives later', system: give(late, { lost: 1 }) });
    return steps;
  }

  function perform(system: SystemState, at: number, call: Call): [Content, SystemState] {
    const member = memberOf(system, at);
    if (call.kind === 'get-lock') return [{ lock: member.lock, date: system.now }, system];
    if (call.kind === 'get-id') return [{ claim: member.id }, system];
    if (call.kind === 'get-set') return [{ claim: member.set }, system];
    if (call.kind !== 'put-lock') return onHub(system, call);
    if (call.lock?.version !== member.lock.version) return [{ conflict: 1 }, system];
    const [version, next] = fresh(system, 'r');
    const lock: LockRecord = { version, text: call.lock.text };
    return [{ written: lock }, withMember(next, at, { ...memberOf(next, at), lock })];
  }

  function environment(system: SystemState): Step[] {
    const steps: Step[] = [];
    const later = clock.find((moment) => moment > system.now);
    if (later !== undefined) steps.push({ label: `time passes to ${later}`, system: atTime(system, later) });
    system.stragglers.forEach((straggler, index) => {
      const rest = { ...system, stragglers: system.stragglers.toSpliced(index, 1) };
      const [content, after] = onHub(rest, { key: '', ...straggler });
      steps.push({ label: `${straggler.kind} arrives late`, system: after, asked: { call: straggler, content } });
    });
    return steps;
  }

  /** API servers end requests: what is allowed and not stored by then never is. */
  function atTime(system: SystemState, now: number): SystemState {
    const members = system.members.map((member) => ({
      ...member,
      processes: member.processes.flatMap((process) => {
        const age = now - process.born;
        if (process.kind === 'round') return [process];
        if (process.allowed) return age <= REQUEST_SECONDS ? [process] : [];
        return age < REVIEW_SECONDS ? [process] : [{ ...process, orphan: 1 as const }];
      }),
    }));
    return { ...system, now, members };
  }

  async function ofMember(system: SystemState, at: number): Promise<Step[]> {
    const member = memberOf(system, at);
    const steps: Step[] = [];
    const who = holderOf(at);
    for (const [index, process] of member.processes.entries()) {
      const what = process.write ? `${process.write.operation} ${process.write.name}` : 'round';
      const label = `${who} ${what}: `;
      if (process.allowed) {
        steps.push(...(await commit(system, at, index, label)));
        steps.push({ label: `${label}is never stored`, system: without(system, at, index) });
        continue;
      }
      for (const call of process.pending)
        for (const { label: outcome, system: after, ...asked } of answers(system, at, index, call))
          steps.push({ ...(await advance(after, at, index, `${label}${call.kind}${outcome}`)), ...asked });
      if (system.crash === 0) continue;
      const gone = { ...without(system, at, index), crash: system.crash - 1 };
      steps.push({ label: `${label}muster crashes`, system: gone });
      for (const call of process.pending.filter(isWrite)) {
        const late = { ...gone, stragglers: [...gone.stragglers, stragglerOf(call)] };
        steps.push({ label: `${label}muster crashes, and ${call.kind} arrives later`, system: late });
      }
    }
    if (member.processes.length >= parallel) return steps;
    const replicas = skewed ? ([0, 1] as const) : ([0] as const);
    for (const replica of replicas) {
      const base = { replica, born: system.now, answers: [], pending: [] } as const;
      const begin = (from: SystemState, process: Process, label: string) =>
        advance(withProcess(from, at, member.processes.length, process), at, member.processes.length, label);
      const clockOf = replica === 1 ? ', its clock ahead' : '';
      if (member.rounds > 0 && !member.processes.some(({ kind }) => kind === 'round')) {
        const after = withMember(system, at, { ...member, rounds: member.rounds - 1 });
        steps.push(await begin(after, { kind: 'round', ...base }, `${who} begins a round${clockOf}`));
      }
      for (const [index, write] of member.todo.entries()) {
        if (member.todo.findIndex((one) => JSON.stringify(one) === JSON.stringify(write)) < index) continue;
        const after = withMember(system, at, { ...member, todo: member.todo.toSpliced(index, 1) });
        const label = `${who} begins ${write.operation} ${write.name} ${write.value}${clockOf}`;
        const started = requestOf(after, at, write);
        if (started === undefined) continue;
        const request: Process = { kind: 'review', ...base, ...started[0] };
        steps.push(await begin(started[1], request, label));
        if (!open || write.operation !== 'DELETE' || replica === 1) continue;
        const unseen = withProcess(started[1], at, member.processes.length, { ...request, allowed: 1 });
        steps.push({ label: `${label}, without muster`, system: unseen });
      }
    }
    return steps;
  }

  /** The request for a write; undefined where the API server has nothing to review. */
  function requestOf(
    system: SystemState,
    at: number,
    write: Write,
  ): [Pick<Process, 'write' | 'uid' | 'seen'>, SystemState] | undefined {
    const stored = memberOf(system, at)[write.name];
    if (write.operation !== 'CREATE') return stored === null ? undefined : [{ write, seen: stored }, system];
    if (stored !== null) return undefined;
    const [uid, next] = fresh(system, 'u');
    return [{ write, uid }, next];
  }

  async function commit(system: SystemState, at: number, index: number, label: string): Promise<Step[]> {
    const { write, uid = '', seen, ...process } = processOf(system, at, index);
    if (write === undefined) return [];
    const { operation, name, value } = write;
    const stored = memberOf(system, at)[name];
    const done = without(system, at, index);
    const put = (next: SystemState, claim: StoredClaim | null) =>
      withMember(next, at, { ...memberOf(next, at), [name]: claim });
    if (operation === 'CREATE') {
      if (stored !== null) return [{ label: `${label}exists already`, system: done }];
      const [version, next] = fresh(done, 'r');
      return [{ label: `${label}is stored`, system: put(next, { uid, version, value }) }];
    }
    if (stored === null) return [{ label: `${label}is not found`, system: done }];
    if (stored.version !== seen?.version) {
      const { allowed: _, ...rest } = process;
      const again = withProcess(system, at, index, { ...rest, write, seen: stored });
      return [await advance(again, at, index, `${label}is read again`)];
    }
    if (operation === 'DELETE') return [{ label: `${label}is stored`, system: put(done, null) }];
    const [version, next] = fresh(done, 'r');
    return [{ label: `${label}is stored`, system: put(next, { ...stored, version, value }) }];
  }

  return {
    async next(system: SystemState): Promise<Step[]> {
      const steps = environment(system);
      for (const at of system.members.keys()) steps.push(...(await ofMember(system, at)));
      return steps;
    },
    /** Runs one process of a member to its end, in which nothing goes wrong. */
    async alone(
      system: SystemState,
      at: number,
      what: Write | 'round',
    ): Promise<{ system: SystemState; end: string } | undefined> {
      const calm = { ...system, lost: 0, crash: 0 };
      const base = { replica: 0 as const, born: system.now, answers: [], pending: [] };
      const started = what === 'round' ? ([{}, calm] as const) : requestOf(calm, at, what);
      if (started === undefined) return undefined;
      const kind = what === 'round' ? 'round' : 'review';
      const count = memberOf(calm, at).processes.length;
      let step = await advance(withProcess(started[1], at, count, { kind, ...base, ...started[0] }), at, count, '');
      for (let calls = 0; calls < 50 && !step.label.includes('→'); calls++) {
        const call = processOf(step.system, at, count).pending[0];
        if (call === undefined) break;
        const [answered] = answers(step.system, at, count, call);
        step = await advance(answered?.system ?? step.system, at, count, '');
      }
      return { system: step.system, end: step.label.replace(/^.*→ /, '') };
    },
  };
}

function isWrite({ kind }: Pick<Call, 'kind'>): boolean {
  return ['hub-create', 'hub-update', 'hub-delete'].includes(kind);
}

function stragglerOf({ kind, name, lease, bare }: Call): Straggler {
  return { kind, ...(name && { name }), ...(lease && { lease }), ...(bare && { bare }) };
}

/** What etcd does: creates what does not exist, and writes or deletes the version that was named. */
function onHub(system: SystemState, { kind, name = '', holder, lease, bare }: Call): [Content, SystemState] {
  const found = system.hub.find((one) => one.name === name);
  const others = system.hub.filter((one) => one.name !== name);
  const isListed = (one: HubLease) => holder === undefined || (one.holder === holder && !one.unlabeled);
  if (kind === 'hub-list') return [{ leases: system.hub.filter(isListed) }, system];
  if (kind === 'hub-get') return [{ lease: found ?? null }, system];
  const isSame = found?.uid === lease?.uid && found?.version === lease?.version;
  if (kind === 'hub-delete') {
    if (found === undefined) return [{ lease: null }, system];
    return isSame || bare ? [{ done: 1 }, { ...system, hub: others }] : [{ conflict: 1 }, system];
  }
  if (lease === undefined) throw new Error(`${kind} without a Lease`);
  if (kind === 'hub-update' && found === undefined) return [{ lease: null }, system];
  if (kind === 'hub-create' ? found !== undefined : !isSame) return [{ conflict: 1 }, system];
  const [version, next] = fresh(system, 'r');
  const [uid, last] = kind === 'hub-create' ? fresh(next, 'u') : [lease.uid, next];
  const written: HubLease = { ...lease, uid, version };
  return [{ written }, { ...last, hub: [...others, written] }];
}

function memberOf(system: SystemState, at: number): Member {
  const member = system.members[at];
  if (member === undefined) throw new Error('no such member');
  return member;
}

function processOf(system: SystemState, at: number, index: number): Process {
  const process = memberOf(system, at).processes[index];
  if (process === undefined) throw new Error('no such process');
  return process;
}

function withMember(system: SystemState, at: number, member: Member): SystemState {
  return { ...system, members: system.members.with(at, member) };
}

function withProcess(system: SystemState, at: number, index: number, process: Process): SystemState {
  const member = memberOf(system, at);
  const processes = [...member.processes];
  processes[index] = process;
  return withMember(system, at, { ...member, processes });
}

function without(system: SystemState, at: number, index: number): SystemState {
  const member = memberOf(system, at);
  return withMember(system, at, { ...member, processes: member.processes.toSpliced(index, 1) });
}
