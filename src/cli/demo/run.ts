/** `muster demo`: runs `muster serve` in a temporary folder, sends ten writes, and shows what kubectl would print. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';
import { ensureDevelopmentCertificates } from '../../certificates/development.ts';
import { openPrivateFolder, type PrivateFolder, unwritableText } from '../../input/private-folder.ts';
import { startServing } from '../serve/run.ts';
import { openApiServer } from './api-server.ts';
import { examples, state } from './examples.generated.ts';
import { outcomeOf, type RenderOptions, renderExample, renderNext } from './render.ts';

interface DemoOptions extends RenderOptions {
  readonly write: (text: string) => unknown;
}

/**
 * Shows the examples one after the other. Closes the server and removes its folder, also after a failure or a signal.
 */
export async function runDemo({ write, paint, width }: DemoOptions): Promise<void> {
  const { folder, close } = temporaryFolder();
  const { caFile, certFile, keyFile } = await ensureDevelopmentCertificates(folder);
  const stateFile = join(folder, 'cluster.json');
  await writeFile(stateFile, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: state }));
  const server = await startServing({
    host: 'localhost',
    port: 0,
    opsPort: 0,
    drainSeconds: 0,
    logLevel: 'silent',
    state: [stateFile],
    tlsCertFile: certFile,
    tlsPrivateKeyFile: keyFile,
    certDir: folder,
  });
  const apiServer = openApiServer({ port: server.port, ca: readFileSync(caFile, 'utf8'), state });
  const counts = { allowed: 0, warned: 0, denied: 0 };
  try {
    write(`${paint('Ten writes to a cluster, and what kubectl prints when muster guards it.', 'bold')}\n\n`);
    for (const [index, example] of examples.entries()) {
      const answer = await apiServer.apply(example.object);
      counts[outcomeOf(answer)]++;
      write(`${renderExample(index + 1, example, answer, { paint, width })}\n`);
    }
  } finally {
    apiServer.close();
    await server.close(0);
    close();
  }
  write(renderNext(counts, paint));
}

/** Makes a folder that is removed when the process ends, also by a signal. @throws UsageError */
function temporaryFolder(): PrivateFolder {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  try {
    return openPrivateFolder('muster-demo-');
  } catch (cause) {
    throw new UsageError(`${unwritableText(cause)}; set TMPDIR to a folder that this user can write`, { cause });
  }
}
