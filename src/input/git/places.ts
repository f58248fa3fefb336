/**
 * Finds where the user's paths led at the revision. Links may have led elsewhere then, and a path may be gone from the
 * working tree since. Paths at the revision are within the repository, with `/`; `''` is its top.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { isInside, pathIn } from '../../documents/files.ts';
import type { ClusterChart } from '../clusters/charts.ts';
import type { ReadCluster } from '../clusters/inputs.ts';
import type { ClusterRequest } from '../clusters/request.ts';
import type { Renderer } from '../sources.ts';
import type { Links } from './checkout.ts';
import { pathWithin } from './repository.ts';
import type { RevisionFiles } from './revision-files.ts';

/** A path to check as the user named it, with its cluster if there are several. */
interface PlacedPath {
  readonly path: string;
  readonly cluster: string | undefined;
  /** Where it led at the revision; undefined outside of the repository. */
  readonly before: string | undefined;
  /** Where it leads in the working tree; undefined outside of the repository. */
  readonly now: string | undefined;
  /** Whether the revision has it. */
  readonly isAtRevision: boolean;
}

/** A chart of the configuration in the working tree. */
export interface PlacedChart {
  readonly chart: ClusterChart;
  /** Where the chart and its values were; undefined if one is outside of the repository. */
  readonly before: { readonly path: string; readonly values: readonly string[] } | undefined;
  /** Whether the revision has the chart. */
  readonly isAtRevision: boolean;
}

export interface Places {
  readonly paths: readonly PlacedPath[];
  readonly charts: readonly PlacedChart[];
  /** The configuration; undefined outside of the repository, or without one. */
  readonly config: string | undefined;
  /** Returns where a path led at the revision; undefined outside of the repository. */
  pathBefore(path: string): string | undefined;
  /** Returns where a file of the working tree was at the revision; outside of the repository, the file itself. */
  fileBefore(file: string): string;
  /** As `fileBefore`; undefined if the named path around the file leads elsewhere now than at the revision. */
  sameFileBefore(file: string): string | undefined;
}

/** What the revision is compared with: the clusters in the working tree. */
export interface RevisionRequest {
  readonly ref: string;
  /** Some of their paths may be gone from the working tree. */
  readonly clusters: readonly ReadCluster[];
  /** How the user named them, if there are several. Matches of globs at the revision are clusters too. */
  readonly several: ClusterRequest | undefined;
  /** Whether a cluster exports a service: then Services are read too, since they may have changed. */
  readonly isExporting: boolean;
  /** Renders charts and kustomizations, if the run does. */
  readonly render?: Renderer | undefined;
}

/**
 * Finds the places.
 * @param top the real path of the working tree
 * @param links those of the revision
 */
export function placesOf(
  { clusters, several }: RevisionRequest,
  top: string,
  files: RevisionFiles,
  links: Links,
): Places {
  const pathBefore = (path: string) => {
    const place = placeWithin(top, path);
    if (place === undefined) return pathWithin(top, path);
    const target = links.resolve(place);
    if (target !== undefined && files.has(target)) return target;
    const link = links.linkIn(place);
    // A link that leads out of the repository at REF is reported when it is read. If REF lacks the link, its target
    // counts.
    return link === undefined ? pathWithin(top, path) : (target ?? link);
  };
  const isAtRevision = (path: string | undefined) => path !== undefined && files.has(path);
  const pathOf = (cluster: string | undefined, path: string): PlacedPath => {
    const before = pathBefore(path);
    return { path, cluster, before, now: pathWithin(top, path), isAtRevision: isAtRevision(before) };
  };
  const paths = clusters.flatMap(({ name, named }) => named.map((path) => pathOf(name, path)));
  const charts = clusters
    .flatMap((one) => one.charts)
    .map((chart): PlacedChart => {
      const path = pathBefore(chart.path);
      const values = chart.values.flatMap((file) => pathBefore(file) ?? []);
      const isOutside = path === undefined || values.length < chart.values.length;
      return { chart, before: isOutside ? undefined : { path, values }, isAtRevision: isAtRevision(path) };
    });
  const known = paths.filter((one) => one.before !== undefined).map((one) => ({ ...one, at: resolve(one.path) }));
  const pathAround = (full: string) => known.find(({ at }) => isInside(full, at));
  const fileBefore = (file: string) => {
    const full = resolve(file);
    const around = pathAround(full);
    if (around === undefined) return pathWithin(top, file) ?? file;
    const below = full.slice(around.at.length).split(sep);
    return [around.before, ...below].filter(Boolean).join('/');
  };
  return {
    paths,
    charts,
    config: several?.config === undefined ? undefined : pathBefore(several.config),
    pathBefore,
    fileBefore,
    sameFileBefore(file) {
      const around = pathAround(resolve(file));
      return around === undefined || around.before === around.now ? fileBefore(file) : undefined;
    },
  };
}

/** Returns a path within the repository without following links in it; undefined outside of the repository. */
function placeWithin(top: string, path: string): string | undefined {
  const full = resolve(path);
  for (let folder = full; ; folder = dirname(folder)) {
    if (existsSync(folder) && realpathSync(folder) === top) return pathIn(folder, full);
    if (dirname(folder) === folder) return undefined;
  }
}
