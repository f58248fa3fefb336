/**
 * Where the paths of the user led at the revision. Links may have led elsewhere then, and a path may be gone from the
 * working tree since. Paths at the revision are within the repository, with `/`; `''` is its top.
 */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { isInside } from '../../documents/bytes.ts';
import type { ClusterChart } from '../clusters/charts.ts';
import type { Links } from './checkout.ts';
import { pathWithin } from './repository.ts';
import type { RevisionFiles } from './revision-files.ts';

/** A path to check as the user named it, with its cluster if there are several. */
interface NamedPath {
  readonly path: string;
  readonly cluster?: string | undefined;
}

interface PlacedPath extends NamedPath {
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
  /** Returns where a file of the working tree was, if it was there; the file itself outside of the repository. */
  fileBefore(file: string): string;
  /** Returns the same; undefined if the named path around the file leads elsewhere now than at the revision. */
  sameFileBefore(file: string): string | undefined;
}

export interface PlacesRequest {
  /** What to check. Some may be gone from the working tree. */
  readonly roots: readonly NamedPath[];
  /** Of the configuration in the working tree. Some may be gone from there. */
  readonly charts: readonly ClusterChart[];
  /** The file of the configuration, which may list other charts at the revision. */
  readonly config: string | undefined;
}

/**
 * Finds the places.
 * @param top the real path of the working tree
 * @param links those of the revision
 */
export function placesOf(request: PlacesRequest, top: string, files: RevisionFiles, links: Links): Places {
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
  const paths = request.roots.map((root): PlacedPath => {
    const before = pathBefore(root.path);
    return { ...root, before, now: pathWithin(top, root.path), isAtRevision: isAtRevision(before) };
  });
  const charts = request.charts.map((chart): PlacedChart => {
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
    config: request.config === undefined ? undefined : pathBefore(request.config),
    pathBefore,
    fileBefore,
    sameFileBefore(file) {
      const around = pathAround(resolve(file));
      return around === undefined || around.before === around.now ? fileBefore(file) : undefined;
    },
  };
}

/** Returns a path within the repository as written: links within the repository are not followed. Undefined outside. */
function placeWithin(top: string, path: string): string | undefined {
  const full = resolve(path);
  for (let folder = full; ; folder = dirname(folder)) {
    if (existsSync(folder) && realpathSync(folder) === top) return relative(folder, full).split(sep).join('/');
    if (dirname(folder) === folder) return undefined;
  }
}
