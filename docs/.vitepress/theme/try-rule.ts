/** At the end of the page of a rule: its examples in the playground. */
import { useData, withBase } from 'vitepress';
import { defineComponent, h } from 'vue';
import { data as leftOut } from '../playground/left-out.data.ts';
import { fragmentOfExample } from '../playground/scenario.ts';

export const TryRule = defineComponent(() => {
  const { page } = useData();
  return () => {
    const { relativePath, title } = page.value;
    if (!relativePath.startsWith('rules/') || relativePath === 'rules/index.md') return undefined;
    // The title of such a page is the id of its rule.
    if (leftOut.includes(title)) return undefined;
    const link = (text: string, example: string) => {
      return h('a', { href: withBase(`/playground#${fragmentOfExample(`${title}: ${example}`)}`) }, text);
    };
    const links = [link('the allowed example', 'allowed'), ' and ', link('the one that is not allowed', 'not allowed')];
    return h('p', { class: 'try-rule' }, ['In the playground: ', ...links, '.']);
  };
});
