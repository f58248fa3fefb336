/** Follows what kustomizations refer to: the files that are resources, the files that are parts, and each other. */
import { join } from 'node:path';
import { addAll, getOrInsert } from '../../base/collections.ts';
import { isInside } from '../../documents/files.ts';
import { type BrokenDescriptions, ifClear } from './description.ts';
import { type Kustomization, type KustomizeReference, kustomizationAt } from './kustomization.ts';
import type { Tree } from './tree.ts';

/** Why a file is no manifest, and the folder of the chart or kustomization that it is a part of. */
export interface LayoutPart {
  readonly reason: string;
  readonly folder: string;
}

/** A kustomization whose references are followed. */
interface Visit {
  readonly folder: string;
  /** If the resources that it lists are parts, too: the folder of the kustomization that they are parts of. */
  readonly owner: string | undefined;
}

/** The kustomizations of a tree. Paths are those of the tree. */
export class KustomizeReferences {
  /** The files that a kustomization lists as resources. */
  readonly resources = new Set<string>();
  /** The files that are never applied by themselves. */
  readonly parts = new Map<string, LayoutPart>();
  readonly #tree: Tree;
  readonly #broken: BrokenDescriptions;
  readonly #kustomizations = new Map<string, Kustomization | undefined>();
  readonly #visited = new Set<string>();
  /** By the folder of a kustomization, the folders of those that refer to it. */
  readonly #referrers = new Map<string, Set<string>>();

  /** @param broken gets the errors of kustomizations that can't be read */
  constructor(tree: Tree, broken: BrokenDescriptions) {
    this.#tree = tree;
    this.#broken = broken;
  }

  /** Whether no kustomization was followed. */
  get isEmpty(): boolean {
    return this.#visited.size === 0;
  }

  /** Returns the kustomization in a folder. */
  kustomizationIn(folder: string): Kustomization | undefined {
    if (!this.#kustomizations.has(folder))
      this.#kustomizations.set(folder, ifClear(kustomizationAt(folder, this.#tree), this.#broken));
    return this.#kustomizations.get(folder);
  }

  /**
   * Marks the files that the kustomization in a folder, if there is one, refers to, directly or through others: as
   * resources, or as parts if they are never applied by themselves.
   */
  follow(first: string): void {
    const waiting: Visit[] = [{ folder: first, owner: undefined }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { folder } = next;
      const kustomization = this.kustomizationIn(folder);
      if (kustomization === undefined) continue;
      const owner = next.owner ?? (kustomization.isComponent ? folder : undefined);
      if (this.#visited.has(`${owner}\n${folder}`)) continue;
      this.#visited.add(`${owner}\n${folder}`);
      const ofResources = kustomization.resources.flatMap((one) => this.#refer(folder, one, owner));
      const ofParts = kustomization.parts.flatMap((one) => this.#refer(folder, one, owner ?? folder));
      addAll(waiting, ofResources);
      addAll(waiting, ofParts);
    }
  }

  /**
   * Marks the file that is referred to, or returns the kustomization to follow. Only files in its folder can be parts
   * of a kustomization, so it hides no other manifests.
   */
  #refer(folder: string, { field, path }: KustomizeReference, owner: string | undefined): readonly Visit[] {
    const target = join(folder, path);
    const inner = this.#tree.folderAt(target);
    if (this.kustomizationIn(inner) !== undefined) {
      getOrInsert(this.#referrers, inner, () => new Set()).add(folder);
      return owner === undefined || isInside(inner, owner) ? [{ folder: inner, owner }] : [];
    }
    const file = this.#tree.pathOf(target);
    const reason = `the kustomization in ${this.#tree.nameOf(folder)} lists it as ${field}`;
    if (owner === undefined) this.resources.add(file);
    else if (isInside(file, owner)) this.parts.set(file, { reason, folder });
    return [];
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
