import { useEffect, useRef } from "preact/hooks";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "t-key" },
  { tag: [tags.string, tags.special(tags.string)], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], class: "t-atom" },
  { tag: tags.comment, class: "t-comment" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: "t-quiet" },
]);

const mark = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, tr) {
    value = value.map(tr.changes);
    for (const e of tr.effects) if (e.is(mark)) value = e.value;
    return value;
  },
  provide: (f) => EditorView.decorations.from(f),
});

// place returns the offset of a line and a column, both from 1.
function place(doc, line, column) {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(at.from + column - 1, at.to);
}

function show(view, problems) {
  const doc = view.state.doc;
  const diagnostics = problems.map((p) => {
    const from = place(doc, p.range.line, p.range.column);
    return { from, to: Math.max(place(doc, p.range.endLine, p.range.endColumn), from), severity: "error", message: [p.path, p.message].filter(Boolean).join(": ") };
  });
  const lines = [...new Set(problems.map((p) => Math.min(p.range.line, doc.lines)))].sort((a, b) => a - b);
  const set = Decoration.set(lines.map((n) => Decoration.line({ class: "marked" }).range(doc.line(n).from)));
  view.dispatch(setDiagnostics(view.state, diagnostics), { effects: mark.of(set) });
}

const none = [];

// Editor shows a text with problems. The text is written once for each key; after that the editor has it. Into is a ref that
// gets { go(range), text() }.
export function Editor({ text, problems = none, label, readOnly, onChange, onSend, into }) {
  const at = useRef(null), view = useRef(null), calls = useRef({});
  calls.current = { onChange, onSend };
  useEffect(() => {
    view.current = new EditorView({
      parent: at.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), lintGutter(), marks, yaml(), syntaxHighlighting(colors), EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          readOnly ? [EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-readonly": "true" })] : [history(), drawSelection(), highlightActiveLine(), indentOnInput()],
          keymap.of([{ key: "Mod-Enter", run: () => (calls.current.onSend?.(), true) }, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of((u) => u.docChanged && calls.current.onChange?.(u.state.doc.toString())),
        ],
      }),
    });
    if (into) {
      into.current = {
        text: () => view.current.state.doc.toString(),
        go(range) {
          const doc = view.current.state.doc, anchor = place(doc, range.line, range.column);
          view.current.dispatch({ selection: { anchor, head: Math.max(anchor, place(doc, range.endLine, range.endColumn)) }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
          view.current.focus();
        },
      };
    }
    return () => view.current.destroy();
  }, []);
  useEffect(() => show(view.current, problems), [problems]);
  return <div class="editor" ref={at} />;
}
