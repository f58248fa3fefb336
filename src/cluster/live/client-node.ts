/** What muster takes of client-node: named here, the build leaves the rest of the package out. Loaded by `import()` where a cluster is used. */
export { KubeConfig } from '@kubernetes/client-node';
