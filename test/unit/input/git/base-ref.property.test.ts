/** Whatever moves between whichever files: an object of both sides is an UPDATE, else a CREATE or a DELETE. */
import { rmSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runCheck } from '../../../../src/cli/check/run.ts';
import { claim, run, yaml } from '../../../support/command-line.ts';
import { newRepository } from '../../../support/git.ts';

const repository = newRepository();

const FILES = ['a.yaml', 'b c.yaml', 'd/ü.yaml', 'd/e/"f".json', 'd/new\nline.yml', '-g.yaml'];
const NAMES = ['one.example.com', 'two.example.com', 'three.example.com', 'four.example.com'];
/** Which file each object is in; undefined: in none. */
const placing = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.option(fc.constantFrom(...FILES), { nil: undefined })])),
);

function write(places: Readonly<Record<string, string | undefined>>, value: string): void {
  rmSync(repository.at('m'), { recursive: true, force: true });
  repository.put('m/keep.txt', '');
  for (const file of FILES) {
    const here = NAMES.filter((name) => places[name] === file);
    if (here.length > 0) repository.put(`m/${file}`, yaml(...here.map((name) => claim(name, value))));
  }
}

test('any two sides', async () => {
  const sides = fc.tuple(placing, placing, fc.boolean(), fc.constantFrom('untracked', 'staged', 'committed'));
  await fc.assert(
    fc.asyncProperty(sides, async ([before, after, edited, how]) => {
      write(before, 'x');
      const baseRef = repository.commit();
      write(after, edited ? 'y' : 'x');
      if (how === 'staged') repository.git('add', '-A');
      if (how === 'committed') repository.commit();
      const { report, notes } = await runCheck(run({ paths: [repository.at('m')], baseRef }));
      expect({ errors: report.errors, notes }).toEqual({ errors: [], notes: [] });
      const found = report.results.map(({ operation, name }) => `${operation} ${name}`);
      const expected = NAMES.flatMap((name) => {
        if (after[name] !== undefined) return `${before[name] === undefined ? 'CREATE' : 'UPDATE'} ${name}`;
        return before[name] === undefined ? [] : `DELETE ${name}`;
      });
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 20 },
  );
});
