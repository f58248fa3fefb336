import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckReport } from '../../../../src/report/report.ts';
import { newFolder } from '../../../support/folder.ts';
import { commitAll } from '../../../support/git.ts';
import { runMuster } from '../harness/index.ts';
import { claimsOf, MEMBERS, type Member } from './mesh.ts';
import type { Pair } from './pairs.ts';
import { manifestsOf } from './shop.ts';

export interface Repository {
  /** Runs `muster check` of both clusters. @throws Error where something could not be read */
  check(...flags: readonly string[]): Promise<CheckReport>;
  /** Commits all files as they are. */
  commit(): void;
  /** Deletes the manifests of a service in one cluster. */
  withdraw(member: Member, name: string): void;
}

export function createRepository(pairs: readonly Pair[]): Repository {
  const folder = newFolder().path;
  const fileOf = (member: Member, name: string) => join(folder, member, `${name}.json`);
  const write = (member: Member, name: string, items: readonly object[]) =>
    writeFileSync(fileOf(member, name), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
  for (const member of MEMBERS) {
    mkdirSync(join(folder, member));
    write(member, 'identity', claimsOf(member));
    for (const pair of pairs)
      write(member, pair.name, manifestsOf(pair.name, member === 'east' ? pair.older : pair.newer));
  }
  return {
    async check(...flags) {
      const { stdout, stderr } = await runMuster(['check', '--clusters', join(folder, '*'), '-o', 'json', ...flags]);
      if (!stdout.startsWith('{')) throw new Error(`no report: ${stderr}`);
      const report = JSON.parse(stdout) as CheckReport;
      if (report.errors.length > 0) throw new Error(JSON.stringify(report.errors));
      return report;
    },
    commit: () => void commitAll(folder),
    withdraw: (member, name) => rmSync(fileOf(member, name)),
  };
}
