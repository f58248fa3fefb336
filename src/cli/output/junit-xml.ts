/** Formats JUnit XML by the schema of Jenkins, which GitLab, Azure and others read too. */
import { plain, shorten } from '../../engine/text.ts';

export interface JunitRun {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of each suite. */
  readonly properties: Readonly<Record<string, string>>;
  readonly suites: readonly JunitSuite[];
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** One test. It passes unless it has a problem or was skipped. */
export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  /** `failure`: what was tested is wrong; `error`: it could not be tested. */
  readonly problem?: JunitProblem;
  /** Why it was skipped. */
  readonly skipped?: string;
  /** Other text. */
  readonly output?: string;
}

export interface JunitProblem {
  readonly as: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
  readonly details: string;
}

/** Formats the document, by lines. Any text is escaped. Names are cut at 500 characters and made unique within a suite. */
export function* junitXml(run: JunitRun): Generator<string> {
  const totals = countsOf(run.suites.flatMap(({ cases }) => cases));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites${attributes({ name: run.name, time: '0', tests: totals.tests, failures: totals.failures, errors: totals.errors })}>\n`;
  for (const suite of run.suites) yield* suiteXml(suite, run);
  yield '</testsuites>\n';
}

function* suiteXml({ name, cases }: JunitSuite, { now, properties }: JunitRun): Generator<string> {
  // The schema of the oldest readers has no time zone: it is UTC.
  const timestamp = new Date(now).toISOString().slice(0, 19);
  const head = { name: named(name), ...countsOf(cases), time: '0', timestamp };
  yield `  <testsuite${attributes(head)}>\n    <properties>\n`;
  for (const [key, value] of Object.entries(properties)) {
    yield `      <property${attributes({ name: key, value })}/>\n`;
  }
  yield '    </properties>\n';
  const seen = new Map<string, number>();
  for (const one of cases) yield* caseXml(one, seen);
  yield '  </testsuite>\n';
}

function* caseXml(one: JunitCase, seen: Map<string, number>): Generator<string> {
  const [name, classname] = [named(one.name), named(one.classname)];
  const key = `${classname} ${name}`;
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  const head = attributes({ classname, name: count === 1 ? name : `${name} #${count}`, time: '0' });
  const inside = [...contentOf(one)];
  if (inside.length === 0) yield `    <testcase${head}/>\n`;
  else yield `    <testcase${head}>\n${inside.join('')}    </testcase>\n`;
}

function* contentOf({ problem, skipped, output }: JunitCase): Generator<string> {
  if (problem) {
    const { as, type, message, details } = problem;
    yield `      <${as}${attributes({ type, message })}>${escaped(details)}</${as}>\n`;
  } else if (skipped !== undefined) yield `      <skipped>${escaped(skipped)}</skipped>\n`;
  if (output !== undefined) yield `      <system-out>${escaped(output)}</system-out>\n`;
}

function countsOf(cases: readonly JunitCase[]) {
  const count = (as: string) => String(cases.filter(({ problem }) => problem?.as === as).length);
  const skipped = cases.filter(({ problem, skipped }) => problem === undefined && skipped !== undefined).length;
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: String(skipped),
  };
}

function named(name: string): string {
  return shorten(plain(name), 500);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(plain(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text. XML can't represent most control characters and lone surrogates: these are shown as `\u0000`. */
function escaped(text: string): string {
  return text
    .replace(/(?!\n)[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (char) => {
      return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
    })
    .replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
