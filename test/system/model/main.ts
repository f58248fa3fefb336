/** `npm run model`: the model of the locks, then that of the registrar. The flags are those of run-model.ts. */
import { refuseUnmet } from './run-model.ts';

await import('./lock/main.ts');
await import('./registrar/main.ts');
refuseUnmet();
