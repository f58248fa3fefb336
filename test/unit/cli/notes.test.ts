/**
 * What a check says of its own limits, and the flags that decide what a run reports: -q, --fail-on none, --baseline.
 */
import { describe, expect, test } from '@jest/globals';
import { limitNotes } from '../../../src/cli/notes.ts';
import { dialectsWithChangeRules } from '../../../src/engine/plan.ts';
import { rules } from '../../../src/rules/index.ts';
import { claim, yaml } from '../../support/command-line.ts';
import { policyFrom } from '../../support/configuration.ts';
import { newFolder } from '../../support/folder.ts';
import { musterHere } from '../../support/in-process.ts';

const folder = newFolder();
folder.put('good.yaml', yaml(claim('id.k8s.io', 'a')));
folder.put('bad.yaml', yaml(claim('id.k8s.io', 'A_B')));
folder.put('empty/none.yaml', 'apiVersion: v1\nkind: ConfigMap\n');

const check = (...args: string[]) =>
  musterHere(['check', ...args], { cwd: folder.path, env: { MUSTER_QUIET: 'false' } });
const SUMMARY = '1 evaluated: 0 allowed, 1 denied, 0 indeterminate; 0 warnings, 0 skipped, 0 errors\n';

describe('notes', () => {
  test('without a previous state every object counts as new; with one, and with -q, nothing is said', async () => {
    const { code, err } = await check('good.yaml');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^note: every object counts as new[^\n]*\n$/),
    });
    for (const flag of ['--base-ref', '--state', '--live']) expect(err).toContain(flag);
    expect((await check('good.yaml', '--state', 'empty')).err).toBe('');
    expect((await check('good.yaml', '-q')).err).toBe('');
  });

  test('nothing to evaluate is a note; an error says more', async () => {
    expect((await check('empty')).err).toBe(
      'note: nothing was evaluated: no object of a kind that muster has rules for (1 skipped; -v lists them)\n',
    );
    expect((await check('empty', '-q')).err).toBe('');
    expect((await check('gone.yaml')).err).toBe("gone.yaml:1:1: error: can't read it: no such file or folder\n");
  });

  test('clusters without a previous state are named beside others that have one', () => {
    const limits = { evaluated: 1, errors: 0, skipped: 0, clusters: 3 };
    expect(limitNotes({ ...limits, withoutState: ['east', 'west'] })).toEqual([
      expect.stringMatching(/^note: every object of "east", "west" counts as new/),
    ]);
    expect(limitNotes({ ...limits, withoutState: ['a', 'b', 'c'] })).toEqual([
      expect.stringMatching(/^note: every object counts/),
    ]);
    expect(limitNotes({ ...limits, withoutState: [] })).toEqual([]);
  });

  test('a kind counts only while a rule in force compares its changes', () => {
    const off = Object.fromEntries(rules.map(({ id }) => [id, 'ignore']));
    const configured = (written: object) => [...dialectsWithChangeRules(policyFrom({ rules: written }), 'check')];
    expect(configured({})).toContain('cluster-claim');
    expect(configured(off)).toEqual([]);
    expect(configured({ ...off, 'claim/value': 'deny' })).toEqual([]);
  });
});

describe('what fails, and what is reported', () => {
  test('--fail-on none reports and passes; input that can not be read stays exit code 2', async () => {
    const { code, out } = await check('bad.yaml', '-q', '--fail-on', 'none');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('denied [claim/id-syntax]') });
    expect((await check('bad.yaml', 'gone.yaml', '-q', '--fail-on', 'none')).code).toBe(2);
  });

  test('without text on standard output the summary is on standard error', async () => {
    expect(await check('bad.yaml', '-q', '-o', 'sarif=r.sarif')).toEqual({ code: 1, out: '', err: SUMMARY });
    expect((await check('bad.yaml', '-q', '-o', 'json')).err).toBe(SUMMARY);
    expect((await check('bad.yaml', '-q', '-o', 'text', '-o', 'junit=r.xml')).err).toBe('');
  });

  test('--baseline leaves out what an earlier report has', async () => {
    await check('bad.yaml', '-q', '-o', 'json=before.json');
    const { code, out, err } = await check('bad.yaml', '-q', '--baseline', 'before.json');
    expect({ code, out, err }).toEqual({
      code: 0,
      out: SUMMARY.replace('0 allowed, 1 denied', '1 allowed, 0 denied'),
      err: 'note: 1 finding is in --baseline before.json, and not reported\n',
    });
    // A finding that was fixed is still in the file, so that its return would not be reported.
    expect((await check('good.yaml', '-q', '--baseline', 'before.json')).err).toBe(
      'note: 0 findings are in --baseline before.json, and not reported; ' +
        '1 of its findings was not found: if it is fixed, write it anew without --baseline\n',
    );
    expect(await check('bad.yaml', '--baseline', 'good.yaml')).toMatchObject({ code: 2, out: '' });
    expect((await check('bad.yaml', '--baseline', '')).err).toMatch(/^error: option '--baseline <file>' is empty/);
  });
});
