/** Finds the form of edits in which a model succeeds: old and new text, line numbers, or the whole file. */
import type { Model, ToolRegistry } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { EditForm } from "../model-profiles/tried-profile.ts";
import type { Put } from "./ask.ts";

const before = ["apples: green", "pears: yellow", "plums: blue", "grapes: green"];
const after = ["apples: green", "pears: red", "plums: blue", "grapes: green"];

interface EditTrial {
  readonly form: EditForm;
  readonly tool: string;
  /** The sentence of the task that names the tool. */
  readonly how: string;
  /** Returns the text of the file after the edit; undefined if the arguments describe no possible edit. */
  readonly apply: (args: JsonObject) => string | undefined;
}

/** The forms of edits. The form with the fewest tokens comes first. */
const trials: readonly EditTrial[] = [
  {
    form: "text",
    tool: "edit_file",
    how: "Use the tool edit_file.",
    apply: ({ old_string, new_string }) => {
      const parts = before.join("\n").split(String(old_string));
      return parts.length === 2 ? parts.join(String(new_string)) : undefined;
    },
  },
  {
    form: "lines",
    tool: "replace_lines",
    how: "Use the tool replace_lines.",
    apply: ({ line_start, line_end, new_content }) => {
      const [first, last] = [Number(line_start), Number(line_end)];
      if (first < 1 || last < first || last > before.length) return undefined;
      return before.toSpliced(first - 1, last - first + 1, String(new_content).trimEnd()).join("\n");
    },
  },
  {
    form: "file",
    tool: "write_file",
    how: "Use the tool write_file, and write all lines of the file.",
    apply: ({ content }) => String(content),
  },
];

const task = [
  "The file fruit.txt has four lines, here with their numbers:",
  ...before.map((line, index) => `${index + 1}: ${line}`),
  'Change the line "pears: yellow" into "pears: red", and leave the other lines as they are.',
].join("\n");

/**
 * Returns the first form with which the model makes the change of the task; `none` if it succeeds with no form; undefined if an
 * answer came too late or the server failed.
 */
export async function tryEdits(
  model: Model,
  tools: Pick<ToolRegistry, "definitions" | "validateInput">,
  put: Put,
  say: (check: string) => void,
): Promise<EditForm | "none" | undefined> {
  for (const { form, tool, how, apply } of trials) {
    say(`an edit with ${tool}`);
    const offered = tools.definitions().filter(({ name }) => name === tool);
    const answer = await put(model, `${task}\n${how}`, offered);
    const [call] = answer.calls;
    if (answer.failure !== undefined) return undefined;
    if (call === undefined) continue;
    const checked = tools.validateInput(tool, call.arguments);
    if (call.name === tool && checked.ok && apply(checked.arguments)?.trimEnd() === after.join("\n")) {
      return form;
    }
  }
  return "none";
}
