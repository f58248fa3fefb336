/** How kubectl names and shows our kinds. */
import type { Dialect } from '../api/dialects.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** 0, the default, is always shown; 1 with `-o wide`. */
  readonly priority?: 0 | 1;
}

export interface Presentation {
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly columns: readonly Column[];
}

const age: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** A column whose heading tells all; `wide` ones are shown on request. */
function text(name: string, jsonPath: string, wide?: 'wide'): Column {
  return { name, type: 'string', jsonPath, ...(wide ? { priority: 1 } : {}) };
}

export const presentations: Readonly<Partial<Record<Dialect['name'], Presentation>>> = {
  'cluster-claim': {
    shortNames: ['cclaim'],
    categories: ['multicluster', 'muster'],
    columns: [text('Value', '.spec.value'), age],
  },
  'inventory-cluster': {
    shortNames: ['invc'],
    categories: ['multicluster', 'muster'],
    columns: [
      text('Manager', '.spec.clusterManager.name'),
      text('Joined', '.status.conditions[?(@.type=="Joined")].status'),
      text('Healthy', '.status.conditions[?(@.type=="ControlPlaneHealthy")].status'),
      text('Version', '.status.version.kubernetes'),
      text('Display name', '.spec.displayName', 'wide'),
      age,
    ],
  },
  feature: {
    shortNames: ['feat'],
    categories: ['muster'],
    columns: [
      text('State', '.status.state'),
      text('Default', '.status.default'),
      text('Desired', '.spec.desired'),
      text('Source', '.status.source'),
      text('Stability', '.status.stability', 'wide'),
      text('Version', '.status.version', 'wide'),
      age,
    ],
  },
};
