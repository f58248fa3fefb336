/** The section `rules`: what each finding leads to, by rule and enforcement point. */
import type { Policy } from '../engine/policy.ts';
import type { Action, EnforcementPoint } from '../rules/rule.ts';
import { ACTIONS, POINTS } from './configuration.ts';
import { entries, found, members, oneOf, type Place, refuseFound, refuseKey } from './place.ts';
import { pointsSchema } from './schema.ts';
import { didYouMean } from './suggest.ts';

type PointActions = Readonly<Partial<Record<EnforcementPoint, Action>>>;

/** The actions by rule id. A rule of which nothing is said is not in the map. */
export function readActions(place: Place, ruleIds: ReadonlySet<string>): Policy['actions'] {
  const actions = new Map<string, PointActions>();
  for (const [id, entry] of entries(place, 'a map from rule ids to actions') ?? []) {
    if (!ruleIds.has(id)) refuseKey(entry, noRule(id, ruleIds));
    const said = pointActions(entry);
    if (Object.keys(said).length > 0) actions.set(id, said);
  }
  return actions;
}

/** What to say of a rule id that does not exist. */
export function noRule(id: string, ruleIds: ReadonlySet<string>): string {
  return `no rule ${found(id)}${didYouMean(id, ruleIds) || '; muster rules lists them'}`;
}

function pointActions(place: Place): PointActions {
  const isMap = typeof place.value === 'object' && !Array.isArray(place.value);
  const keys = isMap ? members(place, pointsSchema) : undefined;
  const said: Partial<Record<EnforcementPoint, Action>> = {};
  const everywhere = isMap ? undefined : action(place, ', or a map of webhook, check and scan');
  for (const point of POINTS) {
    const chosen = keys ? action(keys[point]) : everywhere;
    if (chosen !== undefined) said[point] = chosen;
  }
  return said;
}

function action(place: Place, alternative = ''): Action | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  const chosen = ACTIONS.find((each) => each === value);
  if (chosen === undefined) refuseFound(place, `${oneOf(ACTIONS)}${alternative}`, hint(value));
  return chosen;
}

/** YAML 1.1 reads `off` and `no` as false, which is why there is no such action. */
function hint(value: unknown): string {
  if (value === false) return ' (which is what YAML makes of off and no); write ignore to switch a rule off';
  if (value === true) return ' (which is what YAML makes of on and yes); name the action';
  if (typeof value !== 'string') return '';
  return /^(off|no|none|false|disabled?)$/i.test(value)
    ? '; write ignore to switch a rule off'
    : didYouMean(value, ACTIONS);
}
