/** Real Helm, with a chart made of objects. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, Outcome } from '../harness/index.ts';

export interface Chart {
  readonly version: string;
  readonly objects: readonly Json[];
}

interface Helm {
  /** A folder of this scenario. */
  readonly home: string;
  readonly release: string;
  run(version: 3 | 4, args: readonly string[]): Promise<Outcome>;
}

export function helmOf({ home, release, run }: Helm) {
  return {
    deploy: (version: 3 | 4, verb: 'install' | 'upgrade', chart: Chart, flags: readonly string[] = []) =>
      run(version, [verb, release, writeChart(join(home, 'chart'), chart), ...flags]),
    command: (version: 3 | 4, args: readonly string[]) => run(version, args),
  };
}

/** Each object carries the chart's version in a label, as charts usually do: an upgrade writes every object. */
function writeChart(folder: string, { version, objects }: Chart): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), `apiVersion: v2\nname: fleet\nversion: ${version}\n`);
  const documents = objects.map((object) => JSON.stringify(object));
  writeFileSync(join(folder, 'templates', 'objects.yaml'), documents.join('\n---\n'));
  return folder;
}
