/** An API server that calls a muster with its live cluster state. */
import { type ControlPlane, type ControlPlaneOptions, grantAccess, startControlPlane } from './control-plane.ts';
import { type Muster, type MusterOptions, startMuster } from './muster.ts';
import { type RegisterOptions, register } from './registration.ts';

export interface Guarded {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  stop(): Promise<void>;
}

interface GuardedOptions extends ControlPlaneOptions {
  /** Stored before muster starts. */
  readonly objects?: readonly object[];
  readonly muster?: MusterOptions;
  readonly registration?: RegisterOptions;
}

/** Starts both, and registers muster. */
export async function startGuarded({ objects = [], ...options }: GuardedOptions = {}): Promise<Guarded> {
  const { muster: own, registration, ...plane } = options;
  const controlPlane = await startControlPlane(plane);
  await grantAccess(controlPlane);
  await controlPlane.apply(...objects);
  const muster = await startMuster({ controlPlane, ...own });
  await register(controlPlane, muster, registration);
  const stop = async () => {
    await muster.stop();
    await controlPlane.stop();
  };
  return { controlPlane, muster, stop };
}
