/**
 * A CodeMirror editor for YAML. It is in a shadow root: there its styles are adopted style sheets, which the policy of
 * the page permits.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, type EditorViewConfig, keymap, lineNumbers } from '@codemirror/view';
import type { Mark } from './input.ts';

interface EditorOptions {
  /** The element that becomes the host of the editor. */
  readonly host: NonNullable<EditorViewConfig['parent']>;
  /** Read by screen readers. */
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Creates an editor. Tab leaves it, as it leaves every field. */
export function createEditor({ host, label, text, onChange }: EditorOptions) {
  const root = host.attachShadow({ mode: 'open' });
  const view = new EditorView({ root, parent: root, state: stateOf(text) });

  function stateOf(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        [lineNumbers(), history(), keymap.of([...defaultKeymap, ...historyKeymap]), EditorView.lineWrapping],
        [yaml(), syntaxHighlighting(highlighting), lintGutter(), theme],
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
      ],
    });
  }

  return {
    /** Replaces the text and its history, if it is another one. */
    setText(next: string): void {
      if (next !== view.state.doc.toString()) view.setState(stateOf(next));
    },
    /** Replaces all marks. */
    setMarks(marks: readonly Mark[]): void {
      const diagnostics = marks.map((mark) => diagnosticOf(mark, view.state.doc));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    destroy: () => view.destroy(),
  };
}

function diagnosticOf({ line, column, endLine, endColumn, severity, message }: Mark, doc: Text): Diagnostic {
  const from = offsetOf(doc, line, column);
  const end = endLine === undefined || endColumn === undefined ? from : offsetOf(doc, endLine, endColumn);
  // A mark without a width is seen only in the gutter: it reaches to the end of its line.
  const to = end > from ? end : doc.lineAt(from).to;
  return { from, to, severity, message };
}

/** The text may be shorter by now than the one that was evaluated. */
function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(line, doc.lines));
  return Math.min(from + column - 1, to);
}

/** CodeMirror's own colors are for light pages; these are variables of the page's theme. */
const COLORS: Readonly<Record<string, string>> = {
  '#940': 'var(--playground-comment)',
  '#a11': 'var(--playground-string)',
  '#164': 'var(--playground-string)',
  '#00c': 'var(--playground-key)',
  '#00f': 'var(--playground-key)',
};
const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({ ...spec, color: COLORS[String(spec['color'])] ?? 'inherit' })),
);

const theme = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--vp-c-text-1)', backgroundColor: 'var(--vp-c-bg)', maxHeight: '24rem' },
  '&.cm-focused': { outline: '2px solid var(--vp-c-brand-1)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--vp-font-family-mono)', lineHeight: '1.5', minHeight: '3.2em' },
  '.cm-content': { caretColor: 'var(--vp-c-text-1)' },
  '.cm-gutters': { color: 'var(--vp-c-text-2)', backgroundColor: 'var(--vp-c-bg-soft)', border: 'none' },
  '.cm-tooltip': { color: 'var(--vp-c-text-1)', backgroundColor: 'var(--vp-c-bg-elv)', maxWidth: '36rem' },
});
