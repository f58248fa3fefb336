/** The CronJob that renews certificates of a server in the cluster: for one behind a URL it would spoil the CA bundle. */
import { CERTS } from '../../manifests/names.ts';
import { type Examination, remove } from './examination.ts';
import { look } from './look.ts';
import { about, type Check } from './report.ts';

/** Undefined where there is nothing to say: it belongs to a server in the cluster, and is harmless where it is not there. */
export async function checkRenewal(examination: Examination): Promise<Check | undefined> {
  const { client, namespace, target } = examination;
  if (target === undefined || !('url' in target)) return undefined;
  const verdicts = about('certificate/renewal', `CronJob ${namespace}/${CERTS}`);
  const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs/${CERTS}`;
  const sight = await look(client, { path, right: `get cronjobs.batch ${CERTS} in ${namespace}` });
  if (sight.kind === 'missing') return undefined;
  if (sight.kind === 'unknown') return verdicts.unknown(sight.reason, sight.remedy);
  const message =
    'is left from a server in the cluster: it overwrites caBundle with a CA that is not the one of this URL';
  return verdicts.warn(message, `delete it, with its account and its Secret: ${remove(examination, 'certs')}`);
}
