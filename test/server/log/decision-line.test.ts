/** The line is written by hand; here it is compared with what JSON.stringify makes of the same facts. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ReviewRequest } from '../../../src/engine/review.ts';
import { plain, shorten } from '../../../src/engine/text.ts';
import type { Decision } from '../../../src/server/admission/observer.ts';
import { renderRules } from '../../../src/server/admission/render.ts';
import { failed, judged, pass, unreadable } from '../../../src/server/admission/respond.ts';
import { decisionLine } from '../../../src/server/log/decision-line.ts';
import { crash, finding, request, unknown, verdict } from '../verdicts.ts';

const TIME = '2026-11-21T20:27:11.123Z';

const text = (value: string | undefined) => (value === undefined ? undefined : plain(shorten(value, 256)));

/** The facts of a line, in their order. */
function factsOf(level: string, decision: Decision, milliseconds: number): Record<string, unknown> {
  const { request: asked, response, verdict: judgement } = decision;
  return {
    level,
    time: TIME,
    uid: text(response.uid),
    path: decision.path,
    dialect: decision.subject?.dialect.name,
    kind: asked && text(`${asked.group}/${asked.version} ${asked.kind}`),
    namespace: text(asked?.namespace),
    name: text(asked?.name),
    operation: asked?.operation,
    subresource: text(asked?.subresource),
    user: text(asked?.username),
    dryRun: asked?.dryRun,
    outcome: decision.outcome,
    code: response.status?.code,
    problem: ['unreadable', 'indeterminate'].includes(decision.outcome) ? text(response.status?.message) : undefined,
    rules: judgement && renderRules(judgement),
    durationMs: Math.round(milliseconds * 1000) / 1000,
    msg: 'decision',
  };
}

function expectEqualLines(decision: Decision, milliseconds = 0.25): void {
  const facts = factsOf('info', decision, milliseconds);
  expect(decisionLine('info', TIME, decision, milliseconds)).toBe(`${JSON.stringify(facts)}\n`);
}

function decisionOf(over: Partial<Decision>): Decision {
  const nothing = { subject: undefined, verdict: undefined, failure: undefined };
  return { path: 'validate', response: pass(request), outcome: 'skipped', request, ...nothing, ...over };
}

const hostile = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('', '"', '\\', '"}\n{"', '\u2028', '\ud800', 'é', '🚀', '\u202e', 'x'.repeat(256), 'x'.repeat(257)),
);
const asked: fc.Arbitrary<ReviewRequest> = fc.record({
  uid: hostile,
  group: hostile,
  version: hostile,
  kind: hostile,
  operation: fc.constantFrom('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  subresource: hostile,
  name: hostile,
  namespace: fc.option(hostile, { nil: undefined }),
  username: fc.option(hostile, { nil: undefined }),
  dryRun: fc.boolean(),
});
const verdicts = fc.constantFrom(
  verdict(),
  verdict({ outcome: 'denied', findings: [finding(), finding({ ruleId: 'claim/value', action: 'audit' })] }),
  verdict({ outcome: 'indeterminate', indeterminate: [unknown] }),
  verdict({ outcome: 'crashed', crashes: [crash()], findings: [finding({ action: 'warn' })] }),
);

test('whatever the texts: the bytes of JSON.stringify', () => {
  fc.assert(
    fc.property(asked, verdicts, fc.double({ min: 0, max: 1e6, noNaN: true }), (sent, whole, milliseconds) => {
      const outcome = whole.outcome === 'crashed' ? 'error' : whole.outcome;
      const decision = decisionOf({ request: sent, verdict: whole, response: judged(sent, whole), outcome });
      expectEqualLines(decision, milliseconds);
    }),
    { numRuns: 300 },
  );
});

test.each([0, 0.0004, 0.0005, 0.001, 0.01, 0.1, 0.25, 0.999, 0.9996, 1, 1.5, 10, 123.456, 30_000, 1e9 + 0.001])(
  '%d ms',
  (milliseconds) => expectEqualLines(decisionOf({}), milliseconds),
);

test('what was not read, or not judged, is left out', () => {
  const problem = 'the body is "not" JSON\n';
  expectEqualLines(
    decisionOf({ outcome: 'unreadable', request: undefined, response: unreadable(undefined, problem), path: 'mutate' }),
  );
  expectEqualLines(decisionOf({ outcome: 'unreadable', response: unreadable('a"b', problem, request) }));
  expectEqualLines(decisionOf({ outcome: 'error', response: failed(undefined, 'ab12cd34') }));
});

test('as many rules as there are of them', () => {
  const many = Array.from({ length: 50 }, (_, nth) => finding({ ruleId: `feature/rule-${nth}` }));
  const whole = verdict({ outcome: 'denied', findings: many });
  expectEqualLines(decisionOf({ outcome: 'denied', verdict: whole, response: judged(request, whole) }));
  const more = verdict({
    outcome: 'denied',
    findings: [...many, ...many.map((one) => ({ ...one, ruleId: `${one.ruleId}x` }))],
  });
  const line = decisionLine('info', TIME, decisionOf({ verdict: more, response: judged(request, more) }), 1);
  expect(JSON.parse(line)).toMatchObject({ rules: renderRules(more).slice(0, 64) });
});
