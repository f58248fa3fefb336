/** The Leases in which intents are kept: one for each claim dialect. */

import { dialects, lockLeaseOf } from '../../api/dialects.ts';
import { leasePath } from '../../cluster/live/paths.ts';
import { LAPSE_SECONDS } from '../../cluster/locks/lock.ts';
import { textAt } from '../../rules/json.ts';
import type { JsonObject } from '../../rules/rule.ts';
import { apply, type Examination } from './examination.ts';
import { look } from './look.ts';
import { about, type Check, type Verdicts } from './report.ts';

const LAPSE_MS = LAPSE_SECONDS * 1000;

export function checkLeases(examination: Examination): Promise<readonly Check[]> {
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  return Promise.all(
    claims.map(async (dialect) => {
      const { client, namespace } = examination;
      const name = lockLeaseOf(dialect);
      const verdicts = about(`lease/${dialect.name}`, `Lease ${namespace}/${name}`);
      const path = leasePath(namespace, dialect);
      const sight = await look(client, { path, right: `get leases.coordination.k8s.io ${name} in ${namespace}` });
      if (sight.kind === 'unknown') return verdicts.unknown(sight.reason, sight.remedy);
      if (sight.kind === 'found') return judge(verdicts, sight.body, examination.clock());
      const message = `is not there: writes of a ${dialect.kind}'s identity are refused with 503`;
      return verdicts.fail(message, apply(examination, 'leases'));
    }),
  );
}

function judge(verdicts: Verdicts, lease: JsonObject, now: number): Check {
  if ((textAt(lease, ['spec', 'holderIdentity']) ?? '') === '') return verdicts.ok('there, and free');
  const renewed = Date.parse(textAt(lease, ['spec', 'renewTime']) ?? '');
  if (Number.isNaN(renewed))
    return verdicts.ok('there; held without a time, so it is free a minute after muster saw it first');
  const age = now - renewed;
  // The stamp is the API server's clock; ours is another, and cluster/clock speaks of that.
  if (age < -LAPSE_MS) {
    const message = 'held by an intent from the future: it is free a minute after muster saw it first';
    return verdicts.warn(
      message,
      'nothing, if it is gone when you run doctor again; else look for who else writes this Lease',
    );
  }
  const seconds = Math.max(0, Math.round(age / 1000));
  if (age > LAPSE_MS) return verdicts.ok(`there; its last intent lapsed (${seconds} s old)`);
  return verdicts.ok(`there, held by a write ${seconds} s ago`);
}
