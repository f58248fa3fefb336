import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Finding } from '../../../../src/engine/index.ts';
import { pageUrl, ruleUrl } from '../../../../src/rules/documentation.ts';
import { encode, evaluated, patched, unreadable } from '../../../../src/server/admission/respond.ts';
import { UID } from '../../../support/reviews.ts';
import { about, crash, finding, request, unknown, verdict, warning } from '../verdicts.ts';

const PAGE = ruleUrl('claim/id-syntax');
const WARNED = `[claim/id-length] spec.value: should be shorter (more: ${ruleUrl('claim/id-length')})`;
const CONTROL = /\p{Cc}/u;

describe('a verdict', () => {
  test('allowed', () => {
    expect(evaluated(request, verdict())).toEqual({
      uid: UID,
      allowed: true,
      auditAnnotations: { decision: 'allowed', rules: '' },
    });
  });

  test.each(['exempt', 'terminating', 'skipped'] as const)('%s says so to the audit log', (passed) => {
    expect(evaluated(request, verdict({ skipped: passed }))).toMatchObject({
      allowed: true,
      auditAnnotations: { decision: passed },
    });
  });

  test('allowed with findings that do not refuse', () => {
    const findings = [warning(), finding({ ruleId: 'claim/value', action: 'audit' })];
    expect(evaluated(request, verdict({ findings }))).toEqual({
      uid: UID,
      allowed: true,
      warnings: [WARNED],
      auditAnnotations: { decision: 'allowed', rules: 'claim/id-length:warn,claim/value:audit' },
    });
  });

  test('a warning that only the mode keeps from a denial says so, within the bounds', () => {
    const capped = warning({ wouldDeny: true, message: 'x'.repeat(300) });
    const { warnings = [] } = evaluated(request, verdict({ findings: [capped, warning()] }));
    expect(warnings).toEqual([
      expect.stringMatching(/^\[claim\/id-length\] would be denied: spec\.value: x+…$/),
      WARNED,
    ]);
    expect(warnings[0]).toHaveLength(256);
  });

  test.each([
    [256, ` (more: ${ruleUrl('claim/id-length')})`],
    [257, ' (more: muster explain claim/id-length)'],
    [300, 'x'],
  ])('a warning of %i characters with its link ends with %j', (length, end) => {
    const message = 'x'.repeat(length - WARNED.length + 'should be shorter'.length);
    const { warnings = [] } = evaluated(request, verdict({ findings: [warning({ message })] }));
    expect(warnings[0]?.endsWith(end)).toBe(true);
    expect(warnings[0]).toContain(`spec.value: ${message}`);
  });

  test('denied for malformed content: 422, a line and a cause for each finding, the rest as warnings', () => {
    const findings = [finding(), finding({ field: 'spec', path: ['spec'], message: 'is odd' }), warning()];
    expect(evaluated(request, verdict({ outcome: 'denied', findings }))).toEqual({
      uid: UID,
      allowed: false,
      status: {
        code: 422,
        reason: 'Invalid',
        message: `[claim/id-syntax] spec.value: must be a label\n[claim/id-syntax] spec: is odd\nMore: ${PAGE}`,
        details: {
          ...about,
          causes: [
            { reason: 'FieldValueInvalid', field: 'spec.value', message: '[claim/id-syntax] must be a label' },
            { reason: 'FieldValueInvalid', field: 'spec', message: `[claim/id-syntax] is odd (more: ${PAGE})` },
          ],
        },
      },
      warnings: [WARNED],
      auditAnnotations: { decision: 'denied', rules: 'claim/id-syntax:deny,claim/id-length:warn' },
    });
  });

  test('where 422 and 403 meet, 403', () => {
    const findings = [finding(), finding({ ruleId: 'claim/id-immutable-in-clusterset', code: 403 })];
    const { status } = evaluated(request, verdict({ outcome: 'denied', findings }));
    expect(status).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(status?.details?.causes?.map(({ reason }) => reason)).toEqual([
      'FieldValueForbidden',
      'FieldValueForbidden',
    ]);
  });

  test('what is there already: 409, as the API server would have it; anything else beside it wins', () => {
    const exists = finding({ ruleId: 'claim/id-immutable-in-clusterset', code: 409 });
    const statusOf = (findings: Finding[]) => evaluated(request, verdict({ outcome: 'denied', findings })).status;
    expect(statusOf([exists, warning()])).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect(statusOf([exists, finding()])).toMatchObject({ code: 422 });
    expect(statusOf([exists, finding({ code: 403 })])).toMatchObject({ code: 403 });
  });

  test('a 403 that only warns leaves 422', () => {
    const findings = [finding(), warning({ code: 403 })];
    expect(evaluated(request, verdict({ outcome: 'denied', findings })).status).toMatchObject({ code: 422 });
  });

  test('a field that is the object itself is not named', () => {
    const { status } = evaluated(request, verdict({ outcome: 'denied', findings: [finding({ field: '', path: [] })] }));
    expect(status?.message).toBe(`[claim/id-syntax] must be a label\nMore: ${PAGE}`);
    expect(status?.details?.causes?.[0]?.field).toBe('');
  });

  test('crashed: 500 with the reference, and nothing of the error', () => {
    const response = evaluated(request, verdict({ outcome: 'crashed', crashes: [crash()] }));
    expect(response).toMatchObject({
      allowed: false,
      status: { code: 500, reason: 'InternalError', message: expect.stringMatching(/^\[claim\/value\] .*ab12cd34$/) },
      auditAnnotations: { decision: 'error', rules: 'claim/value:crash' },
    });
    expect(encode(response)).not.toContain('secret');
  });

  test('a certain denial beside a crash and an unknown wins, and the crash becomes a warning', () => {
    const whole = { outcome: 'denied' as const, findings: [finding()], indeterminate: [unknown], crashes: [crash()] };
    const response = evaluated(request, verdict(whole));
    expect(response.status).toMatchObject({
      code: 422,
      message: `[claim/id-syntax] spec.value: must be a label\nMore: ${PAGE}`,
    });
    expect(response.warnings).toEqual([expect.stringMatching(/^\[claim\/value\] .*ab12cd34$/)]);
  });
});

