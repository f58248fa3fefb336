/** Rules that throw, an event loop that stalls, and hostile values let no forbidden write pass. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dialects } from '../../../src/api/dialects.ts';
import type { Path } from '../../../src/base/json.ts';
import { rules } from '../../../src/rules/index.ts';
import type { Rule, Shape } from '../../../src/rules/rule.ts';
import { SOURCE_MAIN } from '../../support/main.ts';
import { claim } from '../../support/objects.ts';
import { exchange } from '../../support/test-server.ts';
import {
  type ApiAnswer,
  type ControlPlane,
  type Muster,
  register,
  startControlPlane,
  startMuster,
} from '../e2e/harness/index.ts';
import { STALL_MS, WAYS } from './broken-inside/break.ts';
import { HOSTILE, surelyWrong } from './broken-inside/hostile.ts';
import { byForm, record } from './figures.ts';

const BREAK = fileURLToPath(new URL('broken-inside/break.ts', import.meta.url));
const CLAIMS = '/apis/multicluster.x-k8s.io/v1alpha1/clusterclaims';
const TIMES = byForm(3, 20);
const STALLS = byForm(1, 5);

let controlPlane: ControlPlane;
let muster: Muster;
let count = 0;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: 'loose' });
  // A rule that only warns by itself denies here, so that what it finds is seen in the verdict.
  const denying = Object.fromEntries(
    (rules as readonly Rule[]).flatMap(({ id, shapes }) => (shapes ? [[id, 'deny']] : [])),
  );
  muster = await startMuster({
    main: SOURCE_MAIN,
    env: { NODE_OPTIONS: `--import=${BREAK}` },
    config: { rules: denying },
  });
});
afterAll(async () => {
  await muster?.stop();
  await controlPlane?.stop();
});

/** Without a domain in its name, so that the API server calls muster. */
function create(name: string): Promise<ApiAnswer> {
  return controlPlane.api('jane').call('POST', CLAIMS, claim(name, 'x'));
}
const isStored = async (name: string) =>
  (await controlPlane.api('jane').call('GET', `${CLAIMS}/${name}`)).status === 200;
const isVerdict = ({ body }: ApiAnswer) => /denied the request/.test(String(body.message));

test.each(['Fail', 'Ignore'] as const)('a rule that throws, under %s', async (failurePolicy) => {
  await register(controlPlane, muster, { timeoutSeconds: 'printed', failurePolicy });
  const names = WAYS.flatMap((way) => Array.from({ length: TIMES }, () => `${way}-n${++count}`));
  const answers = await Promise.all(names.map((name) => create(name)));
  const admitted = (await Promise.all(names.map(isStored))).filter(Boolean).length;
  const verdicts = answers.filter((answer) => answer.status === 500 && isVerdict(answer)).length;
  const leaked = answers.filter(({ body }) => JSON.stringify(body).includes('secret')).length;
  const sound = await create(`sound-n${++count}`);
  record(
    'broken-inside',
    `a rule breaks, under ${failurePolicy}`,
    `${names.length} writes in ${WAYS.length} ways: admitted ${admitted}, verdicts ${verdicts}; the next sound write: ${sound.status}`,
    failurePolicy === 'Fail' ? `${admitted} of ${names.length} writes admitted, each with a verdict` : undefined,
  );
  expect({ admitted, verdicts, leaked, sound: sound.status }).toEqual({
    admitted: 0,
    verdicts: names.length,
    leaked: 0,
    sound: 201,
  });
});

