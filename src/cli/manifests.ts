/** `muster manifests`: what a cluster is given to be guarded. */
import type { Command } from 'commander';

/** Adds `manifests` to the program. */
export function registerManifests(program: Command): void {
  program.command('manifests').summary('prints what to apply to a cluster');
}
