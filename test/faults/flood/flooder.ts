/**
 * `node flooder.ts NAME PORT ADDRESS…`: one flood, in a process of its own, until it is stopped. Its tally goes to stdout
 * every 200 ms.
 */
import { ATTACKS, type AttackName } from './attacks.ts';
import { newTally } from './tally.ts';

const [name = '', port, ...from] = process.argv.slice(2);
if (!Object.hasOwn(ATTACKS, name)) throw new Error(`no flood "${name}"; there are ${Object.keys(ATTACKS).join(', ')}`);

const { begin, count, perSecond } = ATTACKS[name as AttackName];
const tally = newTally();
setInterval(() => process.stdout.write(`${JSON.stringify(tally)}\n`), 200);
await begin({ port: Number(port), from, count, perSecond, tally });
