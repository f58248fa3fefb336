/** What an end-to-end test needs: a control plane, a muster, and the one registered with the other. */
export * from './api.ts';
export * from './asker.ts';
export * from './assets.ts';
export * from './control-plane.ts';
export * from './crds.ts';
export * from './daemon.ts';
export * from './guarded.ts';
export * from './identity.ts';
export * from './muster.ts';
export * from './otlp.ts';
export * from './proxy.ts';
export * from './registration.ts';
export * from './second-api-server.ts';
export * from './serving.ts';
export * from './shell.ts';
export * from './webhook.ts';
