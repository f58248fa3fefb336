/** What a dashboard recognises an alert by, as it stands in SARIF. */
import { describe, expect, test } from '@jest/globals';
import { read } from './sarif-reader.ts';
import { finding, report, result } from './world.ts';

describe('fingerprints', () => {
  const prints = (...results: ReturnType<typeof result>[]): string[] =>
    read(report({ results })).results.map(
      ({ partialFingerprints }: { partialFingerprints: Record<string, string> }) => {
        const [ours, theirs] = Object.values(partialFingerprints);
        expect(ours).toBe(theirs);
        return ours;
      },
    );
  const base = prints(result())[0];
  const same = [
    result({ line: 40, findings: [finding({ line: 45, column: 3 })] }),
    result({ findings: [finding({ message: 'got "C_D"' })] }),
    result({ apiVersion: 'multicluster.x-k8s.io/v1beta1', operation: 'UPDATE' }),
    result({ file: './claims.yaml' }),
    result({ findings: [finding({ action: 'warn' })] }),
  ];
  const other = [
    result({ name: 'other.example' }),
    result({ namespace: 'a' }),
    result({ kind: 'ClusterProperty' }),
    result({ file: 'staging/claims.yaml' }),
    result({ findings: [finding({ field: 'spec' })] }),
    result({ findings: [finding({ ruleId: 'claim/value' })] }),
    result({ subresource: 'status' }),
  ];

  test('are the same wherever the finding stands in its file, and whatever the value', () => {
    for (const one of same) expect(prints(one)).toEqual([base]);
  });

  test('tell rule, file, object and field apart, and parts are not run together', () => {
    const all = other.map((one) => prints(one)[0]);
    expect(new Set([base, ...all]).size).toBe(other.length + 1);
    expect(prints(result({ namespace: 'a', name: 'b' }))).not.toEqual(prints(result({ namespace: '', name: 'ab' })));
  });

  test('equal findings are counted; a new one before others changes none of theirs', () => {
    const [first, second] = prints(result(), result());
    expect([first, second]).toEqual([base, base?.replace(/:1$/, ':2')]);
    expect(prints(result({ name: 'new' }), result())[1]).toBe(base);
  });
});
