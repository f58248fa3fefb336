/** Objects of every guarded kind, each with only what a test needs. */
import { claim, feature, inventory, labelled, managed, profile } from '../../../support/objects.ts';

export * from '../../../support/objects.ts';

export const value = (text: string) => ({ spec: { value: text } });
export const here = { namespace: 'default' };

export const id = claim('id.k8s.io', 'a');
export const membership = claim('clusterset.k8s.io', 'set');
export const memberInventory = inventory('one', managed('m'), labelled('m'));
export const memberProfile = profile('one', managed('m'), { ...here, ...labelled('m') });
export const offFeature = feature('one', { status: { state: 'Off', source: 'Default', default: 'Enabled' } }, here);
export const condition = {
  type: 'Joined',
  status: 'True',
  reason: 'Joined',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
export const { reason: _, ...withoutReason } = condition;
