/** Defines the tour, a script for any folder: look around, fix a TODO, check with git, keep a list of tasks. */
import { findFix } from "./find-fix.ts";
import { type Script, type Seen, succeeded, type Want } from "./script.ts";

/** The message that starts the tour. */
export const tourPrompt =
  "Take the tour: look around, find a TODO, fix it, check with git, and keep your tasks.";

export function readTour(text: string): Script | undefined {
  return /\btake the tour\b|^\s*(tour|demo)\s*[.!]?\s*$/i.test(text) ? tour : undefined;
}

const task = "Find a TODO and fix it";

const tour: Script = {
  stages: [
    {
      say: "First I note what I am going to do, and look around.",
      wants: () => [
        { kind: "add-task", arguments: { content: task } },
        { kind: "list", arguments: { path: "." } },
        { kind: "search", arguments: { pattern: "TODO" } },
      ],
    },
    { say: "I found something to do. I read the files before I touch them.", wants: readHits },
    { say: "Here is the fix. This one changes a file, so it is for you to allow.", wants: edit },
    {
      say: "Now I check what changed, and settle the task.",
      wants: (seen) => [
        { kind: "git-status", arguments: {} },
        { kind: "git-diff", arguments: {} },
        ...settleTask(seen),
      ],
    },
    { say: "Last, the tasks.", wants: () => [{ kind: "list-tasks", arguments: {} }] },
  ],
  closing: (seen) => {
    const [edited] = succeeded(seen, "edit");
    if (edited !== undefined) return `Done: ${edited.arguments["path"] ?? "the file"} is fixed.`;
    const tried = seen.results.some((result) => result.kind === "edit");
    return tried
      ? "The fix was not made; the file is as it was."
      : "There was nothing here that my rules can fix.";
  },
};

const maxFiles = 3;

function readHits(seen: Seen): Want[] {
  const paths = succeeded(seen, "search").flatMap((result) => pathsIn(result.text));
  const code = [...new Set(paths)].sort((a, b) => Number(a.endsWith(".md")) - Number(b.endsWith(".md")));
  return code.slice(0, maxFiles).map((path) => ({ kind: "read", arguments: { path } }));
}

/** Returns the file names in search output. They stand before `:12:` or alone on a line. */
function pathsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const match = line.match(/^\s*(?:File:\s*)?((?:[\w.@-]+\/)*[\w.@-]+\.\w+)(?::\d+\b.*|:)?\s*$/);
    return match?.[1] === undefined ? [] : [match[1]];
  });
}

function edit(seen: Seen): Want[] {
  for (const file of succeeded(seen, "read")) {
    const path = file.arguments["path"] ?? file.arguments["file_path"];
    const fix = findFix(withoutNumbers(file.text));
    if (typeof path === "string" && fix !== undefined) {
      return [{ kind: "edit", arguments: { path, old_string: fix.before, new_string: fix.after } }];
    }
  }
  return [];
}

/** Returns the lines of a file from output such as `12: text`, without the numbers. */
function withoutNumbers(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const match = line.match(/^\s*\d+(?::|\t|→|\|) ?(.*)$/);
    return match?.[1] === undefined ? [] : [match[1]];
  });
}

function settleTask(seen: Seen): Want[] {
  const id = succeeded(seen, "add-task")
    .map((result) => result.text.match(/task_\d+/)?.[0])
    .find((found) => found !== undefined);
  if (id === undefined) return [];
  const status = succeeded(seen, "edit").length > 0 ? "completed" : "pending";
  return [{ kind: "update-task", arguments: { task_id: id, status } }];
}
