/** What an end-to-end test needs: a control plane, a muster, and the one registered with the other. */
export { type Api, type ApiAnswer, createApi, type Json } from './api.ts';
export { type Asker, askerOf, codeOf, reviewOf, type Write } from './asker.ts';
export { ensureTools, type Tools, whyNoTools } from './assets.ts';
export { type ControlPlane, type ControlPlaneOptions, grantAccess, startControlPlane } from './control-plane.ts';
export { definitionsOf, looseDefinition } from './crds.ts';
export {
  type Daemon,
  freePort,
  type Input,
  type Outcome,
  runProgram,
  say,
  startDaemon,
  until,
  waitFor,
} from './daemon.ts';
export { type Guarded, startGuarded } from './guarded.ts';
export {
  type ClaimDialect,
  DIALECTS,
  done,
  freeLock,
  type Identity,
  identityOf,
  patchLease,
  resetIdentities,
} from './identity.ts';
export { caBundleOf, MAIN, type Muster, type MusterOptions, runMuster, startMuster } from './muster.ts';
export { type ServiceProxy, startProxy, type Target } from './proxy.ts';
export { type RegisterOptions, register, registerService, settled } from './registration.ts';
export { mountSecret, SECRET, secretOf, servingCertificates } from './serving.ts';
export { type ScriptedWebhook, startWebhook } from './webhook.ts';
