/** The entry of the cluster state from files: a ClusterView over objects, and the reading of those objects. */
export { MAX_BYTES, Pieces, reasonOf, statOf } from '../../documents/bytes.ts';
export { type ContextDocuments, NO_CONTEXT, UNREADABLE } from './context.ts';
export { type ConfiguredChart, type Layout, layoutOf, type SourceFolder } from './layouts/layout.ts';
export { type Referred, referredBy } from './layouts/read-plan.ts';
export { workingTree } from './layouts/tree.ts';
export {
  comparedKindOf,
  dialectOfObject,
  type InputObject,
  inNamespace,
  keyOf,
  namespaceOf,
  objectsIn,
  referenceTo,
} from './objects.ts';
export {
  decode,
  type Input,
  type ReadProgress,
  type Renderer,
  readObjects,
  readState,
  type Skipped,
  type SourcesOptions,
  type State,
} from './sources.ts';
export { createFilesView, type FilesView, type FilesViewOptions } from './view.ts';
