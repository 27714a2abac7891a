/** `insert_lines`: inserts new lines before a line or at the end. */

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

export function insertLines(resources: StoringParts & PathExaminer): Tool {
  return defineTool({
    name: "insert_lines",
    description:
      "Insert new_content before line line_start (from 1; last line + 1 appends). line_end equals line_start.",
    parameters: {
      type: "object",
      properties: lineEditProperties,
      required: ["path", "line_start", "new_content"],
    },
    aliases: ["insert", "insert_line", "insert_text", "insert_content"],
    parameterAliases: lineEditAliases,
    ...textEdit(resources, { content: "new_content", plan: planInsert, refuse: refuseLines }),
    execute: (args, context) => runChange(resources, context, (held) => insert(held, args)),
  });
}

async function insert(resources: StoringParts, args: JsonObject): Promise<ToolOutput> {
  const plan = await planInsert(resources, args);
  const stored = plan.ok ? await storeLines(resources, plan.value) : plan;
  if (!stored.ok) return stored;
  const { file, change, added } = stored.value;
  return linesOutput(
    stored.value,
    `Successfully wrote to ${file.path}: inserted ${countText(added, "line")} before line ${change.from + 1}.`,
  );
}

async function planInsert(resources: StoringParts, args: JsonObject): Promise<Outcome<LinePlan>> {
  const loaded = await loadTextAt(resources, textArgument(args, "path") ?? "");
  if (!loaded.ok) return loaded;
  const file = loaded.value;
  const line = numberArgument(args, "line_start");
  const end = numberArgument(args, "line_end") ?? line;
  const problem = lineProblem("line_start", line, 1, splitLines(file.text).length + 1);
  if (problem !== undefined) return problem;
  if (end !== line) {
    return refused(
      "validation_failed",
      `line_end is ${end}, it must equal line_start (${line}): lines are inserted at one place. To replace lines use replace_lines.`,
    );
  }
  const content = textArgument(args, "new_content") ?? "";
  if (content === "") {
    return refused(
      "validation_failed",
      'new_content is empty: nothing would be inserted. For an empty line send "\\n".',
    );
  }
  const placeholder = findPlaceholder(content, file.text);
  if (placeholder !== undefined) {
    return refused("validation_failed", placeholderMessage(placeholder, "Write new_content in full."));
  }
  return found(planLines(file, { from: (line ?? 1) - 1, remove: 0, content }));
}
