/** The entry of the cluster state from files: a ClusterView over objects, and the reading of those objects. */
export { MAX_BYTES, Pieces, reasonOf, statOf } from '../../documents/bytes.ts';
export { type ConfiguredChart, type Layout, layoutOf, type SourceFolder } from './layouts/layout.ts';
export { planReading, type ReadPlan, type Referred, referredBy } from './layouts/read-plan.ts';
export { LONGEST_DESCRIPTION, TOO_LONG, type Tree, workingTree } from './layouts/tree.ts';
export { type InputObject, objectsIn } from './objects.ts';
export { dialectOfObject, inNamespace, keyOf, namespaceOf, referenceTo } from './reference.ts';
export {
  decode,
  type Input,
  type ReadProgress,
  type Renderer,
  readObjects,
  readState,
  type Skipped,
  type SourcesOptions,
  STDIN,
  type State,
} from './sources.ts';
export { createFilesView, type FilesView, type FilesViewOptions } from './view.ts';
