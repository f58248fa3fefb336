/** `check --watch` as a process. Most of the time it waits for a look at the files, so several run at a time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { claim, yaml } from '../../../support/command-line.ts';
import { HEAD } from '../../../support/configuration.ts';
import { type Folder, newFolder } from '../../../support/folder.ts';
import { MAIN } from '../../../support/main.ts';

const GOOD = yaml(claim('id.k8s.io', 'one'));
const BAD = yaml(claim('id.k8s.io', 'A_B'));

interface Stage {
  readonly folder: Folder;
  /** Starts `check --watch` in that folder. */
  watch(...args: readonly string[]): Watching;
}

interface Watching {
  /** Returns the output since the last call, once so many runs have ended. */
  runs(count?: number): Promise<string>;
  /** Returns the output of a time that is longer than the interval. */
  silence(): Promise<string>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A test with a folder and processes of its own. */
function watches(title: string, run: (stage: Stage) => Promise<void>): void {
  test.concurrent(title, async () => {
    const folder = newFolder();
    const started: Watching[] = [];
    const watch = (...args: readonly string[]) => {
      const watching = startIn(folder.path, args);
      started.push(watching);
      return watching;
    };
    try {
      await run({ folder, watch });
    } finally {
      await Promise.all(started.map((watching) => watching.end('SIGKILL')));
    }
  });
}

function startIn(cwd: string, args: readonly string[]): Watching {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(MUSTER_|NO_COLOR|FORCE_COLOR)/.test(name));
  const env = Object.fromEntries(inherited);
  // One pipe for both streams keeps their order.
  const command = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, MAIN, 'check', '--watch', ...args];
  const child: ChildProcess = spawn('sh', command, { cwd, env });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  const taken = () => {
    const text = output;
    output = '';
    return text;
  };
  return {
    async runs(count = 1) {
      const over = () => output.split(/^watching /m).length > count && output.endsWith('\n');
      for (const start = Date.now(); !over() && Date.now() - start < 60_000; ) await pause(20);
      return taken();
    },
    async silence() {
      await pause(3000);
      return taken();
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('it checks again', () => {
  watches('when a file changes that a kustomization reads, whatever its name', async ({ folder, watch }) => {
    folder.put('k/kustomization.yaml', 'resources: [claim.txt]\n');
    folder.put('k/claim.txt', GOOD);
    const watching = watch('k');
    expect(await watching.runs()).toMatch(/watching 2 files;/);
    // As a log of the run itself does.
    folder.put('k/other.txt', 'x');
    expect(await watching.silence()).toBe('');
    folder.put('k/claim.txt', BAD);
    expect(await watching.runs()).toMatch(/watching 2 files;/);
  });

  watches('when a file changes, once for several writes', async ({ folder, watch }) => {
    const file = folder.put('a.yaml', GOOD);
    const watching = watch(file);
    expect(await watching.runs()).toMatch(
      /1 allowed, 0 denied[\s\S]*\nwatching 1 file; Ctrl-C ends, with exit code 0\n$/,
    );
    for (const length of [10, 40, BAD.length]) folder.put('a.yaml', BAD.slice(0, length));
    const text = await watching.runs();
    expect(text).toMatch(/^[\s\S]*\[claim\/id-syntax\][\s\S]*with exit code 1\n$/);
    expect(text.match(/evaluated/g)).toHaveLength(1);
    expect(text).not.toContain('\u001b');
  });

  watches('when files are added, removed or replaced, also in new folders', async ({ folder, watch }) => {
    folder.put('in/a.yaml', GOOD);
    const watching = watch('in');
    await watching.runs();
    folder.put('in/deep/er/b.yaml', yaml(claim('x.example.com', '')));
    expect(await watching.runs()).toMatch(/2 evaluated[\s\S]*watching 2 files/);
    renameSync(folder.put('new.yaml', yaml(claim('y.example.com', 'y'))), join(folder.path, 'in/deep/er/b.yaml'));
    expect(await watching.runs()).toMatch(/2 allowed/);
    rmSync(join(folder.path, 'in/deep'), { recursive: true });
    expect(await watching.runs()).toMatch(/1 evaluated[\s\S]*watching 1 file;/);
  });

  watches('when a cluster appears in the folder of a glob that the configuration names', async ({ folder, watch }) => {
    folder.put('muster.yaml', `${HEAD}check: { clusters: ["clusters/*"] }\n`);
    folder.put('clusters/east/a.yaml', GOOD);
    const watching = watch('--config', 'muster.yaml');
    expect(await watching.runs()).toMatch(/1 evaluated[\s\S]*watching 2 files/);
    folder.put('clusters/west/a.yaml', GOOD);
    expect(await watching.runs()).toMatch(/2 evaluated: 2 allowed[\s\S]*watching 3 files/);
    folder.put('muster.yaml', `${HEAD}check: { clusters: ["fleets/*"] }\n`);
    expect(await watching.runs()).toMatch(/check.clusters "fleets\/\*": no folder matches/);
  });
});

describe('it goes on', () => {
  watches('after broken input, until that is fixed', async ({ folder, watch }) => {
    folder.put('a.yaml', 'apiVersion: about.k8s.io/v1\na: [1\n');
    folder.put('muster.yaml', 'mode: [\n');
    const watching = watch('a.yaml', '--config', 'muster.yaml');
    expect(await watching.runs()).toMatch(/^error: muster\.yaml[\s\S]*with exit code 2\n$/);
    folder.put('muster.yaml', HEAD);
    expect(await watching.runs()).toMatch(/a\.yaml[\s\S]*1 errors?[\s\S]*with exit code 2/);
    rmSync(join(folder.path, 'a.yaml'));
    expect(await watching.runs()).toMatch(/can't read it/);
    const file = folder.put('a.yaml', GOOD);
    expect(await watching.runs()).toMatch(/1 allowed[\s\S]*with exit code 0/);
    // Neither its time nor its size changes.
    chmodSync(file, 0o600);
    expect(await watching.runs()).toMatch(/1 allowed[\s\S]*with exit code 0/);
  });

  watches('after a kustomization that no program reads whole, until that is fixed', async ({ folder, watch }) => {
    const file = folder.put('k/kustomization.yaml', 'resources: [a.yaml]\n');
    folder.put('k/a.yaml', GOOD);
    truncateSync(file, 3 * 2 ** 30);
    const watching = watch('k');
    expect(await watching.runs()).toMatch(/kustomization\.yaml[\s\S]*larger than[\s\S]*with exit code 2\n$/);
    folder.put('k/kustomization.yaml', 'resources: [a.yaml]\n');
    expect(await watching.runs()).toMatch(/1 allowed[\s\S]*with exit code 0\n$/);
  });

  watches('and ignores its own reports and other files', async ({ folder, watch }) => {
    mkdirSync(join(folder.path, 'in'));
    folder.put('in/a.yaml', GOOD);
    const watching = watch('in', '-o', 'text', '-o', 'json=in/report.json');
    await watching.runs();
    folder.put('in/notes.txt', 'a');
    expect(await watching.silence()).toBe('');
  });
});

describe('it ends', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    watches(`on ${signal}, with the exit code of the last result`, async ({ folder, watch }) => {
      folder.put('a.yaml', BAD);
      const watching = watch('a.yaml');
      await watching.runs();
      expect(await watching.end(signal)).toBe(1);
    });

  watches('at once for standard input, which can not be watched', async ({ watch }) => {
    const watching = watch('-');
    expect(await watching.end('SIGCONT')).toBe(2);
  });
});
