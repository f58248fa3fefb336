import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { fingerprintOf } from '../../src/config/load.ts';
import { type WatchedConfiguration, type WatchOptions, watchConfiguration } from '../../src/config/watch.ts';

const HEAD = 'apiVersion: muster/v1alpha1\nkind: MusterConfiguration\n';
const WARN = `${HEAD}mode: warn\n`;
const AUDIT = `${HEAD}mode: audit\n`;
const BAD = `${HEAD}mode: off\n`;

let folder: string;
let file: string;
let watching: WatchedConfiguration | undefined;
/** What the watch reported, in order: modes, and problems without the folder. */
let reported: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-watch-'));
  file = join(folder, 'muster.yaml');
  reported = [];
});
afterEach(() => {
  watching?.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: Partial<WatchOptions> = {}): void {
  watching = watchConfiguration(file, {
    ruleIds: new Set(['claim/value']),
    onPolicy: ({ policy }) => reported.push(policy.mode),
    onProblems: ({ code, problems }) => reported.push(`${code} ${problems.join(' ').replaceAll(`${folder}/`, '')}`),
    pollMs: 20,
    settle: () => sleep(10),
    ...options,
  });
}

/** Waits until so many reports were made; fails after 10 s. */
async function until(count: number): Promise<string[]> {
  const end = Date.now() + 10_000;
  while (reported.length < count && Date.now() < end) await sleep(5);
  return reported;
}

/** Puts a content in place at once, as editors do. */
function put(content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

const PROBLEM = 'CONFIG_INVALID muster.yaml:3:7: mode: expected enforce, warn or audit, found false';
const GONE = 'CONFIG_UNREADABLE muster.yaml: cannot be read: there is no such file';

describe.each([
  ['reported by the folder', { pollMs: 60_000 }],
  ['found by polling', { pollMs: 20 }],
])('a change %s', (_, options) => {
  test('takes effect when good and is reported when bad; the property `refused` says which', async () => {
    put(WARN);
    start({ ...options, fingerprint: fingerprintOf(WARN) });
    put(AUDIT);
    expect(await until(1)).toEqual(['audit']);
    put(BAD);
    expect(await until(2)).toEqual(['audit', PROBLEM]);
    expect(watching?.refused?.problems).toEqual([expect.stringContaining('muster.yaml:3:7: mode: ')]);
    // Back to what is in force: that is reported too.
    put(AUDIT);
    expect(await until(3)).toEqual(['audit', PROBLEM, 'audit']);
    expect(watching?.refused).toBeUndefined();
  });

  test('of a file written in place takes effect', async () => {
    put(WARN);
    start({ ...options, fingerprint: fingerprintOf(WARN) });
    writeFileSync(file, AUDIT);
    expect(await until(1)).toEqual(['audit']);
  });

  test('of a ConfigMap, swapped by a symlink beside the file, takes effect', async () => {
    for (const [version, content] of Object.entries({ v1: WARN, v2: AUDIT })) {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'muster.yaml'), content);
    }
    symlinkSync('v1', join(folder, '..data'));
    symlinkSync(join('..data', 'muster.yaml'), file);
    start({ ...options, fingerprint: fingerprintOf(WARN) });
    symlinkSync('v2', join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    expect(await until(1)).toEqual(['audit']);
  });
});

describe('the watch', () => {
  test('reports the first content without a fingerprint', async () => {
    put(WARN);
    start();
    expect(await until(1)).toEqual(['warn']);
  });

  test('finds a change made between loading and watching', async () => {
    put(AUDIT);
    start({ fingerprint: fingerprintOf(WARN), pollMs: 60_000 });
    expect(await until(1)).toEqual(['audit']);
  });

  test('reports a bad content once, however often it reads', async () => {
    put(BAD);
    let reads = 0;
    start({ pollMs: 1, clock: () => ++reads });
    await until(1);
    // The same content again, then a good one: what comes next is the good one.
    put(BAD);
    put(`${BAD}# another\n`);
    await until(2);
    put(AUDIT);
    expect(await until(3)).toEqual([PROBLEM, PROBLEM, 'audit']);
    expect(reads).toBe(3);
  });

  test('reports a missing file once, and its return', async () => {
    put(WARN);
    start({ fingerprint: fingerprintOf(WARN), pollMs: 1 });
    unlinkSync(file);
    await until(1);
    put(WARN);
    expect(await until(2)).toEqual([GONE, 'warn']);
  });

  test('survives the loss of its folder', async () => {
    put(WARN);
    start({ fingerprint: fingerprintOf(WARN) });
    rmSync(folder, { recursive: true });
    await until(1);
    mkdirSync(folder);
    put(AUDIT);
    expect(await until(2)).toEqual([GONE, 'audit']);
  });

  test('never takes a file half-written', async () => {
    put(WARN);
    // One piece after the other, while the watch waits for the last to settle. Two would be valid by themselves.
    const pieces = [`${HEAD}mo`, HEAD, `${HEAD}mode: enforce\n`, AUDIT];
    const settle = async () => {
      const piece = pieces.shift();
      if (piece !== undefined) writeFileSync(file, piece);
    };
    start({ fingerprint: fingerprintOf(WARN), pollMs: 1, settle });
    writeFileSync(file, '');
    expect(await until(1)).toEqual(['audit']);
    expect(pieces).toEqual([]);
  });

  test('uses its clock for expired exceptions', async () => {
    const exception =
      '{rules: [claim/value], apiGroup: about.k8s.io, kind: ClusterProperty, name: a, expires: 2027-01-31, reason: r}';
    put(`${HEAD}exceptions: [${exception}]\n`);
    const warnings: (readonly string[])[] = [];
    start({
      clock: () => Date.UTC(2027, 1, 1),
      onPolicy: (loaded) => {
        warnings.push(loaded.warnings);
        reported.push('loaded');
      },
    });
    await until(1);
    expect(warnings).toEqual([[expect.stringMatching(/: exceptions\[0\]: .* expired at 2027-02-01T00:00:00\.000Z/)]]);
  });

  test('reports nothing after close', async () => {
    put(WARN);
    start({ fingerprint: fingerprintOf(WARN), pollMs: 1, settle: () => sleep(1) });
    watching?.close();
    watching?.close();
    put(AUDIT);
    await otherReported();
    expect(reported).toEqual([]);
  });

  test('can be closed while it reads', async () => {
    put(AUDIT);
    let settling = 0;
    start({
      pollMs: 1,
      settle: async () => {
        settling++;
        watching?.close();
      },
    });
    await otherReported();
    expect([reported, settling]).toEqual([[], 1]);
  });
});

/** Waits until another watch, which started later and takes longer, has reported. */
async function otherReported(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const other = watchConfiguration(file, {
      ruleIds: new Set(),
      settle: () => sleep(50),
      onPolicy: () => {
        other.close();
        resolve();
      },
      onProblems: reject,
    });
  });
}
