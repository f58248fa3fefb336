/** `node young-growth.ts kept|free`: makes objects that survive, over many turns, and prints how large the room for young objects is in the end, in MiB. */
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { limitYoungGeneration } from '../../../src/cli/serve/young-generation.ts';

const watch = process.argv[2] === 'kept' ? limitYoungGeneration() : undefined;
const end = performance.now() + 3000;
const kept: object[] = [];
for (let made = 0; performance.now() < end; await turn()) {
  for (let count = 0; count < 200; count += 1, made += 1) kept[made % 10_000] = { made, text: [made] };
}
watch?.close();
const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
process.stdout.write(String(size / 2 ** 20));
