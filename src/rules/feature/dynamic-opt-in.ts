/** KEP-3920, Stage 3: "If opted in on apiserver's command line, a feature may be set dynamically in the API." */
import { absent } from '../cel/cel.ts';
import { at, same } from '../json.ts';
import { type Context, defineRule, type Path, type Yielded } from '../rule.ts';
import { isDynamic } from './reading.ts';

const DESIRED: Path = ['spec', 'desired'];
const SOURCE: Path = ['status', 'source'];

export const rule = defineRule({
  id: 'feature/dynamic-opt-in',
  concept: 'feature',
  on: ['CREATE', 'UPDATE'],
  subresources: ['', 'status'],
  meta: {
    level: 'MUST',
    basis: 'kep',
    source: 'KEP-3920 #implementation-order-of-execution',
    quote: "If opted in on apiserver's command line, a feature may be set dynamically in the API.",
    needs: ['object', 'oldObject'],
    why: 'Which features are opted in is for the platform to configure; a CRD knows no configuration.',
    code: 403,
    inertUntil: 'features.dynamic',
    messages: {
      desired:
        '"{{value}}" is set for a feature that is not opted in; take spec.desired away, or add the feature to features.dynamic',
      source:
        'becomes Dynamic for a feature that is not opted in; keep another source, or add the feature to features.dynamic',
    },
  },
  cel: absent.configuration,
  awake: (settings) => settings.features.dynamic !== undefined,
  *check(context): Iterable<Yielded> {
    if (isDynamic(context)) return;
    if (context.subresource === 'status') {
      if (at(context.object, SOURCE) === 'Dynamic' && changes(context, SOURCE))
        yield { path: SOURCE, messageId: 'source' };
      return;
    }
    // Taking the field away is no setting of it: the feature returns to its default.
    const value = at(context.object, DESIRED);
    if (value !== undefined && changes(context, DESIRED))
      yield { path: DESIRED, messageId: 'desired', data: { value } };
  },
});

function changes({ object, oldObject }: Context, path: Path): boolean {
  return !same(at(object, path), at(oldObject, path));
}
