/** Colours code with the grammars of highlight.js. Loaded only when code is shown. */
import { common, createLowlight } from "lowlight";

/** A piece of code: text, or pieces with the CSS classes of a style. */
export type Painted = string | { readonly style: string; readonly parts: readonly Painted[] };

/** Returns the painted code; undefined for a language that is not known. */
export type Highlighter = (code: string, language: string) => readonly Painted[] | undefined;

export function createHighlighter(): Highlighter {
  const low = createLowlight(common);
  return (code, language) => {
    const name = language.toLowerCase();
    return low.registered(name) ? low.highlight(name, code).children.map(paintedOf) : undefined;
  };
}

type Node = ReturnType<ReturnType<typeof createLowlight>["highlight"]>["children"][number];

function paintedOf(node: Node): Painted {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  const classes = node.properties["className"];
  const style = Array.isArray(classes) ? classes.join(" ") : "";
  return { style, parts: node.children.map(paintedOf) };
}
