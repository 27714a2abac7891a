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
 * Returns `set` unchanged for the form `text`. For another form, replaces the editing tools of `set` by those of `form`,
 * which are added even if `set` had none. The tools are then in the order of `all`.
 */
export function withEditForm(set: readonly Tool[], all: readonly Tool[], form: EditForm): Tool[] {
  if (form === "text") return [...set];
  const others = new Set(toolsOfForm.text);
  const kept = new Set(set.map(({ name }) => name).filter((name) => !others.has(name)));
  return all.filter(({ name }) => kept.has(name) || toolsOfForm[form].includes(name));
}
