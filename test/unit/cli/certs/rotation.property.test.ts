/**
 * Any interleaving of runs, crashes, kubelets and API servers that lag: what a server may still show is trusted by what
 * an API server may still have. Both lag by up to an overlap, the worst of all cases at once, so no lag has to be
 * drawn.
 */
import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type IssuedCertificates, issueCertificates } from '../../../../src/certificates/issue.ts';
import { type Renewal, renew } from '../../../../src/cli/certs/renew.ts';
import { namesOf } from '../../../../src/cli/certs/run.ts';
import { fill, MUTATING, newStore, register, SECRET, SECRET_PATH, type Store, VALIDATING } from './store.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const OVERLAP = 60 * MINUTE;
const names = namesOf({ namespace: 'muster-system', name: 'muster' });
// Any of them may be used again: what counts is the order in a walk.
const pool = await Promise.all(Array.from({ length: 40 }, () => issueCertificates({ names, now: new Date(NOON) })));

type Action =
  | { readonly do: 'start'; readonly rotate: boolean }
  /** One of the calls under way is done and answered. */
  | { readonly do: 'go'; readonly which: number }
  /** Its run ends, before the call is done or before it is answered. */
  | { readonly do: 'crash'; readonly which: number }
  | { readonly do: 'tick'; readonly milliseconds: number };

const milliseconds = fc.oneof(fc.nat(5000), fc.nat(30 * MINUTE), fc.constant(OVERLAP), fc.constant(OVERLAP + 1000));
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start' as const), rotate: fc.boolean() }) },
  { weight: 24, arbitrary: fc.record({ do: fc.constant('go' as const), which: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), which: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tick' as const), milliseconds }) },
);

test('a leaf that may be shown is always trusted, whoever crashes or lags', async () => {
  const reached = { promoted: 0, dropped: 0, crashed: 0, raced: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 150, maxLength: 350, size: 'max' }), async (actions) => {
      const installed = new Installation();
      for (const next of actions) {
        await installed.take(next);
        installed.check();
      }
      reached.promoted += installed.leaves.length - 1;
      reached.dropped += installed.dropped;
      reached.crashed += installed.crashed;
      reached.raced += installed.conflicts;
      await installed.end();
      await installed.runAlone(false);
      expect(installed.store.bundles()).toEqual(Array(3).fill(installed.store.value('ca.crt')));
    }),
    { numRuns: 120 },
  );
  // A model that never gets anywhere would hold, too.
  expect(reached.promoted).toBeGreaterThan(50);
  expect(reached.dropped).toBeGreaterThan(30);
  expect(reached.crashed).toBeGreaterThan(50);
  expect(reached.raced).toBeGreaterThan(50);
});

/** Overwrites a key of the Secret, its annotation or the caBundles; or deletes it. */
const mess = fc.record({
  what: fc.constantFrom('tls.crt', 'ca.crt', 'next.tls.crt', 'since', 'bundle', 'gone'),
  text: fc.constantFrom(
    ...['', 'rubbish', 'soon', '2026-06-01T13:00:00Z', '2090-01-01T00:00:00Z'],
    ...pool.slice(-2).flatMap(({ ca, cert }) => [ca, cert]),
  ),
});

test('whatever is made of Secret and caBundles, four runs fix it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mess, { maxLength: 5 }), fc.nat(3), async (messes, stage) => {
      const installed = new Installation();
      for (let run = 0; run < stage; run++) await installed.runAlone(run === 0);
      for (const next of messes) spoil(installed.store, next);
      for (let run = 0; run < 4; run++) await installed.runAlone(false);
      const ca = installed.store.value('ca.crt');
      expect(installed.store.bundles()).toEqual(Array(3).fill(ca));
      expect(ca.split('BEGIN').length).toBe(2);
      expect(new X509Certificate(installed.store.value('tls.crt')).verify(new X509Certificate(ca).publicKey)).toBe(
        true,
      );
      expect(installed.store.value('next.tls.crt')).toBe('');
    }),
    { numRuns: 100 },
  );
});

interface Pending {
  readonly go: () => void;
  readonly crash: () => void;
}

/** What stood there, and until when. */
interface Past {
  readonly text: string;
  readonly until: number;
}