test.each(['Fail', 'Ignore'] as const)('the event loop stalls for 2 s under load, under %s', async (failurePolicy) => {
  await register(controlPlane, muster, { timeoutSeconds: 'printed', failurePolicy });
  const wrong: string[] = [];
  let writes = 0;
  let longest = 0;
  let stopped = false;
  const write = async () => {
    while (!stopped) {
      const bad = ++count % 2 === 0;
      const name = bad ? `n${count}.k8s.io` : `n${count}`;
      const began = performance.now();
      const answer = await create(name);
      longest = Math.max(longest, performance.now() - began);
      writes += 1;
      if (bad ? answer.status !== 403 || !isVerdict(answer) : answer.status !== 201)
        wrong.push(`${name}: ${answer.status} ${answer.body.message}`);
      await sleep(20);
    }
  };
  const writers = Array.from({ length: 10 }, write);
  for (let stall = 0; stall < STALLS; stall++) {
    await sleep(500);
    process.kill(muster.pid, 'SIGUSR2');
    await sleep(STALL_MS + 1500);
  }
  stopped = true;
  await Promise.all(writers);
  record(
    'broken-inside',
    `the event loop stalls for 2 s, under ${failurePolicy}`,
    `${writes} writes over ${STALLS} stalls, half of them bad: wrong or without a verdict ${wrong.length}; the longest took ${Math.round(longest)} ms`,
  );
  expect(wrong).toEqual([]);
  // The stall happened.
  expect(longest).toBeGreaterThan(STALL_MS / 2);
});

interface Sent {
  readonly about: string;
  readonly body: string;
  readonly wrong: boolean;
}

test('hostile values for every compiled schema get a verdict, and none is allowed that ajv refuses', async () => {
  const sent = (rules as readonly Rule[]).flatMap((rule) =>
    (rule.shapes ?? []).flatMap((shape) => bodiesFor(rule, shape)),
  );
  const ca = readFileSync(muster.caFile);
  const odd: string[] = [];
  let admitted = 0;
  for (const { about, body, wrong } of sent) {
    const { status, text } = await exchange({ port: muster.port, ca }, body);
    const { response } = JSON.parse(text) as { response: { allowed: boolean; status?: { code: number } } };
    const verdict = response.allowed || [403, 422].includes(response.status?.code ?? 0);
    if (status !== 200 || !verdict) odd.push(`${about}: ${status} ${text.slice(0, 300)}`);
    if (wrong && response.allowed) admitted += odd.push(`${about}: allowed`) > 0 ? 1 : 0;
  }
  const shapes = new Set(sent.map(({ about }) => about.split(' ')[0])).size;
  record(
    'broken-inside',
    'values made to trip a schema',
    `${sent.length} reviews for ${shapes} schemas, ${sent.filter(({ wrong }) => wrong).length} of them wrong by ajv itself: admitted ${admitted}, without a verdict ${odd.length - admitted}`,
    `${admitted} of ${sent.filter(({ wrong }) => wrong).length} wrong values admitted`,
  );
  expect(odd).toEqual([]);
});

/** Returns reviews with each hostile value where the shape applies. A status is an update of an object without one. */
function bodiesFor(rule: Rule, shape: Shape): Sent[] {
  const isWrong = surelyWrong(shape);
  const of = dialects.filter(
    ({ name, concept }) =>
      concept === rule.concept && (rule.dialects ?? [name]).includes(name) && (shape.dialects ?? [name]).includes(name),
  );
  return of.flatMap((dialect) =>
    HOSTILE.map((value, index): Sent => {
      const held = shape.each ? `[${value}]` : value;
      const kind = { group: dialect.group, version: dialect.versions[0], kind: dialect.kind };
      const object = (part: string) =>
        `{"metadata":{"name":"x.example.com","namespace":"a","labels":{"x-k8s.io/cluster-manager":"m"}}${part}}`;
      const base = dialect.concept === 'inventory' ? ',"spec":{"clusterManager":{"name":"m"}}' : '';
      const isStatus = shape.subresource === 'status';
      const body = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","kind":${JSON.stringify(kind)},"operation":"${isStatus ? 'UPDATE' : 'CREATE'}","subResource":"${shape.subresource}","userInfo":{"username":"jane"},"object":${object(base + placed(shape.at, held))},"oldObject":${isStatus ? object(base) : 'null'}}}`;
      return {
        about: `${rule.id}#${shape.at.join('.')}/${dialect.name} value ${index}`,
        body,
        wrong: isWrong(JSON.parse(value)),
      };
    }),
  );
}

/** Returns a member as text to append: `,"spec":{"value":…}`. */
function placed(path: Path, value: string): string {
  return `,${path.reduceRight<string>((inner, step, index) => `${JSON.stringify(String(step))}:${index === path.length - 1 ? value : `{${inner}}`}`, value)}`;
}
