/** What an end-to-end test needs: a control plane, a muster, and the one registered with the other. */
export { grantAccess } from './access.ts';
export { type Api, type ApiAnswer, createApi, type Json } from './api.ts';
export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
export { definitionsOf } from './crds.ts';
export { type Daemon, startDaemon, waitFor } from './daemon.ts';
export { caBundleOf, MAIN, type Muster, type MusterOptions, runMuster, startMuster } from './muster.ts';
export { freePort } from './ports.ts';
export { type Input, type Outcome, runProgram } from './program.ts';
export { type RegisterOptions, register, settled } from './registration.ts';
export { say } from './say.ts';
export { until } from './until.ts';
