/** Chooses the tools that edit files, according to the form of edits in which a model succeeds. */
import type { Tool } from "@localharness/engine";
import type { EditForm } from "./tried-profile.ts";

/** The tools of each form. `write_file` also creates files, so it stays in every set. */
const toolsOfForm: Readonly<Record<EditForm, readonly string[]>> = {
  text: ["edit_file", "replace_lines", "insert_lines"],
  lines: ["replace_lines", "insert_lines"],
  file: [],
};

/**
 * Returns `set` with its editing tools replaced by the editing tools of `form`, in the order of `all`. Forms other than
 * `text` add their tools even if `set` had no editing tools.
 */
export function withEditForm(set: readonly Tool[], all: readonly Tool[], form: EditForm): Tool[] {
  if (form === "text") return [...set];
  const others = new Set(toolsOfForm.text);
  const kept = new Set(set.map(({ name }) => name).filter((name) => !others.has(name)));
  return all.filter(({ name }) => kept.has(name) || toolsOfForm[form].includes(name));
}
