/** The ValidatingAdmissionPolicies that hold while the webhook is away. They may be there or not. */
import { listAt, textAt } from '../../rules/json.ts';
import type { Json } from '../../rules/rule.ts';
import type { Examination } from './examination.ts';
import { look } from './look.ts';
import { about, type Check } from './report.ts';

const OURS = 'muster-';
const API = '/apis/admissionregistration.k8s.io/v1';
const REMEDY = 'muster manifests --policies | kubectl apply -f -';

export async function checkFloor({ client }: Examination): Promise<Check> {
  const verdicts = about('floor/policies', 'ValidatingAdmissionPolicies of muster');
  const [policies, bindings] = await Promise.all(
    ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'].map((plural) =>
      look(client, { path: `${API}/${plural}`, right: `list ${plural}.admissionregistration.k8s.io` }),
    ),
  );
  if (policies?.kind === 'unknown') return verdicts.unknown(policies.reason, policies.remedy);
  if (bindings?.kind === 'unknown') return verdicts.unknown(bindings.reason, bindings.remedy);
  const names = policies?.kind === 'found' ? listAt(policies.body, ['items']).map(nameOf).filter(isOurs) : [];
  if (names.length === 0)
    return verdicts.ok(
      'none: while muster is away, failurePolicy alone decides (muster manifests --policies prints them)',
    );
  const bound = new Set(
    bindings?.kind === 'found'
      ? listAt(bindings.body, ['items']).map((each) => textAt(each, ['spec', 'policyName']))
      : [],
  );
  const loose = names.filter((name) => !bound.has(name));
  if (loose.length === 0) return verdicts.ok(`${names.length}, each bound`);
  return verdicts.warn(
    `${loose.length} of ${names.length} have no binding, and so no effect: ${loose.join(', ')}`,
    REMEDY,
  );
}

function nameOf(object: Json): string {
  return textAt(object, ['metadata', 'name']) ?? '';
}

function isOurs(name: string): boolean {
  return name.startsWith(OURS);
}
