/** examples/service-repository: two clusters whose exports agree, and what CI finds when one of them changes. */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { newFolder } from '../../support/folder.ts';
import { MAIN } from '../../support/main.ts';
import { commit, ran } from './repository.ts';

const EXAMPLE = 'examples/service-repository';
const WEB = 'clusters/west/shop/web.yaml';
const read = (path: string) => readFileSync(join(EXAMPLE, path), 'utf8');
let folder: string;

beforeAll(() => {
  folder = newFolder().path;
  cpSync(EXAMPLE, folder, { recursive: true });
  commit(folder, {});
});

/** Returns the findings of a check, as `CLUSTER RULE FIELD`. */
function check(...flags: readonly string[]): readonly string[] {
  const command = [process.execPath, MAIN, 'check', '--config', 'muster.yaml', '-q', '-o', 'json', ...flags];
  const { out } = ran(folder, command);
  const { results } = JSON.parse(out.slice(0, out.lastIndexOf('\n}') + 2)) as {
    results: { cluster: string; findings: { ruleId: string; field: string }[] }[];
  };
  return results.flatMap(({ cluster, findings }) => {
    return findings.map(({ ruleId, field }) => `${cluster} ${ruleId} ${field}`);
  });
}

test.each([[[]], [['--base-ref', 'HEAD']]])('it is right as it is: check %j', (flags) => {
  expect(check(...flags)).toEqual([]);
});

test('a Service of another type and port is a conflict in both clusters when it is new; then the oldest export must not go', () => {
  const headless = read(WEB)
    .replace('port: 80\n', 'port: 8080\n')
    .replace('  selector:', '  clusterIP: None\n  selector:');
  const before = commit(folder, {});
  commit(folder, { [WEB]: headless });
  const each = ['spec.clusterIP', 'spec.ports'].map((field) => `export/conflict ${field}`);
  expect(check('--base-ref', before)).toEqual(['east', 'west'].flatMap((one) => each.map((what) => `${one} ${what}`)));
  expect(check('--base-ref', 'HEAD')).toEqual([]);
  rmSync(join(folder, 'clusters/east/shop/web.yaml'));
  expect(check('--base-ref', 'HEAD')).toEqual(['east export/removal metadata.name']);
});
