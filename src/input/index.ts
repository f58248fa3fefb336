/** The entry of files: they are found and read, and their objects make a ClusterView. */
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
