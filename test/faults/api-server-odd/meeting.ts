/** Which calls meet an oddity, and what is wrong with the answers that come of it. */
import type { Asker } from '../../e2e/races/ask.ts';
import { byForm } from '../figure.ts';
import { type Met, ODD, type OddCase, redirection } from './oddities.ts';
import type { OddProxy } from './proxy.ts';
import type { Answer, Worlds } from './worlds.ts';

export interface Meeting extends OddCase {
  readonly met: Met;
}

const EACH: readonly Met[] = ['any', 'lease-get', 'claims', 'lease-put'];

/**
 * Every oddity with each kind of call that may meet it; in the short form with one, a different one each time.
 * @param elsewhere where redirections lead
 */
export function meetings(elsewhere: string): readonly Meeting[] {
  const all = [...ODD, ...[301, 307].map((code) => redirection(code, elsewhere))];
  return all.flatMap((one, index) => {
    const meeting = one.only === undefined ? EACH : [one.only];
    const chosen = byForm({ short: [meeting[index % meeting.length] as Met], full: meeting, scheduled: meeting });
    return chosen.map((met) => ({ ...one, met }));
  });
}

export interface Answers {
  /** While an oddity was met, and right after it. */
  readonly odd: Answer[];
  readonly well: Answer[];
  /** What was not as it should be with them, in words. */
  readonly complaints: string[];
}

/** Has each met once, and asks all questions under it and right after it. */
export async function meetEach(
  all: readonly Meeting[],
  proxy: OddProxy,
  worlds: Worlds,
  asker: Asker,
): Promise<Answers> {
  const answers: Answers = { odd: [], well: [], complaints: [] };
  for (const one of all) {
    begin(proxy, one);
    const during = await worlds.ask(asker);
    end(proxy);
    const after = await worlds.ask(asker);
    answers.odd.push(...during);
    answers.well.push(...after);
    answers.complaints.push(...complaintsOf(one, during, after));
  }
  return answers;
}

export function begin(proxy: OddProxy, { oddity, met }: Meeting): void {
  proxy.oddity = ({ method = '', url = '' }) => {
    const kind: Met = !url.includes('/leases/') ? 'claims' : method === 'PUT' ? 'lease-put' : 'lease-get';
    return met === 'any' || met === kind ? oddity : undefined;
  };
}

export function end(proxy: OddProxy): void {
  proxy.oddity = () => undefined;
}

/** What is not as it should be, in words: a list of them shows more than the first failed expectation. */
function complaintsOf(one: Meeting, during: readonly Answer[], after: readonly Answer[]): string[] {
  const under = `${one.what} (${one.met})`;
  const bad = during.filter(({ question, code }) => {
    // What is certain without what was odd may be decided; an odd answer never makes it anything but indeterminate.
    if (question.identity && code === 503) return false;
    if (question.identity && question.right === 200) return one.harmless !== true || code !== 200;
    return code !== question.right;
  });
  const late = after.filter(({ question, code }) => code !== question.right);
  return [
    ...bad.map(({ question, code, message }) => `${under}: ${question.what}: ${code} ${message}`),
    ...late.map(({ question, code, message }) => `after ${under}: ${question.what}: ${code} ${message}`),
  ];
}
