/** `replace_lines`: replaces a range of lines by their numbers. */

import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { runChange } from "@localharness/workspace/changes/hold-to-examined";
import type { StoringParts } from "@localharness/workspace/edits/load-text";
import { loadTextAt } from "@localharness/workspace/edits/load-text";
import {
  type LinePlan,
  lineProblem,
  linesOutput,
  planLines,
  refuseLines,
  storeLines,
} from "@localharness/workspace/edits/plan-lines";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { splitLines } from "@localharness/workspace/files/lines";
import { findPlaceholder, placeholderMessage } from "@localharness/workspace/files/refuse-placeholder";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import { lineEditAliases, lineEditProperties, textEdit } from "../edits/text-edit.ts";
import { numberArgument, textArgument } from "../parts/arguments.ts";

export function replaceLines(resources: StoringParts & PathExaminer): Tool {
  return defineTool({
    name: "replace_lines",
    description:
      "Replace the lines line_start to line_end (from 1, inclusive). First call read_file for the numbers.",
    parameters: {
      type: "object",
      properties: lineEditProperties,
      required: ["path", "line_start", "line_end", "new_content"],
    },
    aliases: ["replace_line", "edit_lines", "update_lines"],
    parameterAliases: lineEditAliases,
    ...textEdit(resources, { content: "new_content", plan: planReplace, refuse: refuseLines }),
    execute: (args, context) => runChange(resources, context, (held) => replace(held, args)),
  });
}

async function replace(resources: StoringParts, args: JsonObject): Promise<ToolOutput> {
  const plan = await planReplace(resources, args);
  const stored = plan.ok ? await storeLines(resources, plan.value) : plan;
  if (!stored.ok) return stored;
  const { file, change, added } = stored.value;
  const what = `lines ${change.from + 1}-${change.from + change.remove} (${countText(change.remove, "line")}) by ${countText(added, "line")}`;
  return linesOutput(stored.value, `Successfully wrote to ${file.path}: replaced ${what}.`);
}

async function planReplace(resources: StoringParts, args: JsonObject): Promise<Outcome<LinePlan>> {
  const loaded = await loadTextAt(resources, textArgument(args, "path") ?? "");
  if (!loaded.ok) return loaded;
  const file = loaded.value;
  const total = splitLines(file.text).length;
  if (total === 0) {
    return refused(
      "validation_failed",
      `"${file.path}" is empty: there is no line to replace. Use write_file.`,
    );
  }
  const first = numberArgument(args, "line_start");
  const last = numberArgument(args, "line_end");
  const problem =
    lineProblem("line_start", first, 1, total) ?? lineProblem("line_end", last, first ?? 1, total);
  if (problem !== undefined) return problem;
  const content = textArgument(args, "new_content") ?? "";
  const placeholder = findPlaceholder(content, file.text);
  if (placeholder !== undefined) {
    return refused(
      "validation_failed",
      placeholderMessage(placeholder, "Replace fewer lines and write new_content in full."),
    );
  }
  const from = (first ?? 1) - 1;
  return found(planLines(file, { from, remove: (last ?? 1) - from, content }));
}