describe('bounds', () => {
  test('a thousand findings are capped, causes with lines, and no rule goes unheard', () => {
    const many = Array.from({ length: 1000 }, (_, index) => finding({ field: `status.uses[${index}]` }));
    const findings = [...many, finding({ ruleId: 'feature/shape' })];
    const { status } = evaluated(request, verdict({ outcome: 'denied', findings }));
    const lines = status?.message.split('\n') ?? [];
    expect(lines).toHaveLength(34);
    expect(lines[0]).toBe('[claim/id-syntax] status.uses[0]: must be a label');
    expect(lines[31]).toBe('[feature/shape] spec.value: must be a label');
    expect(lines[32]).toBe('… and 969 more');
    expect(lines[33]).toBe(`More: ${pageUrl('rules/')}`);
    expect(status?.details?.causes).toHaveLength(32);
  });

  test('warnings stay within 4,096 bytes, each within 256 code points, each with its rule', () => {
    const findings = Array.from({ length: 100 }, () => warning({ message: '🚀'.repeat(300) }));
    const last = warning({ ruleId: 'feature/preserved' });
    const { warnings = [] } = evaluated(request, verdict({ findings: [...findings, last] }));
    expect(Buffer.byteLength(warnings.join(''))).toBeLessThanOrEqual(4096);
    expect(warnings.at(-2)).toContain('[feature/preserved] spec.value: should be shorter');
    expect(warnings.at(-1)).toMatch(/^\[claim\/id-length\] … and \d+ more$/);
    for (const text of warnings) expect(Array.from(text).length).toBeLessThanOrEqual(256);
  });

  test('sixteen short warnings are all written', () => {
    const findings = Array.from({ length: 16 }, () => warning());
    expect(evaluated(request, verdict({ findings })).warnings).toHaveLength(16);
  });

  test('whatever the texts: no control characters, a line for each finding, bounded', () => {
    const text = fc.string({ unit: 'binary', maxLength: 600 });
    const some = fc.record({ message: text, field: text, action: fc.constantFrom('deny', 'warn', 'audit') });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), text, (overs, name) => {
        const findings = [finding({ message: 'a\nb' }), ...overs.map((over) => finding(over as object))];
        const response = evaluated({ ...request, name }, verdict({ outcome: 'denied', findings }));
        const lines = response.status?.message.split('\n') ?? [];
        const denying = findings.filter(({ action }) => action === 'deny').length;
        expect(lines.filter((line) => line.startsWith('[claim/id-syntax]'))).toHaveLength(Math.min(denying, 32));
        expect(response.status?.details?.causes).toHaveLength(Math.min(denying, 32));
        const causes = response.status?.details?.causes?.flatMap(({ field, message }) => [field, message]) ?? [];
        const texts = [...lines, ...causes, ...(response.warnings ?? []), response.status?.details?.name ?? ''];
        for (const line of texts) expect(CONTROL.test(line)).toBe(false);
        expect(encode(response).length).toBeLessThan(300_000);
      }),
    );
  });
});

describe('without a verdict', () => {
  test('unreadable without a uid, or with a request that could be read', () => {
    expect(unreadable(undefined, 'x')).toMatchObject({ uid: '', allowed: false });
    expect(unreadable(UID, 'x', request).status?.details).toEqual(about);
  });

  test('nothing to patch is no patch; a patch has the warnings', () => {
    expect(patched(request, { operations: [], warnings: [] })).toEqual({ uid: UID, allowed: true });
    const operations = [{ op: 'add' as const, path: '/metadata/labels', value: {} }];
    expect(patched(request, { operations, warnings: ['[a/b] c'] }).warnings).toEqual(['[a/b] c']);
  });
});
