/**
 * Measures one part in a process of its own, and prints what it took as JSON: within Jest, where every global is looked up in
 * another context, the server takes some three times as long.
 *
 *     node --expose-gc test/faults/worst-cases/main.ts PART ROUNDS
 */
import { createEngine, defaultPolicy, type Engine } from '../../../src/engine/index.ts';
import { ruleIds } from '../../../src/rules/index.ts';
import { type Taken, taken } from './measure.ts';
import { expressions, lists, unique } from './reviews.ts';

const parts = { expressions, unique, lists };
export type Part = keyof typeof parts;

export interface Measured extends Taken {
  readonly name: string;
  readonly megabytes: number;
}

/** Every rule is on and denies, so that every finding is reported at length, and jane is a stranger to all of them. */
const actions = new Map([...ruleIds].map((id) => [id as string, { webhook: 'deny' } as const]));
const principals = [{ user: 'mary' }];
const settings = {
  claims: { allowedReservedNames: [], membershipManagers: principals },
  inventory: { managers: new Map([['harbour', principals]]) },
  features: { dynamic: [], serverFlow: [{ namespace: '*', name: '*', principals }], clockSkewSeconds: 5 },
};
const engine: Engine = createEngine({ policy: { ...defaultPolicy, actions, settings }, point: 'webhook' });

const [part = '', rounds = '3'] = process.argv.slice(2);
const all: Measured[] = [];
for (const [name, review] of parts[part as Part]()) {
  const bytes = Buffer.from(JSON.stringify(review));
  all.push({ name, megabytes: bytes.length / 1e6, ...(await taken(engine, bytes, Number(rounds))) });
}
process.stdout.write(JSON.stringify(all));
