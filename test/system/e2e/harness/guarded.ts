/** An API server that calls a muster with its live cluster state. */
import { type ControlPlane, type ControlPlaneOptions, grantAccess, startControlPlane } from './control-plane.ts';
import { type Muster, startMuster } from './muster.ts';
import { register } from './registration.ts';

export interface Guarded {
  readonly controlPlane: ControlPlane;
  readonly muster: Muster;
  stop(): Promise<void>;
}

/** Registers muster under `Fail`. `admin` is exempt unless the configuration says otherwise. */
export async function startGuarded(
  options: ControlPlaneOptions = {},
  config: object = { exemptions: { users: ['admin'] } },
): Promise<Guarded> {
  const controlPlane = await startControlPlane(options);
  await grantAccess(controlPlane);
  const muster = await startMuster({ controlPlane, config });
  await register(controlPlane, muster, { failurePolicy: 'Fail' });
  const stop = async () => {
    await muster.stop();
    await controlPlane.stop();
  };
  return { controlPlane, muster, stop };
}
