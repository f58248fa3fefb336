/** Inventory objects as text, with values that a reader may stumble over. */
export const COLLECTION = '/apis/multicluster.x-k8s.io/v1alpha1/inventoryclusters';

interface OddObject {
  readonly name: string;
  readonly text: string;
}

/** An object of manager `m` as text, with this after its manager in `spec`, so that nothing is lost on the way. */
export function objectWith(name: string, spec: string, label = ''): OddObject {
  const labels = label === '' ? '' : `,"labels":{"x-k8s.io/cluster-manager":"${label}"}`;
  const head = `"apiVersion":"multicluster.x-k8s.io/v1alpha1","kind":"InventoryCluster","metadata":{"name":"${name}"${labels}}`;
  return { name, text: `{${head},"spec":{"clusterManager":{"name":"m"},${spec}}}` };
}

/** A member of `spec` that nests so deep. */
export const nested = (depth: number): string => `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Members of `spec` as they are sent; text that the API server escapes otherwise is compared as what it means. */
export const ODD_VALUES: readonly [string, readonly string[]][] = [
  ['integers beyond 2^53', ['"big":9007199254740993', '"least":-9223372036854775808', '"most":9223372036854775807']],
  [
    'keys that JavaScript treats specially',
    ['"__proto__":{"x":1}', '"constructor":{"prototype":{"x":2}}', '"toString":"y"'],
  ],
  ['a nesting within the limit', [nested(150)]],
  ['as many `<` as can be stored, six bytes each on the way', [`"note":"${'<'.repeat(240_000)}"`]],
  ['the longest plain text that can be stored', [`"note":"${'x'.repeat(1_400_000)}"`]],
  ['text of every kind', ['"note":"\\u0000\\u001b[31m \\ud83d\\ude00 \\u2028 \\ufeff"']],
];

/** Whether what is stored, as text, has the member as it was sent. */
export function holds(kept: string, member: string): boolean {
  if (kept.includes(member)) return true;
  const { note } = JSON.parse(`{${member}}`) as { note?: string };
  return note !== undefined && JSON.parse(kept).spec.note === note;
}
