/** Races on one identity, and what the history of etcd says of them. */
import { expect } from '@jest/globals';
import type { ApiAnswer, ControlPlane } from '../harness/index.ts';
import { follow, violationsIn } from './history.ts';
import type { Identity } from './identity.ts';
import { racePairs, type Tally } from './pairs.ts';

/** Races so many pairs of each kind into `tally`, and tells how many writes that the norm forbids were stored. */
export async function raced(controlPlane: ControlPlane, one: Identity, each: number, tally: Tally): Promise<number> {
  const history = await follow(controlPlane, one.dialect);
  await racePairs(one, 'change', each, tally);
  await racePairs(one, 'delete', each, tally);
  // The history is complete once a last mark is in it.
  const mark = `mark-${Date.now()}`;
  if ((await one.membership()).status === 200) done(await one.leave());
  done((await one.id()).status === 404 ? await one.createId(mark) : await one.changeId(mark));
  await history.until((events) => events.some(({ value }) => value === mark));
  history.close();
  return violationsIn(history.events, one.dialect).length;
}

/** A write that nothing stands against was taken. */
export function done(answer: ApiAnswer): void {
  expect([answer.status < 300, answer.body.message]).toEqual([true, undefined]);
}
