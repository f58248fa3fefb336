/**
 * Our own failures, wherever they happen: told with a reference, counted, and shown while they repeat. None of them ends the
 * process: a server that stops on a bug can be stopped by whoever finds one, and under `failurePolicy: Fail` that is an outage.
 */
import { newReference } from '../admission/admission.ts';
import type { Log } from '../log/log.ts';
import { seldom } from '../log/seldom.ts';
import type { Check } from '../ops/health.ts';

/** Where it broke: judging a request, around one, on the ops port, or where nobody caught it. */
export const faultPlaces = ['judging', 'request', 'ops', 'exception', 'rejection'] as const;
export type FaultPlace = (typeof faultPlaces)[number];
type ToldPlace = Exclude<FaultPlace, 'judging'>;

export interface Faults {
  /** Tells and counts one; whatever was thrown, this throws nothing. */
  happened(where: ToldPlace, error: unknown, reference?: string): void;
  /** Failures of judging, which the log tells with the decision. */
  crashed(many: number): void;
  /** How many there were in the last minute. */
  lately(): number;
}

export interface FaultsOptions {
  readonly log: Pick<Log, 'error' | 'warn'>;
  readonly count: (where: FaultPlace) => void;
  /** Milliseconds that only ever grow. */
  readonly clock?: () => number;
}

/** So many in a minute count as repeated. */
export const REPEATED = 10;
const WINDOW_SECONDS = 60;

const SAID: Readonly<Record<ToldPlace, string>> = {
  request: 'a request broke',
  ops: 'the ops port failed',
  exception: 'a failure nobody caught; going on',
  rejection: 'a failure nobody waited for; going on',
};

export function createFaults({ log, count, clock = () => performance.now() }: FaultsOptions): Faults {
  const recent = createRecent(clock);
  const warn = seldom((message) => log.warn(message));
  const tellerOf = () => seldom((message, { error, ...facts }) => log.error(message, error, facts));
  // One for each place: what one brings about by the thousand hides nothing of the others.
  const tellers = { request: tellerOf(), ops: tellerOf(), exception: tellerOf(), rejection: tellerOf() };
  const counted = (where: FaultPlace, many: number) => {
    for (let one = 0; one < many; one++) count(where);
    recent.add(many);
    if (recent.sum() >= REPEATED) warn(() => [repeated(recent.sum())]);
  };
  return {
    lately: recent.sum,
    crashed: (many) => counted('judging', many),
    happened: (where, error, reference = newReference()) => {
      tellers[where](() => [SAID[where], { error, reference }]);
      counted(where, 1);
    },
  };
}

/** While they repeat; it makes nobody unready, for another replica has the same bug. */
export function faultsCheck({ lately }: Pick<Faults, 'lately'>): Check {
  const run = () => (lately() >= REPEATED ? repeated(lately()) : undefined);
  return { name: 'internal-errors', advisory: true, run };
}

function repeated(many: number): string {
  return `${many} internal errors in the last minute; the log tells each, please report them`;
}

/** How much was added in the last minute, by the second: sixty numbers, however many they count. */
function createRecent(clock: () => number) {
  const seconds = Array.from({ length: WINDOW_SECONDS }, () => ({ at: Number.NEGATIVE_INFINITY, many: 0 }));
  const now = () => Math.floor(clock() / 1000);
  return {
    add(many: number): void {
      const at = now();
      const slot = seconds[at % WINDOW_SECONDS];
      if (slot === undefined) return;
      slot.many = slot.at === at ? slot.many + many : many;
      slot.at = at;
    },
    sum(): number {
      const since = now() - WINDOW_SECONDS;
      return seconds.reduce((sum, { at, many }) => (at > since ? sum + many : sum), 0);
    },
  };
}
