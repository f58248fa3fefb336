/** Full disks, a read-only root, no rights on Leases: the cause is named, and everything else goes on. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  type ControlPlane,
  grantAccess,
  type Muster,
  runMuster,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { claim } from '../e2e/verbs/objects.ts';
import { byForm, record } from './figures.ts';
import { withoutLeases } from './no-room-no-rights/leases.ts';
import { type Environment, mounting, prepare, type Serving, serveIn } from './no-room-no-rights/serve.ts';

const ROW = 'no-room-no-rights';
const ASKED = byForm(30, 1000);
const shell = mounting();
/** Without the right to mount, only the first four environments are tried, and the figure says so. */
const HOW = shell === undefined ? 'without mounts, which are not permitted here' : `with mounts (${shell.join(' ')})`;
const FULL_DISK =
  'mkdir "$FOLDER/full" && mount -t tmpfs -o size=64k tmpfs "$FOLDER/full" && head -c 1000000 /dev/zero > "$FOLDER/full/fill" 2>/dev/null;';

const environments: Record<string, Environment & { readonly mounts?: true }> = {
  'standard error full': { script: 'exec "$@" 2>/dev/full' },
  'standard output full': { script: 'exec "$@" >/dev/full' },
  'both closed': { script: 'exec "$@" >&- 2>&-' },
  'home and temporary folder lead nowhere': {
    script: 'exec "$@"',
    env: { HOME: '/dev/full/home', TMPDIR: '/dev/full/tmp', XDG_CACHE_HOME: '/dev/full/cache' },
  },
  'disk full: log, home, temporary and working folder': {
    mounts: true,
    script: `${FULL_DISK} cd "$FOLDER/full"; export HOME="$FOLDER/full" TMPDIR="$FOLDER/full"; exec "$@" >>"$FOLDER/full/log" 2>&1`,
  },
  'root read-only': {
    mounts: true,
    script: 'mount -o remount,bind,ro / && ! touch "$FOLDER/x" 2>/dev/null && exec "$@"',
  },
};

describe('a server', () => {
  test('goes on when nothing can be written', async () => {
    const right: Record<string, number> = {};
    const ended: Record<string, number | null> = {};
    const tried = Object.entries(environments).filter(([, { mounts }]) => mounts === undefined || shell !== undefined);
    for (const [what, scene] of tried) {
      const serving = await serveIn(scene, scene.mounts ? shell : []);
      right[what] = await serving.right(ASKED);
      ended[what] = await end(serving);
    }
    const counts = Object.entries(right).map(([what, count]) => `${what} ${count} of ${ASKED}`);
    record(
      ROW,
      'a full disk, a read-only root',
      `${HOW}; right pairs of verdicts: ${counts.join(', ')}`,
      `${Object.values(right).reduce((sum, one) => sum + one, 0)} of ${ASKED * tried.length} verdicts right`,
    );
    expect(right).toEqual(Object.fromEntries(tried.map(([what]) => [what, ASKED])));
    expect(ended).toEqual(Object.fromEntries(tried.map(([what]) => [what, 0])));
    expect(tried.length).toBe(shell === undefined ? 4 : 6);
  });

  (shell === undefined ? test.skip : test)(
    'writes its log again once there is room, and counts the lost lines',
    async () => {
      const log = '$FOLDER/full/log';
      const serving = await serveIn({ script: `${FULL_DISK} exec "$@" 2>>"${log}"` }, shell);
      const inside = join(`/proc/${serving.pid}/root`, serving.folder, 'full');
      await serving.right(ASKED);
      const [, lost] = /^muster_log_lines_dropped_total (\d+)/m.exec(await serving.metrics()) ?? [];
      rmSync(join(inside, 'fill'));
      await serving.right(10);
      await sleep(500);
      const lines = readFileSync(join(inside, 'log'), 'utf8').trim().split('\n').length;
      await end(serving);
      record(ROW, 'a log without room', `lost lines are counted; ${lines} lines of the log after there was room again`);
      expect(Number(lost)).toBeGreaterThan(0);
      expect(lines).toBeGreaterThanOrEqual(20);
    },
  );
});

async function end(serving: Serving): Promise<number | null> {
  const code = await serving.stop();
  rmSync(serving.folder, { recursive: true, force: true });
  return code;
}

test('a file that can not be written is named in one line, with exit code 2', async () => {
  const { folder } = await prepare();
  const file = join(folder, 'one.json');
  writeFileSync(file, JSON.stringify(claim('a.example.com', 'b')));
  const commands: [string[], string][] = [
    [['check', file, '-o', 'json=/dev/full'], '/dev/full'],
    [['check', file, '-o', 'sarif=/dev/full', '-o', `json=${join(folder, 'report.json')}`], '/dev/full'],
    [['scan', '--state', file, '-o', 'json=/dev/full'], '/dev/full'],
    [['check', file, '-o', `json=${file}/below/a/file`], 'below/a/file'],
    [['certs', '--dir', '/dev/full/certs'], '/dev/full/certs'],
    [['serve', '--port', '0', '--ops-port', '0', '--cert-dir', '/dev/full/certs'], '/dev/full/certs'],
    [['serve', '--port', '0', '--ops-port', '0', '--cert-dir', '/proc/certs'], '/proc/certs'],
  ];
  const found: { code: number; named: boolean; stderr: string }[] = [];
  for (const [args, name] of commands) {
    const { code, stderr } = await runMuster(args);
    // Before the error a check notes what it could not compare, and counts what it evaluated.
    const errors = stderr
      .trim()
      .split('\n')
      .filter((line) => !/^note: |^\d+ evaluated: /.test(line));
    found.push({ code, named: errors.length === 1 && stderr.includes(name), stderr: errors.join('\n') });
  }
  rmSync(folder, { recursive: true });
  record(
    ROW,
    'reports and certificates without room',
    `${found.filter(({ code, named }) => code === 2 && named).length} of ${found.length} named in one line, exit code 2`,
  );
  expect(found).toEqual(commands.map(() => ({ code: 2, named: true, stderr: expect.stringMatching(/^error: /) })));
});

describe('no permission on Leases', () => {
  let controlPlane: ControlPlane | undefined;
  let muster: Muster | undefined;
  afterAll(async () => {
    await muster?.stop();
    await controlPlane?.stop();
  });

  test('is named in log and readiness, identity writes get a 503 with the remedy, others are decided; then it heals', async () => {
    controlPlane = await startControlPlane();
    await grantAccess(controlPlane);
    muster = await startMuster({ controlPlane });
    const { ways, asked, decided } = await withoutLeases(controlPlane, muster);
    record(
      ROW,
      'no permission on Leases',
      `${ways.join(', ')}: each named in readiness, log and the 503, and well again by itself; ` +
        `object-only writes decided ${decided} of ${asked}`,
      `${decided} of ${asked} object-only writes decided`,
    );
    expect(decided).toBe(asked);
    expect(asked).toBeGreaterThan(0);
    expect((await fetch(`${muster.opsUrl}/readyz`)).status).toBe(200);
  });
});
