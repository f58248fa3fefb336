/** The line that shows the progress of long work. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { checkCommand } from '../../../src/cli/check/command.ts';
import { progressLine, showReading } from '../../../src/cli/progress.ts';
import { claim, yaml } from '../../support/command-line.ts';
import { newFolder } from '../../support/folder.ts';

afterEach(() => void jest.restoreAllMocks());

function terminal(environment: Record<string, string> = {}, isTTY = true) {
  const written: string[] = [];
  const time = { now: 0 };
  const screen = { isTTY, columns: 20, write: (text: string) => written.push(text) };
  return { written, time, line: progressLine(screen, environment, () => time.now) };
}

const shown = (text: string) => `\r\u001b[2K\u001b[?7l${text}\u001b[?7h`;

test('no line without a terminal, in a CI system, or on a terminal that cannot erase', () => {
  expect(terminal({}, false).line).toBeUndefined();
  expect(progressLine({ write: () => true }, {})).toBeUndefined();
  expect(terminal({ CI: 'true' }).line).toBeUndefined();
  expect(terminal({ TERM: 'dumb' }).line).toBeUndefined();
  expect(terminal({ CI: 'false', NO_COLOR: '1' }).line).toBeDefined();
  expect(showReading(undefined)).toBeUndefined();
});

test('short work shows and erases nothing', () => {
  const { written, time, line } = terminal();
  line?.show(() => 'a');
  time.now = 499;
  line?.show(() => 'b');
  line?.end();
  expect(written).toEqual([]);
});

test('long work shows a line ten times a second, cut to the terminal, and erases it once', () => {
  const { written, time, line } = terminal();
  for (time.now = 500; time.now < 800; time.now += 50) line?.show(() => `at ${time.now}`);
  line?.show(() => 'x\u001b[2J'.repeat(9));
  line?.end();
  line?.end();
  expect(written).toEqual([
    shown('at 500'),
    shown('at 600'),
    shown('at 700'),
    shown('x\\u001b[2Jx\\u001b[2J…'.slice(0, 18).concat('…')),
    '\r\u001b[2K',
  ]);
});

test('reading shows which file of how many, and the share of a large one', () => {
  const { written, time, line } = terminal();
  const reading = showReading(line);
  const show = (file: number, files: number, share: number) => {
    time.now += 500;
    reading?.({ source: 'a.yaml', file, files, share });
  };
  show(1, 1, 0);
  show(1, 1, 0.456);
  show(3, 9, 0);
  expect(written).toEqual([shown('reading a.yaml'), shown('reading a.yaml (45…'), shown('reading 3 of 9: a.…')]);
});

test('an error of a check begins on a line of its own', async () => {
  const file = newFolder().put('a.yaml', yaml(claim('id.k8s.io', 'a')));
  jest.replaceProperty(process, 'env', { ...process.env, CI: '', TERM: 'xterm' });
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  try {
    const flags = { failOn: 'denied', explainService: 'shop/web' } as const;
    await expect(checkCommand([file], flags)).rejects.toThrow('no cluster of the run has a ServiceExport shop/web');
    const written = write.mock.calls.map(([text]) => text);
    expect([written[0], written.at(-1)]).toEqual([expect.stringContaining('reading '), '\r\u001b[2K']);
  } finally {
    process.stderr.isTTY = isTTY;
  }
});
