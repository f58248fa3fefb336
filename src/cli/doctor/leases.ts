/** Checks the Leases that hold the locks of identity writes: one for each claim dialect. */
import { dialects, lockLeaseOf } from '../../api/dialects.ts';
import { leasePath } from '../../cluster/live/paths.ts';
import { applyCommand, type DoctorContext } from './context.ts';
import { read } from './read.ts';
import { type Check, resultsOf } from './report.ts';

/** Returns one check for each claim dialect. */
export function checkLeases(context: DoctorContext): Promise<readonly Check[]> {
  const { client, namespace } = context;
  const claims = dialects.filter(({ claim }) => claim !== undefined);
  return Promise.all(
    claims.map(async (dialect) => {
      const name = lockLeaseOf(dialect);
      const results = resultsOf(`lease/${dialect.name}`, `Lease ${namespace}/${name}`);
      const right = `get leases.coordination.k8s.io ${name} in ${namespace}`;
      const lease = await read(client, leasePath(namespace, dialect), right);
      if (lease.kind === 'unknown') return results.unknown(lease.reason, lease.remedy);
      if (lease.kind === 'found') return results.ok('there');
      const message = `is missing: writes of a ${dialect.kind}'s identity are refused with 503`;
      return results.fail(message, applyCommand(context, 'leases'));
    }),
  );
}
