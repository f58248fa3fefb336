/** The text of `muster demo`. A verdict is printed as kubectl prints it. */

import type { Paint } from '../../report/terminal.ts';
import { HOMEPAGE, pageUrl } from '../../rules/documentation.ts';
import type { DemoAnswer } from './api-server.ts';

export interface RenderOptions {
  readonly paint: Paint;
  /** Columns of the terminal; undefined or 0: not known, so lines are not wrapped. */
  readonly width: number | undefined;
}

export interface DemoExample {
  /** In the folder `examples` of the repository. */
  readonly file: string;
  /** What the write is, in one sentence. */
  readonly title: string;
}

type DemoOutcome = 'allowed' | 'warned' | 'denied';

/** Returns what the user notices: a denial, a warning, or nothing. */
export function outcomeOf({ response: { allowed, warnings = [] } }: DemoAnswer): DemoOutcome {
  if (!allowed) return 'denied';
  return warnings.length > 0 ? 'warned' : 'allowed';
}

/** Returns the lines of one example: verdict and title, the command, and what kubectl prints. */
export function renderExample(
  number: number,
  { file, title }: DemoExample,
  answer: DemoAnswer,
  { paint, width }: RenderOptions,
): string {
  const outcome = outcomeOf(answer);
  const head = `${String(number).padStart(2)}. ${paint(outcome, COLORS[outcome])}: ${paint(title, 'bold')}`;
  const status = answer.subresource === '' ? '' : ` --subresource=${answer.subresource}`;
  const command = `$ kubectl apply --server-side${status} -f ${file}`;
  const added = answer.patch.map(({ path, value }) => `(added by muster: ${path} ${JSON.stringify(value)})`);
  const printed = [...kubectlLines(answer), ...added];
  const body = [
    paint(command, 'dim'),
    ...printed.flatMap((line) => wrapped(line, (width || Infinity) - INDENT.length)),
  ];
  return [head, ...body.map((line) => `${INDENT}${line}`), ''].join('\n');
}

/** Returns the counts, and what to try next. */
export function renderNext({ allowed, warned, denied }: Readonly<Record<DemoOutcome, number>>, paint: Paint): string {
  const counts = paint(`${allowed} allowed, ${warned} allowed with a warning, ${denied} denied.`, 'bold');
  const steps = [
    ['muster explain claim/id-immutable-in-clusterset', 'why a rule exists'],
    ['muster check FOLDER', 'the same verdicts for your manifests'],
    [pageUrl('demo'), 'these manifests, good and bad ones'],
    [HOMEPAGE, 'how to install it in a cluster'],
  ] as const;
  const width = Math.max(...steps.map(([step]) => step.length));
  const next = steps.map(([step, what]) => `  ${step.padEnd(width)}  ${paint(what, 'dim')}\n`);
  return `${counts} The server has stopped, and its files are removed.\n\nNext:\n${next.join('')}`;
}

/** Returns what `kubectl apply --server-side` prints about a write with one finding at most, as all examples have. */
function kubectlLines({ reference: { dialect, name }, webhook, response }: DemoAnswer): readonly string[] {
  const { allowed, status, warnings = [] } = response;
  if (allowed) {
    const applied = `${dialect.kind.toLowerCase()}.${dialect.group}/${name} serverside-applied`;
    return [...warnings.map((warning) => `Warning: ${warning}`), applied];
  }
  const { reason, message, details: { causes: [cause] = [] } = {} } = status ?? {};
  // Of such a status, kubectl prints the causes.
  if (reason === 'Invalid') return [`The ${dialect.kind} "${name}" is invalid: ${cause?.field}: ${cause?.message}`];
  const text = `Error from server (${reason}): admission webhook "${webhook}" denied the request: ${message}`;
  return text.split('\n');
}

const COLORS = { allowed: 'green', warned: 'yellow', denied: 'red' } as const;
const INDENT = '    ';

/** Returns a line as lines of at most so many columns, broken at spaces; a longer word stays whole. */
function wrapped(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
