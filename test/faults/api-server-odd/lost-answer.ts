/** A write of the Lease is done, and its answer is lost: what becomes of the write that was asked about, and of a rival's. */
import type { ControlPlane } from '../../e2e/harness/index.ts';
import type { Asker } from '../../e2e/races/ask.ts';
import { end } from './meeting.ts';
import { ODD, type OddCase } from './oddities.ts';
import type { OddProxy } from './proxy.ts';
import { codeOf } from './tokens.ts';
import type { Question } from './worlds.ts';

/** The oddities that lose an answer and say so. */
export const LOST: readonly OddCase[] = ODD.filter(
  ({ what }) => what.startsWith('the write is done, and the connection') || what.includes('500 is'),
);

export interface Rivals {
  readonly mine: Asker;
  readonly theirs: Asker;
}

/** Loses an answer in each way; answers the codes of both verdicts, in the order in which they were asked for. */
export async function loseAnswers(
  controlPlane: ControlPlane,
  proxy: OddProxy,
  { mine, theirs }: Rivals,
  { write }: Question,
): Promise<string[]> {
  const found: string[] = [];
  await settle(controlPlane);
  try {
    for (const { oddity } of LOST) {
      let met = 0;
      proxy.oddity = ({ method, url = '' }) =>
        method === 'PUT' && !url.includes('dryRun') && met++ === 0 ? oddity : undefined;
      const first = await mine.ask(write);
      const second = await theirs.ask({ ...write, object: { ...write.object, spec: { value: 'three' } } });
      found.push(`${met === 0 ? 'not lost: ' : ''}${codeOf(first)} ${codeOf(second)}`);
      await settle(controlPlane);
    }
  } finally {
    end(proxy);
  }
  return found;
}

/** Lets go of what stands in the Leases, as a person would. */
async function settle({ api }: ControlPlane): Promise<void> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster-cluster-property';
  const { status, body } = await api('admin').call('PATCH', path, { spec: { holderIdentity: null } });
  if (status !== 200) throw new Error(`${status} ${body.message}`);
}
