/** The door of the files view: a ClusterView over objects that were given, and the reading of those objects. */
export { MAX_BYTES, Pieces } from './bytes.ts';
export { type Given, readObjects } from './input.ts';
export { type GivenObject, type ObjectError, objectsIn } from './objects.ts';
export { decode, type Reading, readSources, type Sources, type SourcesOptions, STDIN } from './sources.ts';
export { readState, type State } from './state.ts';
export {
  createFilesView,
  type FilesView,
  type FilesViewOptions,
  keyOf,
  namespaceOf,
  referenceTo,
  settled,
} from './view.ts';
