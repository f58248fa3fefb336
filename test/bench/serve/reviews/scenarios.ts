/** The mixture: claims, inventory and features; created, updated and deleted; allowed, warned about and denied. */
import { claims } from './claims.ts';
import { features } from './features.ts';
import { inventory } from './inventory.ts';
import type { Scenario } from './review.ts';

/** In the order in which each connection sends them, each beginning somewhere else. */
export const scenarios: readonly Scenario[] = [...claims, ...inventory, ...features];
