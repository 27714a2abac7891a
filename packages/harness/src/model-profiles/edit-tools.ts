/** Chooses the tools that edit files, by the form of edits in which a model succeeds. */
import type { Tool } from "@localharness/engine";
import type { EditForm } from "./tried-profile.ts";

/** The tools of each form. `write_file` also makes new files, so every set keeps it. */
const toolsOfForm: Readonly<Record<EditForm, readonly string[]>> = {
  text: ["edit_file", "replace_lines", "insert_lines"],
  lines: ["replace_lines", "insert_lines"],
  file: [],
};

/**
 * Returns `set` with the tools of this form instead of those of other forms, in the order of `all`. A form other than `text` gets its
 * tools also when the set had none of them.
 */
export function withEditForm(set: readonly Tool[], all: readonly Tool[], form: EditForm): Tool[] {
  if (form === "text") return [...set];
  const others = new Set(toolsOfForm.text);
  const kept = new Set(set.map(({ name }) => name).filter((name) => !others.has(name)));
  return all.filter(({ name }) => kept.has(name) || toolsOfForm[form].includes(name));
}
