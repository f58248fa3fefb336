/** The view that the rules of one request share: what two of them read, they read once, and see the same. */

import type { Dialect } from '../api/dialects.ts';
import type { Answer, ClusterView, JsonObject, MaybePromise, Reference } from '../rules/rule.ts';

interface Got {
  readonly of: Reference;
  readonly answer: MaybePromise<Answer<JsonObject | undefined>>;
}

interface Listed {
  readonly dialect: Dialect;
  readonly namespace: string | undefined;
  readonly answer: MaybePromise<Answer<readonly JsonObject[]>>;
}

export class ReadOnce implements ClusterView {
  private readonly view: ClusterView;
  /** Few, and of most requests none: looked through rather than looked up. */
  private gets: Got[] | undefined;
  private lists: Listed[] | undefined;

  constructor(view: ClusterView) {
    this.view = view;
  }

  get(of: Reference): Got['answer'] {
    const same = ({ of: known }: Got) =>
      known.name === of.name && known.namespace === of.namespace && known.dialect.name === of.dialect.name;
    const known = this.gets?.find(same);
    if (known !== undefined) return known.answer;
    const got = { of, answer: ours(this.view.get(of)) };
    if (this.gets === undefined) this.gets = [got];
    else this.gets.push(got);
    return got.answer;
  }

  list(dialect: Dialect, namespace?: string): Listed['answer'] {
    const known = this.lists?.find((one) => one.dialect.name === dialect.name && one.namespace === namespace);
    if (known !== undefined) return known.answer;
    const listed = { dialect, namespace, answer: ours(this.view.list(dialect, namespace)) };
    if (this.lists === undefined) this.lists = [listed];
    else this.lists.push(listed);
    return listed.answer;
  }
}

/** A promise of another realm, and whatever else has a `then`, becomes one of ours: from here on they are told by their class. */
function ours<T>(answer: MaybePromise<Answer<T>>): MaybePromise<Answer<T>> {
  if (answer instanceof Promise || 'known' in answer) return answer;
  return Promise.resolve(answer);
}
