/** What muster says of the pairs, in the form in which `pairs.ts` has what Cilium writes. */
import type { CheckReport } from '../../../../src/report/report.ts';
import type { Member } from './mesh.ts';

type Finding = CheckReport['results'][number]['findings'][number];

/** What is found on one export. */
export interface Found {
  /** Of conflicts, and why it exports nothing: what the messages begin with. */
  readonly reasons: readonly string[];
  /** What consumers get, as `TYPE NAME:PROTOCOL/PORT …`, by each message that says so. */
  readonly imported: readonly string[];
  /** Of all other findings. */
  readonly rules: readonly string[];
}

/** Returns what is found on the object of a name in a cluster. */
export function foundOn(report: CheckReport, cluster: Member, kind: string, name: string): Found {
  const isIt = (one: CheckReport['results'][number]) =>
    one.cluster === cluster && one.kind === kind && one.name === name;
  const findings = report.results.filter(isIt).flatMap((one) => one.findings);
  const reasons = findings.flatMap(({ message }) => /^([A-Z]\w+): /.exec(message)?.[1] ?? []);
  const others = findings.filter(({ message }) => !/^[A-Z]\w+: /.test(message));
  return {
    reasons: reasons.sort(),
    imported: [...new Set(findings.flatMap(outcomesIn))],
    rules: others.map(({ ruleId }) => ruleId).sort(),
  };
}

/**
 * Returns the services that consumers get, if the message of a finding says so: `is TYPE with NAME PORT/PROTOCOL, …`.
 */
function outcomesIn({ message }: Finding): readonly string[] {
  const [, said = ''] = /\.svc\.clusterset\.local is (.*)$/.exec(message) ?? [];
  return said.split(', or ').flatMap(serviceIn);
}

/** Returns the first service of a text, without the values and ports that follow it. */
export function serviceIn(text: string): readonly string[] {
  const [, type, ports = ''] =
    /(ClusterSetIP|Headless) with (.*?)(?: and |, without | becomes | \(if |;|$)/.exec(text) ?? [];
  const each = [...ports.matchAll(/(\S+) (\d+)\/(\w+)/g)].map(
    ([, name, port, protocol]) => `${name}:${protocol}/${port}`,
  );
  return type === undefined ? [] : [[type, ...each.sort()].join(' ')];
}
