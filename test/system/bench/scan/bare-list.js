/**
 * What reading a cluster costs anyway: every page over one kept connection, parsed and let go.
 *
 *     node bare-list.js URL CA-FILE TOKEN PATH…
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:https';

const [url, caFile, token, ...paths] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile) });
let count = 0;
for (const path of paths) {
  let next = '';
  do {
    const page = JSON.parse(await read(`${url}${path}?limit=500&continue=${encodeURIComponent(next)}`));
    if (page.items === undefined) throw new Error(`${path}: ${page.message}`);
    count += page.items.length;
    next = page.metadata.continue ?? '';
  } while (next !== '');
}
agent.destroy();
process.stdout.write(`${count}\n`);

function read(target) {
  return new Promise((resolve, reject) => {
    get(target, { agent, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    }).on('error', reject);
  });
}
