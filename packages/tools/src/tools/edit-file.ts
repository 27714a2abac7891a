/** `edit_file`: replaces a piece of text in a file. */

import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { runChange } from "@localharness/workspace/changes/hold-to-examined";
import type { StoringParts } from "@localharness/workspace/edits/load-text";
import { encodeFor, type LoadedText, loadTextAt, storeFile } from "@localharness/workspace/edits/load-text";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { bareLine, splitLines } from "@localharness/workspace/files/lines";
import type { TextMatch } from "@localharness/workspace/files/match-block";
import { findMatches } from "@localharness/workspace/files/match-text";
import { nearestRegion, numbered } from "@localharness/workspace/files/nearest-region";
import { findPlaceholder, placeholderMessage } from "@localharness/workspace/files/refuse-placeholder";
import { unifiedDiff } from "@localharness/workspace/files/unified-diff";
import { type Failure, found, type Outcome, refused } from "@localharness/workspace/outcome";
import { textEdit } from "../edits/text-edit.ts";
import { pathAliases } from "../parts/aliases.ts";
import { flagArgument, textArgument } from "../parts/arguments.ts";

export function editFile(resources: StoringParts & PathExaminer): Tool {
  return defineTool({
    name: "edit_file",
    description: "Replace old_string, which must be unique in the file, by new_string.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", format: "path" },
        old_string: { type: "string" },
        new_string: { type: "string" },
        replace_all: { type: "boolean" },
      },
      required: ["path", "old_string", "new_string"],
    },
    aliases: [
      "edit",
      "str_replace",
      "replace",
      "replace_in_file",
      "search_replace",
      "search_and_replace",
      "string_replace",
    ],
    parameterAliases: {
      path: pathAliases,
      old_string: ["old_str", "old_text", "old", "search", "before", "find", "old_content", "original"],
      new_string: ["new_str", "new_text", "new", "replace", "after", "replacement", "new_content", "updated"],
      replace_all: ["allow_multiple", "all", "global"],
    },
    ...textEdit(resources, { content: "new_string", plan: planEdit, refuse: refuseEdit }),
    execute: (args, context) => runChange(resources, context, (held) => edit(held, args)),
  });
}

interface EditPlan {
  readonly file: LoadedText;
  readonly text: string;
  readonly matches: readonly TextMatch[];
  readonly tolerance: string | undefined;
}

async function edit(resources: StoringParts, args: JsonObject): Promise<ToolOutput> {
  const plan = await planEdit(resources, args);
  if (!plan.ok) return plan;
  const { file, text, matches, tolerance } = plan.value;
  const stale = await resources.ledger.checkFresh(file.path, file.bytes);
  const refusal = stale ?? refuseEdit(resources, plan.value);
  if (refusal !== undefined) return refusal;
  const bytes = encodeFor(file, text);
  if (!bytes.ok) return bytes;
  const lines = matches.map((match) => lineAt(file.text, match.start));
  const by = splitLines(text).length - splitLines(file.text).length;
  const shift = { line: (lines[0] ?? 1) + 1, by };
  const stored = await storeFile(resources, file.path, { bytes: bytes.value, old: file.stats, shift });
  if (!stored.ok) return stored;
  const where = lines.length === 1 ? `at line ${lines[0]}` : `at the lines ${lines.slice(0, 20).join(", ")}`;
  const times = lines.length === 1 ? "" : ` ${countText(lines.length, "time")}`;
  return {
    ok: true,
    data: `Successfully edited ${file.path}: replaced${times} ${where}.`,
    details: { path: file.path, diff: unifiedDiff(file.path, file.text, text) },
    achieved: [{ kind: "wrote", subject: file.path }],
    ...(tolerance === undefined
      ? {}
      : { notes: [`old_string was not found exactly, but with ${tolerance}`] }),
  };
}

function refuseEdit(resources: StoringParts, { file, text, matches }: EditPlan): Failure | undefined {
  const refusal = unshown(resources, file, matches);
  if (refusal !== undefined) return refusal;
  const bytes = encodeFor(file, text);
  return bytes.ok ? undefined : bytes;
}

/** Returns a failure if a curator left out lines of a match. */
function unshown(
  { ledger }: StoringParts,
  { path, text }: LoadedText,
  matches: readonly TextMatch[],
): Failure | undefined {
  if (!ledger.knowsPart(path)) return undefined;
  for (const { start, end } of matches) {
    const failure = ledger.checkShown(path, lineAt(text, start), lineAt(text, Math.max(start, end - 1)));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function planEdit(resources: StoringParts, args: JsonObject): Promise<Outcome<EditPlan>> {
  const wanted = textArgument(args, "old_string") ?? "";
  const replacement = textArgument(args, "new_string") ?? "";
  const loaded = await loadTextAt(resources, textArgument(args, "path") ?? "");
  if (!loaded.ok) return loaded;
  const file = loaded.value;
  const problem = inputProblem(file, wanted, replacement);
  if (problem !== undefined) return problem;
  const { matches, tolerance } = findMatches(file.text, wanted, replacement);
  if (matches.length === 0) return notFound(file, wanted, replacement);
  if (matches.length > 1 && !flagArgument(args, "replace_all")) return ambiguous(file, matches);
  const text = applied(file.text, matches);
  if (text === file.text) {
    return refused("validation_failed", `The edit would change nothing in "${file.path}".`);
  }
  return found({ file, text, matches, tolerance });
}

function inputProblem(file: LoadedText, wanted: string, replacement: string): Failure | undefined {
  if (wanted === "") {
    return refused(
      "validation_failed",
      "old_string is empty. Give the text to replace; to add lines use insert_lines, for a whole file write_file.",
    );
  }
  if (wanted === replacement) {
    return refused("validation_failed", "old_string and new_string are the same: nothing would change.");
  }
  const placeholder = findPlaceholder(replacement, file.text);
  return placeholder === undefined
    ? undefined
    : refused(
        "validation_failed",
        placeholderMessage(placeholder, "Replace a smaller part and write new_string in full."),
      );
}

function applied(text: string, matches: readonly TextMatch[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const match of matches) {
    pieces.push(text.slice(position, match.start), match.replacement);
    position = match.end;
  }
  return pieces.join("") + text.slice(position);
}

function ambiguous(file: LoadedText, matches: readonly TextMatch[]): Failure {
  const lines = splitLines(file.text).map(bareLine);
  const shown = matches.slice(0, 20).map((match) => {
    const line = lineAt(file.text, match.start);
    return numbered(lines, line - 1, line);
  });
  const more = matches.length > shown.length ? `\n[... ${matches.length - shown.length} more]` : "";
  return refused(
    "validation_failed",
    `old_string was found ${countText(matches.length, "time")} in "${file.path}"; nothing was written. Add lines around it so that it is unique, or set replace_all to true. It begins at:\n${shown.join("\n")}${more}`,
  );
}

function notFound(file: LoadedText, wanted: string, replacement: string): Failure {
  const parts = [`old_string was not found in "${file.path}"; nothing was written.`];
  const there = replacement.trim() === "" ? -1 : file.text.indexOf(replacement);
  if (there !== -1) {
    parts.push(
      `new_string is already there at line ${lineAt(file.text, there)}: the edit may have been made before.`,
    );
  }
  const region = nearestRegion(file.text, wanted);
  parts.push(
    region === undefined
      ? "Nothing in the file is like it. Read it with read_file."
      : `The closest region is below; copy the text from it without the line numbers.\n${region}`,
  );
  return refused("validation_failed", parts.join(" "));
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    line += 1;
  }
  return line;
}
