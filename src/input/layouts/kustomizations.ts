/** Follows what kustomizations refer to: the files that are resources, the files that are parts, and each other. */
import { join } from 'node:path';
import { addAll, getOrInsert } from '../../base/collections.ts';
import { isInside } from '../../documents/files.ts';
import { type Kustomization, type KustomizeReference, kustomizationAt } from './kustomization.ts';
import type { Tree } from './tree.ts';

/** Why a file is no manifest, and the folder of the chart or kustomization that it is a part of. */
export interface LayoutPart {
  readonly reason: string;
  readonly folder: string;
}

/** A file or folder that a kustomization refers to. */
export interface Referred extends KustomizeReference {
  /** The folder of the kustomization. */
  readonly folder: string;
  /** Where it is in the tree, if it is a path at all. */
  readonly target: string;
}

/** A kustomization whose references are followed. */
interface Visit {
  readonly folder: string;
  /** If the resources that it lists are parts, too: the folder of the kustomization that they are parts of. */
  readonly owner: string | undefined;
}

/** The kustomizations of a tree. Paths are those of the tree. */
export class Kustomizations {
  /** The files that a kustomization lists as resources. */
  readonly resources = new Set<string>();
  /** The files that are never applied by themselves. */
  readonly parts = new Map<string, LayoutPart>();
  readonly tree: Tree;
  readonly #byFolder = new Map<string, Kustomization | undefined>();
  readonly #visited = new Set<string>();
  /** By the folder of a kustomization, the folders of those that refer to it. */
  readonly #referrers = new Map<string, Set<string>>();

  constructor(tree: Tree) {
    this.tree = tree;
  }

  /** Returns the kustomization in a folder, also one outside of what was named. */
  in(folder: string): Kustomization | undefined {
    if (!this.#byFolder.has(folder)) this.#byFolder.set(folder, kustomizationAt(folder, this.tree));
    return this.#byFolder.get(folder);
  }

  /** Returns all that the kustomization of a folder refers to, also through other kustomizations. */
  referredBy(folder: string): readonly Referred[] {
    const found: Referred[] = [];
    const seen = new Set<string>();
    const waiting = [folder];
    for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
      if (seen.has(from)) continue;
      seen.add(from);
      for (const one of this.#referencesOf(from)) {
        found.push(one);
        waiting.push(this.tree.folderAt(one.target));
      }
    }
    return found;
  }

  /**
   * Marks the files that the kustomization in a folder, if there is one, refers to, directly or through others: as
   * resources, or as parts if they are never applied by themselves.
   */
  follow(first: string): void {
    const waiting: Visit[] = [{ folder: first, owner: undefined }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { folder } = next;
      const kustomization = this.in(folder);
      if (kustomization === undefined) continue;
      const owner = next.owner ?? (kustomization.isComponent ? folder : undefined);
      if (this.#visited.has(`${owner}\n${folder}`)) continue;
      this.#visited.add(`${owner}\n${folder}`);
      for (const one of this.#referencesOf(folder))
        addAll(waiting, this.#refer(one, one.field === 'resources' ? owner : (owner ?? folder)));
    }
  }

  /**
   * Marks the file that is referred to, or returns the kustomization to follow. Only files in its folder can be parts
   * of a kustomization, so it hides no other manifests.
   */
  #refer({ folder, field, target }: Referred, owner: string | undefined): readonly Visit[] {
    const inner = this.tree.folderAt(target);
    if (this.in(inner) !== undefined) {
      getOrInsert(this.#referrers, inner, () => new Set()).add(folder);
      return owner === undefined || isInside(inner, owner) ? [{ folder: inner, owner }] : [];
    }
    const file = this.tree.pathOf(target);
    const reason = `the kustomization in ${this.tree.nameOf(folder)} lists it as ${field}`;
    if (owner === undefined) this.resources.add(file);
    else if (isInside(file, owner)) this.parts.set(file, { reason, folder });
    return [];
  }

  #referencesOf(folder: string): readonly Referred[] {
    const references = this.in(folder)?.references ?? [];
    return references.map((one) => ({ ...one, folder, target: join(folder, one.path) }));
  }

  /**
   * Returns whether a kustomization that is wanted refers to the one in a folder. In a cycle none counts as referred
   * to: it is rendered, and the program reports the cycle.
   */
  isReferred(folder: string, isWanted: (folder: string) => boolean): boolean {
    const from = this.#referrers.get(folder) ?? [];
    return [...from].some((other) => isWanted(other) && !this.#refersTo(folder, other));
  }

  /** Returns whether a kustomization is the other one, or refers to it, directly or through others. */
  #refersTo(folder: string, other: string): boolean {
    const seen = new Set([other]);
    for (const one of seen) for (const from of this.#referrers.get(one) ?? []) seen.add(from);
    return seen.has(folder);
  }
}
