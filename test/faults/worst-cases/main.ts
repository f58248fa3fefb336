/**
 * Measures one part in a process of its own, and prints what was taken as JSON: within Jest, where every global is looked up in
 * another context, the server takes some three times as long.
 *
 *     node --expose-gc test/faults/worst-cases/main.ts PART ROUNDS
 */
import { createEngine, defaultPolicy, type Engine } from '../../../src/engine/index.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { forExpressions } from './for-expressions.ts';
import { forLists } from './for-lists.ts';
import { forUnique } from './for-unique.ts';
import { type Taken, taken } from './measure.ts';
import type { Crafted } from './reviews.ts';

export type Part = 'expressions' | 'unique' | 'lists' | 'control';

export interface Measured extends Taken {
  readonly name: string;
  readonly megabytes: number;
}

/** Every rule is awake and denies, so that every finding is told at length, and jane is a stranger to all of them. */
const actions = new Map([...ruleIds].map((id) => [id as string, { webhook: 'deny' } as const]));
const principals = [{ user: 'mary' }];
const settings = {
  claims: { allowedReservedNames: [], membershipManagers: principals },
  inventory: { managers: new Map([['harbour', principals]]) },
  features: { dynamic: [], serverFlow: [{ namespace: '*', name: '*', principals }], clockSkewSeconds: 5 },
};
const engine: Engine = createEngine({ policy: { ...defaultPolicy, actions, settings }, point: 'webhook' });

/** The dearest of all, for a control: in stretches, and in one go. */
const costly = forLists.filter(({ name }) => name.includes('bad ids'));
const parts: Readonly<Record<Part, readonly Crafted[]>> = {
  expressions: forExpressions,
  unique: forUnique,
  lists: forLists,
  control: [...costly, ...costly],
};

const [part = '', rounds = '3'] = process.argv.slice(2);
const all: Measured[] = [];
for (const [index, { name, review }] of parts[part as Part].entries()) {
  const bytes = Buffer.from(JSON.stringify(review));
  const inOneGo = part === 'control' && index === 1;
  all.push({ name, megabytes: bytes.length / 1e6, ...(await taken(engine, bytes, Number(rounds), inOneGo)) });
}
process.stdout.write(JSON.stringify(all));