class Installation {
  readonly store = newStore(NOON);
  /** What `tls.crt` was, in order; the last is still there. */
  readonly leaves: Past[] = [];
  dropped = 0;
  crashed = 0;
  conflicts = 0;
  #issued = 1;
  readonly #bundles = new Map<string, Past[]>();
  readonly #pending: Pending[] = [];
  readonly #runs = new Set<Promise<unknown>>();

  constructor() {
    const [first] = pool;
    if (!first) throw new Error('no certificates');
    fill(this.store, { 'tls.crt': first.cert, 'tls.key': first.key, 'ca.crt': first.ca });
    register(this.store, first.ca);
    this.#record();
  }

  async take(action: Action): Promise<void> {
    if (action.do === 'tick') this.store.now += action.milliseconds;
    else if (action.do === 'start') this.#start(action.rotate);
    else {
      const [call] = this.#pending.splice(action.which % Math.max(this.#pending.length, 1), 1);
      if (action.do === 'go') call?.go();
      else if (call) {
        this.crashed++;
        call.crash();
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    this.#record();
  }

  /** Each of what may be shown, under each of what may be trusted. */
  check(): void {
    const shown = reachable(this.leaves, this.store.now).map((leaf) => caOf.get(leaf) ?? 'a leaf of the pool');
    for (const past of this.#bundles.values()) {
      for (const trusted of reachable(past, this.store.now)) {
        // Nearly all are, and the many calls of expect would take most of the time.
        const untrusted = shown.find((ca) => !trusted.includes(ca));
        if (untrusted !== undefined) expect(trusted).toContain(untrusted);
      }
    }
  }

  /** All that was begun goes on to its end. */
  async end(): Promise<void> {
    while (this.#pending.length > 0) await this.take({ do: 'go', which: 0 });
    await Promise.all(this.#runs);
  }

  async runAlone(rotate: boolean): Promise<void> {
    this.store.now += OVERLAP + 1000;
    await renew({ ...this.#renewal(rotate), api: this.store.client });
  }

  #start(rotate: boolean): void {
    if (this.#runs.size >= 4) return;
    const gate = () =>
      new Promise<void>((go, reject) => this.#pending.push({ go, crash: () => reject(new Error('crash')) }));
    const api = this.store.clientWith({ before: gate, after: gate });
    const run = renew({ ...this.#renewal(rotate), api }).catch((error: Error) => {
      if (error.message !== 'crash') throw error;
    });
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run)).catch(() => {});
  }

  #renewal(rotate: boolean): Omit<Renewal, 'api'> {
    return {
      secret: SECRET,
      names,
      webhook: 'muster',
      overlapMs: OVERLAP,
      rotate,
      issue: async () => pool[this.#issued++ % pool.length] as IssuedCertificates,
      clock: () => this.store.now,
      pause: async () => void this.conflicts++,
      print: (line) => {
        if (line.includes('dropped')) this.dropped++;
      },
    };
  }

  #record(): void {
    const { now } = this.store;
    note(this.leaves, this.store.value('tls.crt'), now);
    for (const [index, path] of [VALIDATING, VALIDATING, MUTATING].entries()) {
      const past = this.#bundles.get(path) ?? [];
      this.#bundles.set(path, past);
      note(past, this.store.bundles()[index] ?? '', now);
    }
  }
}

const caOf = new Map(pool.map(({ cert, ca }) => [cert, ca]));

function note(past: Past[], text: string, now: number): void {
  const last = past.at(-1);
  if (last?.text === text) return;
  if (last) past[past.length - 1] = { ...last, until: now };
  past.push({ text, until: Number.POSITIVE_INFINITY });
}

function reachable(past: readonly Past[], now: number): string[] {
  return past.filter(({ until }) => until > now - OVERLAP).map(({ text }) => text);
}

function spoil(store: Store, { what, text }: { readonly what: string; readonly text: string }): void {
  if (what === 'gone') store.objects.delete(SECRET_PATH);
  else if (what === 'bundle') register(store, text);
  else {
    const keys = ['tls.crt', 'tls.key', 'ca.crt', 'next.tls.crt', 'next.tls.key'];
    const data = Object.fromEntries(keys.map((key) => [key, key === what ? text : store.value(key)]));
    fill(store, data, what === 'since' ? { 'certs.muster/since': text } : {});
  }
}
