/**
 * A fleet's repository as it might be, the same at every run: our kinds among many of others, as YAML and JSON, one and
 * more to a file, with comments, and a few that are broken. Sizes are those of real manifests, 0.2 to 4 KiB.
 */
import { readFileSync } from 'node:fs';

export interface ManifestFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Files that hold `count` manifests between them; each is one document. One in `every` is of a kind that muster
 * evaluates.
 */
export function manifestFiles(count: number, every = 50): ManifestFile[] {
  const files: ManifestFile[] = [];
  for (let index = 0; index < count; ) {
    const asJson = files.length % 12 === 5;
    const size = asJson ? 1 : Math.min(FILE_SIZES[files.length % FILE_SIZES.length] ?? 1, count - index);
    const documents = Array.from({ length: size }, (_, offset) => documentText(index + offset, every, asJson));
    const folder = `team-${String(files.length % 40).padStart(2, '0')}`;
    const name = `${folder}/${String(files.length).padStart(5, '0')}.${asJson ? 'json' : 'yaml'}`;
    files.push({ name, text: documents.join('---\n') });
    index += size;
  }
  return files;
}

/** The same manifests as one text. */
export function oneFile(files: readonly ManifestFile[]): string {
  return files.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('---\n');
}

/** Documents in a file, in turn: most have one. */
const FILE_SIZES = [1, 1, 3, 1, 1, 1, 8, 1, 1, 2];

/** One in so many documents is broken. */
const BROKEN_EVERY = 499;

function documentText(index: number, every: number, asJson: boolean): string {
  const isOurs = index % every === 0;
  if (asJson) return JSON.stringify(jsonOf(index, isOurs), null, 2);
  if (index % BROKEN_EVERY === BROKEN_EVERY - 1) return `kind: ConfigMap\ndata: {a: [1, 2\n`;
  const templates = isOurs ? OURS : OTHERS;
  const text = templates[(isOurs ? Math.floor(index / every) : index) % templates.length] ?? '';
  return text.replaceAll(/\{i(?:%(\d+))?\}/g, (_, divisor) => String(divisor ? index % Number(divisor) : index));
}

const PARTS = readFileSync(new URL('manifests.txt', import.meta.url), 'utf8').split('--- # ');
/** One in 14 is denied. */
const OURS = templatesOf('ours, times ');
const OTHERS = templatesOf('others, times ');

function templatesOf(mark: string): readonly string[] {
  return PARTS.filter((part) => part.startsWith(mark)).flatMap((part) => {
    const end = part.indexOf('\n');
    return Array.from({ length: Number(part.slice(mark.length, end)) }, () => part.slice(end + 1));
  });
}

function jsonOf(index: number, isOurs: boolean): unknown {
  const metadata = { name: `json-${index}`, namespace: `team-${index % 40}`, labels: { app: `app-${index}` } };
  if (isOurs) {
    return {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'InventoryCluster',
      metadata: { ...metadata, labels: { 'x-k8s.io/cluster-manager': 'depot' } },
      spec: { displayName: `json-${index}`, clusterManager: { name: 'depot' } },
    };
  }
  const data = Object.fromEntries(Array.from({ length: 20 }, (_, key) => [`key-${key}`, `value ${key} of ${index}`]));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}
