/**
 * Replays a trace of the model of the locks (test/system/model/lock) before a real API server, and compares the two
 * after each step.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newestOf } from '../../../../src/cluster/live/api-paths.ts';
import { openCluster } from '../../../../src/cluster/live/client.ts';
import { readAdmissionReview } from '../../../../src/engine/review.ts';
import { until } from '../../../support/until.ts';
import type { Code } from '../../model/lock/code.ts';
import type { Violation } from '../../model/lock/search.ts';
import type { SystemState, Write } from '../../model/lock/system-state.ts';
import type { TraceStep } from '../../model/lock/trace.ts';
import { createTranslator, dialectOf, namesOf, type Setting } from '../../model/lock/translator.ts';
import type { ClaimDialect } from '../harness/identity.ts';
import {
  type ApiAnswer,
  type ControlPlane,
  type Json,
  patchLease,
  startWebhook,
  type WebhookCall,
} from '../harness/index.ts';
import { type Session, startSession } from './session.ts';

interface Replay {
  readonly code: Code;
  readonly setting: Setting;
  readonly clock: readonly number[];
  readonly trace: readonly TraceStep[];
  readonly probe?: Violation['probe'];
}

export interface Replayer {
  readonly url: string;
  readonly caFile: string;
  /** Returns where the API server and the model differ, with the step. Empty: they agree. */
  run(replay: Replay): Promise<string[]>;
  close(): void;
}

/** The users that requests of a trace are made by; `admin` resets, and is answered at once. */
const REPLAY_USERS = ['jane', 'bob', 'eve'];

