/**
 * VitePress's own theme, with the system's fonts: nothing is loaded from elsewhere, and no font file weighs on a page.
 */
/// <reference types="vite/client" />
import { useData } from 'vitepress';
import theme from 'vitepress/theme-without-fonts';
import { type ComponentPublicInstance, defineComponent, h, onMounted, ref, watch } from 'vue';
import { TryRule } from './try-rule.ts';
import './style.css';

const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  const layout = ref<ComponentPublicInstance>();
  // The theme's home page has no main landmark, which other pages have within this element.
  const markMain = () => {
    const content = layout.value?.$el.querySelector('#VPContent');
    if (frontmatter.value['layout'] === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(() => watch(frontmatter, markMain, { immediate: true, flush: 'post' }));
  return () => h(theme.Layout, { ref: layout }, { 'doc-footer-before': () => h(TryRule) });
});

export default { extends: theme, Layout };