export async function startReplayer(controlPlane: ControlPlane): Promise<Replayer> {
  const client = await openCluster({ kubeconfig: controlPlane.kubeconfig('muster'), namespace: 'muster-system' });
  let onReview: (review: WebhookCall, session: Parameters<Parameters<typeof startWebhook>[1]>[1]) => void = () => {};
  const webhook = await startWebhook(join(controlPlane.folder, 'replay'), (call, response) => {
    if (call.request.userInfo.username !== 'admin') return onReview(call, response);
    const { apiVersion, kind } = call.review;
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: call.request.uid, allowed: true } }));
  });
  return {
    ...webhook,
    close() {
      webhook.close();
      client.close();
    },
    async run({ code, setting, clock, trace, probe }) {
      const dialect = dialectOf(setting) as ClaimDialect;
      const names = namesOf(dialect);
      const api = controlPlane.api('admin');
      const root = `/apis/${dialect.group}/${newestOf(dialect)}/${dialect.plural}`;
      const actions = new Map(setting.strict ? [['claim/clusterset-requires-id', { webhook: 'deny' as const }]] : []);
      const engine = code.createEngine({
        policy: { ...code.defaultPolicy, actions },
        point: 'webhook',
        live: true,
      });
      const { whatOf } = createTranslator(code, setting);
      const sessions = new Map<number, Session>();
      const answers = new Map<number, ApiAnswer | undefined>();
      const stragglers: (() => Promise<unknown>)[] = [];
      const expiry = code.createExpiry(() => seconds() * 1000);
      const arrived: Parameters<typeof onReview>[] = [];
      let moment = 0;
      const seconds = () => clock[moment] ?? 0;
      onReview = (...review) => void arrived.push(review);

      const accept = async (id: number): Promise<void> => {
        await until(() => arrived.length > 0 || answers.get(id) !== undefined);
        const [review, response] = arrived.shift() ?? [];
        if (review === undefined || response === undefined) return;
        const reading = readAdmissionReview(review.review);
        if (reading.kind !== 'evaluate') throw new Error(`not evaluated: ${JSON.stringify(review.review)}`);
        const reply = { uid: review.request.uid, response };
        const { subject } = reading;
        sessions.set(id, startSession({ code, client, engine, expiry, subject, seconds, whatOf, reply }));
      };
      const send = (id: number, user: string, { operation, name, value }: Write): void => {
        const path = `${root}/${names[name]}`;
        const as = controlPlane.api(user);
        const object = {
          apiVersion: `${dialect.group}/${newestOf(dialect)}`,
          kind: dialect.kind,
          metadata: { name: names[name] },
          spec: { value },
        };
        const sent = {
          CREATE: () => as.call('POST', root, object),
          UPDATE: () => as.call('PATCH', path, { spec: { value } }),
          DELETE: () => as.call('DELETE', path),
        };
        answers.set(id, undefined);
        void sent[operation]().then(
          (answer) => answers.set(id, answer),
          () => answers.set(id, { status: 599, body: {} } as ApiAnswer),
        );
      };
      const statusOf = async (id: number): Promise<number> => {
        await until(() => answers.get(id) !== undefined);
        return answers.get(id)?.status ?? 0;
      };
      const users = new Map<number, string>();
      const perform = async (label: string, before: SystemState, system: SystemState): Promise<void> => {
        const [, one = '', rest = ''] = /^(\d+)(?::| is repeated as) (.*)$/.exec(label) ?? [];
        const id = Number(one);
        const session = sessions.get(id);
        const begun = /(?:(\d+): )?user-(\d) (CREATE|UPDATE|DELETE) (\d) ?(\w*)(?: → |$)/.exec(rest);
        if (one !== '' && begun !== null) {
          const [, repeated, user, operation, name, value = ''] = begun;
          const number = repeated === undefined ? id : Number(repeated);
          users.set(number, REPLAY_USERS[Number(user)] ?? '');
          send(number, users.get(number) ?? '', { operation, name: Number(name), value } as Write);
          await accept(number);
        } else if (rest.startsWith('is stored')) {
          session?.answer(true, 200);
          if ((await statusOf(id)) > 299) throw new Error(`HTTP ${await statusOf(id)}`);
        } else if (rest.startsWith('exists already') || rest.startsWith('is not found')) {
          session?.answer(true, 200);
          if (![404, 409].includes(await statusOf(id))) throw new Error(`HTTP ${await statusOf(id)}`);
        } else if (rest.startsWith('is read again')) {
          session?.answer(true, 200);
          await accept(id);
        } else if (rest.startsWith('the verdict is lost, and asked for again')) {
          session?.askAgain();
          await accept(id);
        } else if (rest.startsWith('the verdict is lost')) {
          session?.cut();
          if ((await statusOf(id)) < 500) throw new Error(`HTTP ${await statusOf(id)}`);
        } else if (rest !== '') await answer(rest, session);
        else if (label.startsWith('time passes')) moment = system.moment;
        else if (label.startsWith('the finalizer')) await finish(names[Number(label.split(' ')[3])] ?? '');
        else if (label === 'a Lease arrives late') await stragglers.shift()?.();
        else if (!label.startsWith('muster crashes')) throw new Error('no step of the replay');
        for (const { id: gone } of before.requests)
          if (!system.requests.some((kept) => kept.id === gone)) await end(gone);
        for (const kept of system.requests) {
          const review = sessions.get(kept.id);
          if (kept.orphan) review?.cut();
          if (review !== undefined) review.late = kept.late === 1;
        }
      };
      const answer = async (rest: string, session: Session | undefined): Promise<void> => {
        const key = rest.split(' ')[0] ?? '';
        const held = session?.pending.get(key);
        if (held === undefined) throw new Error(`the code does not call ${key}`);
        if (rest.includes('arrives later')) stragglers.push(held.make);
        if (rest.includes('is stored, and its answer is lost')) await held.lose(true);
        else if (rest.includes('is lost')) await held.lose(false);
        else await held.pass();
      };
      /** A request that the model has no more: it was answered, or it ended without an answer. */
      const end = async (id: number): Promise<void> => {
        const session = sessions.get(id);
        if (answers.get(id) !== undefined || session === undefined) return;
        await sleep(0);
        if (session.verdict === 'denied' || session.verdict === 'indeterminate')
          session.answer(false, session.verdict === 'denied' ? 403 : 503);
        else session.cut();
        await statusOf(id);
      };
      const finish = (name: string) => api.call('PATCH', `${root}/${name}`, { metadata: { finalizers: null } });
      const reset = async (system: SystemState): Promise<void> => {
        for (const [index, name] of names.entries()) {
          if (name === '') continue;
          await finish(name);
          await api.call('DELETE', `${root}/${name}`);
          const stored = system.objects[index];
          if (!stored) continue;
          const metadata = { name, ...(stored.finalizer && { finalizers: ['example.com/later'] }) };
          const object = {
            apiVersion: `${dialect.group}/${newestOf(dialect)}`,
            kind: dialect.kind,
            metadata,
            spec: { value: stored.value },
          };
          const { status, body } = await api.call('POST', root, object);
          if (status > 299) throw new Error(body.message);
        }
        await patchLease(controlPlane, dialect, {
          metadata: { annotations: null },
          spec: { holderIdentity: null, renewTime: null },
        });
      };
      /** What differs from the model, once all that is under way has come to a hook. */
      const differences = async (label: string, system: SystemState): Promise<string[]> => {
        const calls = () =>
          system.requests.flatMap(({ id, phase, pending, orphan, last }) => {
            const session = sessions.get(id);
            if (session?.paused) last ? session.toLast() : session.again();
            const expected =
              phase === 'store'
                ? 'allowed'
                : pending
                    .map(({ key }) => key)
                    .sort()
                    .join();
            const found = session?.verdict ?? [...(session?.pending.keys() ?? [])].sort().join();
            return found === expected || (orphan && found === '') ? [] : [`${id}: ${found}, in the model ${expected}`];
          });
        await until(() => calls().length === 0).catch(() => {});
        const stored = await Promise.all(
          names.map(async (name) =>
            name === '' ? undefined : ((await api.call('GET', `${root}/${name}`)) as { status: number; body: Json }),
          ),
        );
        const facts = stored.map((one) =>
          one?.status === 200 ? [one.body.spec.value, one.body.metadata.deletionTimestamp !== undefined] : null,
        );
        const expected = system.objects.map((one) => (one === null ? null : [one.value, one.going === 1]));
        const lease = await api.call(
          'GET',
          `/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-${dialect.name}`,
        );
        const lock = code.lockIn(lease.body);
        const locks = [lock?.operation, lock?.object, lock?.ambiguous];
        const { lock: known } = system.lease;
        const expectedLocks = [known?.operation, known?.object, known ? known.ambiguous === 1 : undefined];
        const pairs = [
          [facts, expected],
          [locks, expectedLocks],
        ].map((pair) => pair.map((one) => JSON.stringify(one)));
        const wrong = pairs.flatMap(([found, said]) => (found === said ? [] : [`${found}, in the model ${said}`]));
        return [...calls(), ...wrong].map((line) => `${label}: ${line}`);
      };
      const [first, ...steps] = trace;
      if (first === undefined) return ['no trace'];
      await reset(first.system);
      let before = first.system;
      for (const { label, system } of steps) {
        try {
          await perform(label, before, system);
        } catch (error) {
          return [`${label}: ${(error as Error).message}`];
        }
        const found = await differences(label, system);
        if (found.length > 0) return found;
        before = system;
      }
      if (probe === undefined) return [];
      if (before.disturbed) moment = clock.length - 1;
      send(99, 'eve', probe);
      await accept(99);
      const session = sessions.get(99);
      await until(async () => {
        if (session?.paused) session.toLast();
        for (const held of session?.pending.values() ?? []) await held.pass();
        return session?.verdict !== undefined;
      });
      await end(99);
      return session?.verdict === probe.verdict ? [] : [`probe: ${session?.verdict}, in the model ${probe.verdict}`];
    },
  };
}
